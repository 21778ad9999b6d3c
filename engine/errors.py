"""Every error a user or a peer can meet. The sentence that is shown lives here, with the error's fields.

IdlepoolError                 sentence: what happened; hint: what to do
├── ModelError
│   ├── UnknownModel          no model of that name here
│   ├── NotAModel             a folder or file that is no OpenVINO language model
│   ├── ModelCannotBeCut      no place in the graph where layers can be parted
│   ├── NoStaticForm          layers that no graph of fixed shapes can express
│   ├── ModelDamaged          truncated, changed, or with the wrong SHA-256
│   ├── ModelIncomplete       weights that a span needs are not here
│   ├── NameRefused           what a model cannot be called
│   ├── ConversionFailed      a source that cannot be converted
│   ├── ConverterMissing      what makes a model of that kind is not installed
│   ├── ConversionUnfaithful  a converted weight differs from its source
│   ├── FetchFailed           a download that did not work
│   └── DraftRefused          a draft model that does not fit the model it should draft for
├── StorageError              disk full, read-only, no permission
├── RequestError
│   ├── PromptTooLong         the prompt does not fit the model's context
│   └── QueueFull             too many questions wait already
├── ProtocolError             a peer sent what the protocol does not allow
│   ├── FrameError
│   └── MessageError
├── LinkError
│   ├── PeerUnreachable       nobody answers there
│   └── PeerRefused           somebody answers and says no, with the reason
└── PoolError
    ├── PortInUse
    ├── NoRoom                too few PCs or too many for this model
    ├── PeerLost              a PC went away while it was needed
    ├── HeadLost              a PC went away while it answered
    ├── StageLeft             a PC stopped lending while it was needed
    ├── StageFailed           a stage could not load or run its layers
    │   └── StageEnded        its process ended by itself
    └── NoDevice              no device of a PC took the layers
"""

from __future__ import annotations


class IdlepoolError(Exception):
    """Root of all errors that are told to a user: a sentence that says what happened, and a hint what to do."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        self.sentence = sentence
        self.hint = hint
        super().__init__(sentence)

    def __str__(self) -> str:
        return f"{self.sentence} {self.hint}".strip()


class ModelError(IdlepoolError):
    """Something about a model."""


class UnknownModel(ModelError):
    """No model of that name is here."""

    def __init__(self, name: str, known: tuple[str, ...] = ()) -> None:
        self.name = name
        here = f"Models here: {', '.join(known)}." if known else "No model is here yet."
        super().__init__(f"There is no model called “{name}”.", f"{here} Add one with: idlepool models add starter")


class NotAModel(ModelError):
    """A path that holds no OpenVINO language model; `reason` says what is missing."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} is no OpenVINO language model: {reason}.",
            "A model folder holds openvino_model.xml, openvino_model.bin and the two tokenizer graphs.",
        )


class ModelCannotBeCut(ModelError):
    """The graph has no tensor between layers through which every path runs; `reason` says what would cross."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"This model cannot be spread over several PCs: {reason}.")


class NoStaticForm(ModelError):
    """The layers cannot become a graph of fixed shapes, which is all that an NPU compiles; `reason` says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"These layers cannot run on an NPU: {reason}.", "Use the GPU or the CPU for them.")


class ModelDamaged(ModelError):
    """A file of a model is truncated or changed."""

    def __init__(self, file: str, reason: str) -> None:
        self.file, self.reason = file, reason
        super().__init__(f"{file} is damaged: {reason}.", "Remove the model and add it again.")


class ModelIncomplete(ModelError):
    """Bytes that are needed are not here and nobody gave them; `reasons` says for each who was asked why not."""

    def __init__(self, name: str, missing_bytes: int, reasons: tuple[str, ...] = ()) -> None:
        self.name, self.missing_bytes, self.reasons = name, missing_bytes, reasons
        asked = "; ".join(reasons) or "no PC in reach has them"
        missing = (
            f"{missing_bytes / 1e6:.1f} MB of “{name}” are missing here" if missing_bytes else f"“{name}” is not here"
        )
        super().__init__(
            f"{missing}: {asked}.",
            "What came is kept; try again when a PC with the model is there.",
        )


class NameRefused(ModelError):
    """A model cannot be called that; `reason` says why."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"A model cannot be called “{name}”: {reason}.", "Choose another name.")


class ConversionFailed(ModelError):
    """A source cannot be converted; `reason` says what stands in the way."""

    def __init__(self, source: str, reason: str) -> None:
        self.source, self.reason = source, reason
        super().__init__(f"{source} cannot be converted: {reason}.")


class ConverterMissing(ModelError):
    """A model is made through PyTorch, and that is not installed."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(
            f"{what} is made with PyTorch and optimum-intel, which are not installed here.",
            'Install them (several GB) with: pip install "idlepool[convert]"',
        )


class ConversionUnfaithful(ModelError):
    """A converted weight is further from its source than allowed (relative Frobenius error)."""

    def __init__(self, tensor: str, error: float, limit: float) -> None:
        self.tensor, self.error, self.limit = tensor, error, limit
        super().__init__(
            f"The conversion changed {tensor} by {error:.1%} (at most {limit:.0%} is allowed); it was thrown away."
        )


class FetchFailed(ModelError):
    """A model could not be downloaded; `reason` is what the downloader said."""

    def __init__(self, what: str, reason: str, hint: str = "Check the connection and try again.") -> None:
        self.what, self.reason = what, reason
        super().__init__(f"{what} could not be fetched: {reason}.", hint)


class DraftRefused(ModelError):
    """A draft model cannot be used for a model; `reason` says what differs."""

    def __init__(self, draft: str, reason: str) -> None:
        self.draft, self.reason = draft, reason
        super().__init__(
            f"“{draft}” cannot draft for this model: {reason}.",
            "Choose a draft made for it, or none: its own text is looked through for guesses then.",
        )


class StorageError(IdlepoolError):
    """The disk is full, read-only or not ours to write."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} could not be written: {reason}.", "Free some space there, or allow Idlepool to write there."
        )


class RequestError(IdlepoolError):
    """A request that cannot be served as it is."""


class PromptTooLong(RequestError):
    """The prompt has more tokens than the model's context holds."""

    def __init__(self, tokens: int, context: int) -> None:
        self.tokens, self.context = tokens, context
        super().__init__(
            f"The conversation has {tokens:,} tokens and the model holds {context:,}.",
            "Shorten the message or start a new conversation.",
        )


class QueueFull(RequestError):
    """More questions wait than are taken."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        super().__init__(f"{waiting} questions are waiting to be answered already.", "Ask again in a moment.")


class ProtocolError(IdlepoolError):
    """A peer sent what the protocol does not allow; the link to it is closed."""


class FrameError(ProtocolError):
    """A binary frame that is malformed, too large, or not what was agreed."""


class MessageError(ProtocolError):
    """A control message that does not decode."""


class LinkError(IdlepoolError):
    """No link to a peer."""


class PeerUnreachable(LinkError):
    """Nobody answers at an address."""

    def __init__(self, address: str, reason: str) -> None:
        self.address, self.reason = address, reason
        super().__init__(f"Nobody answers at {address}: {reason}.", "Is Idlepool running there?")


class PeerRefused(LinkError):
    """A peer answered and refused the link; `reason` is its sentence, and the hint is its own too."""

    def __init__(self, address: str, reason: str, hint: str = "") -> None:
        self.address, self.reason = address, reason
        super().__init__(f"{address} refused the link: {reason}", hint)


class OtherVersion(PeerRefused):
    """A peer speaks another version of the protocol; the reason names both."""


class PoolError(IdlepoolError):
    """The pool cannot do what was asked."""


class PortInUse(PoolError):
    """Another program listens on the port."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__(f"Port {port} is used by another program.", "Choose another one with --port, or 0 for any.")


class NoRoom(PoolError):
    """The layers cannot be spread as asked."""


class PeerLost(PoolError):
    """A PC that hosted layers `[first, last)` went away while it was needed."""

    def __init__(self, name: str, first: int, last: int) -> None:
        self.name, self.first, self.last = name, first, last
        super().__init__(f"{name}, which held layers {first} to {last - 1}, is gone.")


class HeadLost(PoolError):
    """A PC that answered a question, as the head of its model's pipeline, went away."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name}, which answered this, is gone.", "This PC or another one can go on with it.")


class StageLeft(PoolError):
    """A PC that hosted a stage stopped lending; `reason` is its own."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"{name} stopped lending: {reason}")


class StageFailed(PoolError):
    """A stage could not load or run its layers."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"{name} could not run its layers: {reason}")


class StageEnded(StageFailed):
    """A stage's process ended by itself: a driver may have taken it down."""


class NoDevice(PoolError):
    """No device of this PC took the layers; `reasons` says for each that was tried why not."""

    def __init__(self, layers: str, reasons: tuple[str, ...]) -> None:
        self.layers, self.reasons = layers, reasons
        tried = "; ".join(reasons) or "every device is forbidden"
        super().__init__(f"No device here could take the layers {layers}: {tried}.")
