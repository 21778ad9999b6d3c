"""The packages that Idlepool builds on, with their licences, as they say themselves."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from PySide6.QtCore import QCoreApplication

_NAME = re.compile(r"[A-Za-z0-9._-]+")


def licences() -> list[str]:
    """A line for each package that is installed, this one first."""
    own = distribution("idlepool")
    wanted = (found[0] for line in own.requires or () if "extra ==" not in line and (found := _NAME.match(line)))
    others = sorted(filter(None, map(_found, wanted)), key=lambda package: package.name.casefold())
    return [_line(package) for package in (own, *others)]


def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:  # of another system
        return None


def _line(package: Distribution) -> str:
    return f"{package.name} {package.version}: {_licence(package)}"


def _licence(package: Distribution) -> str:
    """The expression, the classifier, or the first line of what it says; older packages have only one of them."""
    told = package.metadata
    for expression in told.get_all("License-Expression") or ():
        return str(expression)
    for classifier in told.get_all("Classifier") or ():
        if classifier.startswith("License ::"):
            return str(classifier).rsplit(" :: ", 1)[-1]
    for text in told.get_all("License") or ():
        return str(text).splitlines()[0][:80]
    return QCoreApplication.translate("Licences", "see its files")
