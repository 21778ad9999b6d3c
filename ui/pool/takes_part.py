"""Who takes part in a conversation, and what each of these PCs could read of it, in plain words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from idlepool.ui.pool.chain import ChainPicture
from idlepool.ui.theme import styled


class TakesPart(QFrame):
    """A paragraph for each PC, or for those that are alike."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "card")
        self.words = QLabel(wordWrap=True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.addWidget(self.words)

    def show_chain(self, picture: ChainPicture, headed_by: str) -> None:
        """Say it for a chat with this model; `headed_by`: the PC that answers about it instead of this one."""
        self.words.setText("\n\n".join(_who_reads(picture, headed_by)))


def _who_reads(picture: ChainPicture, headed_by: str) -> list[str]:
    if headed_by:
        return [
            _tr("{name} answers about this model: it gets what you write as it is, and reads it.").format(
                name=headed_by
            ),
            _tr(
                "It spreads the layers over PCs of the pool; which ones is shown there. Each of them could reconstruct"
                " the conversation from what passes through it."
            ),
        ]
    if not picture.pcs:
        return [_tr("Nobody yet: it is not known which PCs would run this model.")]
    others = [pc.name for pc in picture.pcs if not pc.here]
    if not others:
        return [_tr("Only this PC. Nothing that you write or read in a conversation with this model leaves it.")]
    return [
        _tr("This PC reads everything: here your words go in, and here the answer comes out as text."),
        _others(others),
        _tr(
            "On the way between the PCs all of it is encrypted. A PC that holds no layers of this model gets nothing of"
            " the conversation."
        ),
    ]


def _others(names: list[str]) -> str:
    if len(names) == 1:
        return _tr(
            "{name} runs some of the layers. What passes through it is enough to reconstruct what you write and what is"
            " answered: whoever controls that PC could read this conversation."
        ).format(name=names[0])
    listed = _tr("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])
    return _tr(
        "{names} run some of the layers. What passes through each of them is enough to reconstruct what you write and"
        " what is answered: whoever controls one of these PCs could read this conversation."
    ).format(names=listed)


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakesPart", text)
