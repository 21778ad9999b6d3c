"""The tokenizer of a GGUF file as OpenVINO graphs, built from the file's own pieces, scores and kinds of tokens.

transformers builds one from GGUF files too, but takes SentencePiece's byte-pair form for a unigram model: other tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Literal

import msgspec
import openvino as ov
from gguf import GGUFReader

from idlepool.engine.errors import ConversionFailed
from idlepool.engine.models.tokenizer import DETOKENIZER_FILE, TOKENIZER_FILE

SPACE = "▁"
"""What stands for a space in a piece."""


class Kind(IntEnum):
    """Kinds of tokens that matter here (gguf.TokenType)."""

    NORMAL = 1
    CONTROL = 3
    USER_DEFINED = 4


class Pieces(msgspec.Struct, frozen=True):
    """A SentencePiece vocabulary in byte-pair form: of two neighbours those merge first whose whole scores highest.

    The names are those of the file's metadata, without `tokenizer.ggml`.
    """

    model: Literal["llama"]
    """What GGUF calls this form."""
    add_space_prefix: Literal[False]
    tokens: list[str]
    scores: list[float]
    token_type: list[int]
    bos_token_id: int
    eos_token_id: int
    unknown_token_id: int
    padding_token_id: int

    def merges(self) -> list[tuple[str, str]]:
        """Pairs of pieces that make a piece, the first to merge first."""
        order = {text: index for index, text in enumerate(self.tokens) if self.token_type[index] == Kind.NORMAL}
        found = [
            (-self.scores[index], order[left], order[right])
            for text, index in order.items()
            for left, right in _halves(text)
            if left in order and right in order
        ]
        return [(self.tokens[left], self.tokens[right]) for _, left, right in sorted(found)]

    def of_kind(self, *kinds: Kind) -> list[str]:
        """The texts of those kinds."""
        return [text for text, kind in zip(self.tokens, self.token_type, strict=True) if kind in kinds]


def read_pieces(gguf: Path) -> Pieces:
    """The vocabulary of a file.

    Raises:
        ConversionFailed: it has none, or one of another form.
    """
    fields = GGUFReader(gguf).fields
    names = {name: f"tokenizer.ggml.{name}" for name in Pieces.__struct_fields__}
    found = {name: fields[key].contents() for name, key in names.items() if key in fields}
    try:
        return msgspec.convert(found, Pieces)
    except msgspec.ValidationError as error:
        raise ConversionFailed(gguf.name, f"its tokenizer is of a form that is not known here ({error})") from error


def write_tokenizer(gguf: Path, folder: Path) -> None:
    """Write both tokenizer graphs of a GGUF file into `folder`; needs the extra `convert`.

    Raises as read_pieces() does.
    """
    from openvino_tokenizers import convert_tokenizer

    tokenizer, detokenizer = convert_tokenizer(_hugging_face_form(read_pieces(gguf)), with_detokenizer=True)
    ov.save_model(tokenizer, folder / TOKENIZER_FILE)
    ov.save_model(detokenizer, folder / DETOKENIZER_FILE)


def _hugging_face_form(pieces: Pieces) -> object:
    """A `PreTrainedTokenizerFast`, the form that openvino_tokenizers takes."""
    from tokenizers import AddedToken, Tokenizer, decoders, normalizers, processors
    from tokenizers.models import BPE
    from transformers import PreTrainedTokenizerFast

    texts = pieces.tokens
    vocabulary = {text: index for index, text in enumerate(texts)}
    begin, unknown = texts[pieces.bos_token_id], texts[pieces.unknown_token_id]
    form = Tokenizer(BPE(vocabulary, pieces.merges(), byte_fallback=True, fuse_unk=True, unk_token=unknown))
    form.normalizer = normalizers.Replace(" ", SPACE)
    form.decoder = decoders.Sequence([decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    # Runs of spaces and line ends are tokens "defined by the user": found in the text before anything is merged.
    control = set(pieces.of_kind(Kind.CONTROL))
    added = pieces.of_kind(Kind.CONTROL, Kind.USER_DEFINED)
    form.add_tokens([AddedToken(text, normalized=False, special=text in control) for text in added])
    form.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A", special_tokens=[(begin, pieces.bos_token_id)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=form,
        bos_token=begin,
        eos_token=texts[pieces.eos_token_id],
        unk_token=unknown,
        pad_token=texts[pieces.padding_token_id],
        clean_up_tokenization_spaces=False,
    )


def _halves(text: str) -> Iterator[tuple[str, str]]:
    return ((text[:at], text[at:]) for at in range(1, len(text)))
