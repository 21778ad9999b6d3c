"""A draft whose token ids mean something else is refused with a sentence that says what differs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.decode.vocabulary import check_same_vocabulary
from idlepool.engine.errors import DraftRefused
from idlepool.engine.models.manifest import TOKENIZER_FILES
from idlepool.engine.models.store import ModelStore


def build_draft(folder: Path, shape: TinyShape, *, seed: int = 0) -> Path:
    """A tiny model without a tokenizer; the same seed gives the same embeddings, whatever the layers."""
    build_tiny_model(folder, shape, seed=seed)
    for name in TOKENIZER_FILES:
        (folder / name).unlink()
    return folder


class TestWithoutATokenizer:
    def test_a_draft_with_the_targets_embeddings_is_taken(self, tiny_model, tmp_path):
        draft = build_draft(tmp_path / "draft", TinyShape(layers=2))
        assert check_same_vocabulary(tiny_model, draft) == TinyShape().vocabulary

    def test_one_of_the_same_size_with_others_is_refused(self, tiny_model, tmp_path):
        draft = build_draft(tmp_path / "draft", TinyShape(layers=2), seed=1)
        with pytest.raises(DraftRefused, match=r"“draft” cannot draft .* embeddings are not the model's"):
            check_same_vocabulary(tiny_model, draft)

    def test_one_of_another_size_is_refused(self, tiny_model, tmp_path):
        draft = build_draft(tmp_path / "draft", TinyShape(layers=2, vocabulary=299))
        with pytest.raises(DraftRefused, match="it knows 299 tokens and the model 300"):
            check_same_vocabulary(tiny_model, draft)

    def test_one_of_another_width_is_refused(self, tiny_model, tmp_path):
        draft = build_draft(tmp_path / "draft", TinyShape(layers=2, hidden=32))
        with pytest.raises(
            DraftRefused, match="no tokenizer to compare, and its embeddings are not those of the model"
        ):
            check_same_vocabulary(tiny_model, draft)


def test_a_folder_without_a_model_is_refused(tiny_model, tmp_path):
    with pytest.raises(DraftRefused, match=r"cannot read openvino_model\.xml"):
        check_same_vocabulary(tiny_model, tmp_path)


@pytest.mark.model
class TestWithATokenizer:
    @pytest.fixture
    def draft(self, starter_store: ModelStore, tmp_path: Path) -> Path:
        """Other layers and embeddings, some logits more, and the starter model's own words."""
        starter = starter_store.get("starter").folder
        folder = build_tiny_model(tmp_path / "draft", TinyShape(layers=2, hidden=8, vocabulary=49_160))
        for name in TOKENIZER_FILES:
            for file in (name, name.replace(".xml", ".bin")):
                shutil.copyfile(starter / file, folder / file)
        return folder

    def test_the_same_words_are_taken_whatever_the_padding(self, starter_store, draft):
        assert check_same_vocabulary(starter_store.get("starter").folder, draft) == 49_152

    def test_another_word_is_named(self, starter_store, draft):
        for name in TOKENIZER_FILES:
            words = draft / name.replace(".xml", ".bin")
            words.write_bytes(words.read_bytes().replace(b" Portugal", b" Portugul"))
        with pytest.raises(
            DraftRefused, match=r"“draft” .* 1 of 49,152 words differ .“ Portugal” is missing, in the model"
        ):
            check_same_vocabulary(starter_store.get("starter").folder, draft)
