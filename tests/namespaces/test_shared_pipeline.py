"""Two people on two PCs are answered by one pipeline of a third: what one of them does, the other does not notice."""

from __future__ import annotations

import pytest
from played_network import why_not
from played_office import played_office

from idlepool.engine.events import Stop

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here"),
]

STORY = "Tell me a long story about a lighthouse."
STORY_TOKENS = 400
SEA = "Tell me about the sea."


def test_one_cancels_and_goes_away_and_the_other_does_not_notice(tmp_path, starter_store):
    with played_office(tmp_path, pcs=3, stages=2) as office:
        office.make_whole()
        head, stays, leaves = office.nodes
        undisturbed = stays.answer(stays.ask(STORY, max_tokens=STORY_TOKENS))
        loads = len(head.pipeline_changes)

        story = stays.answers[stays.ask(STORY, max_tokens=STORY_TOKENS)]
        stays.until(lambda: story.tokens)

        cancelled = leaves.ask(SEA, max_tokens=STORY_TOKENS)
        leaves.until(lambda: leaves.answers[cancelled].tokens > 4)
        leaves.send(Stop(cancelled))
        assert leaves.answer(cancelled).done.finish == "cancelled"
        before = story.tokens
        stays.until(lambda: story.tokens > before)

        unfinished = leaves.answers[leaves.ask(SEA, max_tokens=STORY_TOKENS)]
        leaves.until(lambda: unfinished.tokens > 4)
        leaves.kill()
        assert story.done is None, "it was over before the other PC went"
        head.until_here(2)
        stays.until(lambda: story.done)

        assert (story.started.answered_by, unfinished.started.answered_by) == ("pc-1", "pc-1")
        assert story.pauses == []
        assert story.done.token_ids == undisturbed.done.token_ids
        assert story.text == undisturbed.text
        assert len(head.pipeline_changes) == loads, "both were answered by the pipeline that was there"
