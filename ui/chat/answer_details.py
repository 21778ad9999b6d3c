"""What is told of an answer on demand: how fast it came, how much was guessed right, by which model, and when."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from idlepool.ui.history.values import Figures, Message
from idlepool.ui.numbers import decimal, whole

translate = QCoreApplication.translate


def details(message: Message) -> str:
    """A line for each, what is not known left out."""
    lines = _figures(message.figures) if message.figures else []
    if message.model:
        lines.append(translate("AnswerDetails", "Model: {name}").format(name=message.model))
    asked = QDateTime.fromMSecsSinceEpoch(message.created_ms)
    when = QLocale().toString(asked, QLocale.FormatType.ShortFormat)
    lines.append(translate("AnswerDetails", "Asked: {when}").format(when=when))
    return "\n".join(lines)


def _figures(figures: Figures) -> list[str]:
    lines = []
    if figures.tokens_per_second:
        lines.append(translate("AnswerDetails", "{speed} tokens/s").format(speed=decimal(figures.tokens_per_second)))
    if figures.time_to_first_token_ms:
        lines.append(translate("AnswerDetails", "First word after {time}").format(time=_time(figures)))
    if figures.tokens:
        lines.append(
            translate("AnswerDetails", "{tokens} tokens, after {prompt} of the conversation").format(
                tokens=whole(figures.tokens), prompt=whole(figures.prompt_tokens)
            )
        )
    if figures.drafted:
        drafts = translate("AnswerDetails", "{accepted} of {drafted} guessed tokens were right")
        lines.append(drafts.format(accepted=whole(figures.accepted), drafted=whole(figures.drafted)))
    if figures.answered_by:
        lines.append(translate("AnswerDetails", "Answered by {pc}").format(pc=figures.answered_by))
    return lines


def _time(figures: Figures) -> str:
    milliseconds = figures.time_to_first_token_ms
    return f"{whole(round(milliseconds))} ms" if milliseconds < 1000 else f"{decimal(milliseconds / 1e3)} s"
