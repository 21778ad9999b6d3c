"""Numbers are written as the language of the window writes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from idlepool.ui.numbers import decimal, whole


@pytest.fixture(params=["en_US", "de_DE"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


def test_thousands_and_decimals_are_parted_as_usual_there(language: str) -> None:
    texts = {"en_US": ["12,345", "1,234.5", "20.0", "0.25"], "de_DE": ["12.345", "1.234,5", "20,0", "0,25"]}
    assert [whole(12345), decimal(1234.49), decimal(20), decimal(0.25, places=2)] == texts[language]
