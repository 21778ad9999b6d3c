"""How questions are asked at the command line: what `chat` and `demo` were told of sampling, stops and limits."""

from __future__ import annotations

import argparse
import itertools
import secrets
from dataclasses import dataclass

import msgspec

from idlepool.engine.decode.sampler import check_sampling
from idlepool.engine.events import Ask, ChatMessage, Overflow, Sampling

_requests = itertools.count(1)


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """The same for every question of a conversation."""

    sampling: Sampling
    max_tokens: int
    stop: tuple[str, ...] = ()
    overflow: Overflow = "reject"
    seed_given: bool = True
    """Else each question draws one, and its answer need not be the same again."""

    def ask(self, conversation: str, model: str, messages: tuple[ChatMessage, ...]) -> Ask:
        """The question for the node; each has a number of its own."""
        sampling = self.sampling
        if not self.seed_given:
            sampling = msgspec.structs.replace(sampling, seed=secrets.randbits(53))
        return Ask(
            next(_requests),
            conversation,
            model,
            messages,
            sampling,
            self.max_tokens,
            self.stop,
            reproducible=self.seed_given or sampling.temperature == 0,
            overflow=self.overflow,
        )


def options_of(arguments: argparse.Namespace) -> AnswerOptions:
    """What was typed.

    Raises:
        RequestError: a setting has a value without meaning.
    """
    sampling = Sampling(
        temperature=arguments.temperature,
        top_k=arguments.top_k,
        top_p=arguments.top_p,
        seed=arguments.seed or 0,
        min_p=arguments.min_p,
        repetition_penalty=arguments.repetition_penalty,
        presence_penalty=arguments.presence_penalty,
        frequency_penalty=arguments.frequency_penalty,
        logprobs=arguments.logprobs,
    )
    check_sampling(sampling)
    return AnswerOptions(
        sampling, arguments.max_tokens, tuple(arguments.stop), arguments.overflow, arguments.seed is not None
    )
