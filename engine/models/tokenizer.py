"""Text to tokens and back, by the model's own tokenizer graphs: the first and the last thing the head does."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from idlepool.engine.errors import ModelDamaged, RequestError
from idlepool.engine.events import ChatMessage

TOKENIZER_FILE = "openvino_tokenizer.xml"
DETOKENIZER_FILE = "openvino_detokenizer.xml"
GENERATION_FILE = "generation_config.json"

PLAIN_STOPS = ("\n\nUser:", "\nUser:")
"""Where the next turn of the plain form begins."""

_BREAK = "\ufdd0"
"""Parts a control token's text in a message. Unicode keeps this code point free of any meaning ("noncharacter")."""
_LONG = 1024
"""Encodings of so many tokens are checked for having been cut."""
_EDGE = 16
"""So many tokens may differ where a text is encoded in two parts."""

_log = logging.getLogger("idlepool.models")

_ONE_AT_A_TIME = threading.Lock()
"""Held around all of openvino_genai (2026.4). Two threads in it can wait for each other for ever: one for something in
there, with Python's own lock held, which the other needs to go on. Seen where two took their first tokens out of it."""


def vocabulary_of(folder: Path) -> dict[bytes, int]:
    """The ids of all words of the tokenizer in `folder`; raises RuntimeError where OpenVINO cannot read it."""
    import openvino_genai

    with _ONE_AT_A_TIME:
        words: dict[bytes, int] = openvino_genai.Tokenizer(folder).get_vocab()
    return words


class Tokenizer:
    """The tokenizer of the model in `folder`; several threads may share it.

    Building one takes a third of a second (openvino_genai is imported then, not with this module); an `encode` or
    `decode` of a few hundred tokens takes a tenth of a millisecond.

    Raises:
        ModelDamaged: a tokenizer graph is missing or cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        for name in (TOKENIZER_FILE, DETOKENIZER_FILE):
            # openvino_genai takes an empty folder without a word and fails at the first prompt.
            if not (folder / name).is_file():
                raise ModelDamaged(str(folder / name), "it is missing")
        import openvino_genai

        try:
            # One thread: handing such short work to others takes five times as long as doing it.
            with _ONE_AT_A_TIME:
                self._graphs = openvino_genai.Tokenizer(folder, INFERENCE_NUM_THREADS=1)
        except RuntimeError as error:
            _log.debug("tokenizer of %s: %s", folder, error)
            raise ModelDamaged(str(folder / TOKENIZER_FILE), "OpenVINO cannot read the tokenizer's graphs") from error
        self.end_ids = frozenset(self._end_ids(folder / GENERATION_FILE))
        """Tokens that end an answer."""
        self.stops = () if self._graphs.chat_template else PLAIN_STOPS
        """Texts before which an answer ends: a model without a chat template would write the next question itself."""
        with _ONE_AT_A_TIME:
            self._control_start = _starts_of(self._control_texts())

    def encode_chat(self, messages: Sequence[ChatMessage]) -> list[int]:
        """Tokens of a conversation up to where the assistant speaks next, in the form the model was trained on.

        Where the last message is the assistant's, it has begun to speak, and goes on after its last token. A model
        without a chat template (a base model) gets the plain form "User: ...", "Assistant:", one paragraph a message. A
        message cannot contain control tokens: what looks like one is encoded as the characters it shows.

        Raises:
            RequestError: the template refuses the conversation, say because it knows no system messages.
        """
        *_, last = messages
        if last.role == "assistant":
            return self.encode_chat(messages[:-1]) + self.encode_content(last.content)
        shown = [{"role": message.role, "content": self._disarmed(message.content)} for message in messages]
        templated = bool(self._graphs.chat_template)
        # A template writes the start-of-text token itself; the plain form leaves it to the tokenizer.
        return self._in_parts(self._templated(shown) if templated else _plain(shown), add_special_tokens=not templated)

    def encode_content(self, text: str) -> list[int]:
        """Tokens of what somebody wrote, without any control token: what looks like one is encoded as it shows."""
        return self._in_parts(self._disarmed(text))

    def encode(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        """Tokens of `text`, in which the text of a control token becomes that token.

        `add_special_tokens` adds what the model expects around a text, such as start-of-text.
        """
        sound = text.encode("utf-8", "replace").decode()  # lone surrogates, from a command line that is not UTF-8
        with _ONE_AT_A_TIME:
            encoded = self._graphs.encode(sound, add_special_tokens=add_special_tokens)
            tokens: list[int] = encoded.input_ids.data.ravel().tolist()
        return tokens if len(tokens) < _LONG else self._uncut(sound, tokens)

    def decode(self, tokens: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        """Text of `tokens`; a token that the tokenizer does not know has none.

        Bytes that are no UTF-8 (a character whose other tokens are not there) are left out or shown as U+FFFD: that
        differs between tokenizers.
        """
        with _ONE_AT_A_TIME:
            text: str = self._graphs.decode(list(tokens), skip_special_tokens=skip_special_tokens)
        return text

    def decode_all(self, sequences: Sequence[Sequence[int]]) -> list[str]:
        """decode() of each; all of them take as long as one."""
        with _ONE_AT_A_TIME:
            texts: list[str] = self._graphs.decode([list(tokens) for tokens in sequences], skip_special_tokens=True)
        return texts

    def _end_ids(self, generation: Path) -> Iterable[int]:
        if (end := self._graphs.get_eos_token_id()) >= 0:
            yield end
        if not generation.is_file():
            return
        try:
            listed = msgspec.json.decode(generation.read_bytes(), type=_GenerationConfig).eos_token_id
        except (OSError, msgspec.DecodeError) as error:
            raise ModelDamaged(str(generation), str(error)) from error
        yield from listed if isinstance(listed, list) else [] if listed is None else [listed]

    def _control_texts(self) -> list[str]:
        """Texts of the control tokens: those that a decode can be told to skip."""
        tokens = [[token] for token in range(len(self._graphs.get_vocab()))]
        silent = [token for token, text in zip(tokens, self._graphs.decode(tokens), strict=True) if not text]
        if not silent:
            return []
        return [text for text in self._graphs.decode(silent, skip_special_tokens=False) if text]

    def _in_parts(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        """Tokens of a text that is parted where no control token may be seen."""
        first, *others = text.split(_BREAK)
        tokens = self.encode(first, add_special_tokens=add_special_tokens)
        for part in others:
            tokens += self.encode(part)
        return tokens

    def _disarmed(self, content: str) -> str:
        # openvino_genai has no way to encode a text without recognising control tokens. Encoded in two parts, none is
        # there to be recognised. (A control token of a single character would still be; no model is known to have one.)
        return self._control_start.sub(rf"\g<0>{_BREAK}", content) if self._control_start else content

    def _templated(self, messages: list[dict[str, str]]) -> str:
        try:
            with _ONE_AT_A_TIME:
                prompt: str = self._graphs.apply_chat_template(messages, add_generation_prompt=True)
        except RuntimeError as error:
            found = re.search(r"Minja's error: (.*?)(?: at row|\n)", str(error))
            reason = f": {found[1]}" if found else ""
            raise RequestError(
                f"The model's chat template refuses this conversation{reason}.",
                "Try it without a system message, or in a new conversation.",
            ) from error
        return prompt

    def _uncut(self, text: str, tokens: list[int]) -> list[int]:
        """All tokens of a long `text`, of which the graph gave `tokens`.

        A graph may hold a limit (8,192 in a GGUF conversion) beyond which it drops tokens silently and whatever it is
        asked; then the prompt would begin in the middle of a sentence. The two halves tell: their tokens are taken
        where the whole's do not begin and end like them, or are fewer.
        """
        space = text.find(" ", len(text) // 2)
        middle = space if space > 0 else len(text) // 2
        halves = self.encode(text[:middle]) + self.encode(text[middle:])
        begins, ends = tokens[:_EDGE] == halves[:_EDGE], tokens[-_EDGE:] == halves[-_EDGE:]
        return tokens if begins and ends and len(halves) <= len(tokens) + _EDGE else halves


class _GenerationConfig(msgspec.Struct):
    eos_token_id: int | list[int] | None = None


def _starts_of(texts: list[str]) -> re.Pattern[str] | None:
    """Matches the first character of each place where one of `texts` stands, overlapping ones too."""
    return re.compile(f"(?=(?:{'|'.join(map(re.escape, texts))})).", re.DOTALL) if texts else None


def _plain(messages: list[dict[str, str]]) -> str:
    """A model begins with the blank after "Assistant:"; when the answer comes back, it is not written twice."""
    turns = [f"{each['role'].capitalize()}: {each['content'].removeprefix(' ')}\n\n" for each in messages]
    return "".join(turns) + "Assistant:"
