"""Make gemma_tokens.json: texts and the ids that the GGUF file's own vocabulary gives them.

    python tests/data/make_gemma_tokens.py GGUF

SentencePiece's byte-pair algorithm, straight from its description (Kudo and Richardson, 2018) and as slow as that is:
tokens defined by the user are found first, the longest first; in what is left, of all neighbours those merge whose
whole has the highest score, the leftmost of equals; a character that is no piece becomes its bytes.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from pathlib import Path

from gguf import GGUFReader

HERE = Path(__file__).parent
NORMAL, USER_DEFINED = 1, 4
SPACE = "▁"

TEXTS = [
    (HERE / "paragraph.txt").read_text(encoding="utf-8"),
    "Hello   world, with  runs of    spaces ",
    " leading space\n\n\nlines\r\n\tand\t\ttabs",
    "def area(width: float) -> float:\n    return width**2  # m²\n\n\nclass A:\n\tpass\n",
    '{"name": "idle-1", "layers": [0, 12], "share": 0.25}',
    "<table><tr><td>1</td></tr></table> <b>bold</b>",
    "Größe, naïve café, Łódź, Ελληνικά, Привет, мир",
    "日本語のテキストと中文文本。한국어 텍스트",
    "हिन्दी عربى עברית ไทย",
    "👨‍👩‍👧 😀🎉 🇯🇵 e\u0301 \u200b\ufeff",
    "\U0010ffff \U000e0041 \x07",
    "1234567890 3.14159 ٣٤٥",
    "a" * 100 + " " * 70 + "x",
    "",
]


def encode(text: str, vocabulary: dict[str, int], scores: list[float], kinds: list[int]) -> list[int]:
    defined = [piece for piece, index in vocabulary.items() if kinds[index] == USER_DEFINED]
    pattern = "|".join(re.escape(piece) for piece in sorted(defined, key=len, reverse=True))
    ids: list[int] = []
    for part in re.split(f"({pattern})", text):
        if part in vocabulary and kinds[vocabulary[part]] == USER_DEFINED:
            ids.append(vocabulary[part])
        else:
            ids += merge(part.replace(" ", SPACE), vocabulary, scores, kinds)
    return ids


def merge(text: str, vocabulary: dict[str, int], scores: list[float], kinds: list[int]) -> list[int]:
    def score(piece: str) -> float:
        index = vocabulary.get(piece)
        return scores[index] if index is not None and kinds[index] == NORMAL else -float("inf")

    pieces = list(text)
    while len(pieces) > 1:
        wholes = [score(left + right) for left, right in pairwise(pieces)]
        best = max(range(len(wholes)), key=lambda at: (wholes[at], -at))
        if wholes[best] == -float("inf"):
            break
        pieces[best : best + 2] = [pieces[best] + pieces[best + 1]]
    ids: list[int] = []
    for piece in pieces:
        ids += [vocabulary[piece]] if piece in vocabulary else [vocabulary[f"<0x{b:02X}>"] for b in piece.encode()]
    return ids


def main(gguf: str) -> None:
    fields = GGUFReader(gguf).fields
    tokens, scores, kinds = (fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "scores", "token_type"))
    vocabulary = {text: index for index, text in enumerate(tokens)}
    cases = [{"text": text, "ids": encode(text, vocabulary, scores, kinds)} for text in TEXTS]
    (HERE / "gemma_tokens.json").write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
