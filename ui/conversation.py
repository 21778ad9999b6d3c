"""A conversation as the window holds it: questions with their answers, and what the model is told of them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from idlepool.engine.events import Ask, ChatMessage, Overflow, chat_sampling


@dataclass(slots=True)
class Turn:
    """A question and as much of its answer as came."""

    question: str
    answer: str = ""


class Conversation:
    """The turns of one conversation, oldest first. `id` names it towards the node."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self.turns: list[Turn] = []

    def ask(self, question: str) -> None:
        """Begin a turn."""
        self.turns.append(Turn(question))

    def extend_answer(self, text: str) -> None:
        """Append to the answer of the last turn."""
        self.turns[-1].answer += text

    def retry(self) -> None:
        """Forget the answer of the last turn: the question is asked anew."""
        self.turns[-1].answer = ""

    def question(self, request: int, *, model: str, overflow: Overflow) -> Ask:
        """What the node is told: answer the last turn."""
        # The seed is drawn for variety: nobody counts on getting the same answer again.
        sampling = chat_sampling()
        return Ask(request, self.id, model, self.messages(), sampling, reproducible=False, overflow=overflow)

    def messages(self) -> tuple[ChatMessage, ...]:
        """What the model is told, ending with the question that has no answer yet.

        Questions that got no word of an answer are joined with the next one: many chat templates refuse two messages
        of the same role in a row.
        """
        messages: list[ChatMessage] = []
        waiting: list[str] = []
        for turn in self.turns:
            waiting.append(turn.question)
            if turn.answer:
                messages.append(ChatMessage("user", "\n\n".join(waiting)))
                messages.append(ChatMessage("assistant", turn.answer))
                waiting.clear()
        if waiting:
            messages.append(ChatMessage("user", "\n\n".join(waiting)))
        return tuple(messages)
