"""The starter model in static form, spread over two stages: the words of the published model."""

import numpy as np
import openvino as ov
import pytest
from published import EXACT, Published

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.load import ShardRequest, load_static
from idlepool.engine.backends.ring import Ring
from idlepool.engine.backends.static import StaticSizes
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

pytestmark = pytest.mark.model

STEPS = 32
SIZES = StaticSizes(users=2, ring=Ring(slots=128), decode=4, prefill=32)


def test_it_says_what_the_published_model_says(starter_store: ModelStore) -> None:
    folder = starter_store.get("starter").graph.parent
    core = ov.Core()
    core.set_property("CPU", {"DYNAMIC_QUANTIZATION_GROUP_SIZE": EXACT["DYNAMIC_QUANTIZATION_GROUP_SIZE"]})
    stages = [
        load_static(core, ShardRequest(folder, span, "CPU", ElementType.F32), sizes=SIZES)
        for span in (Span(0, 13), Span(13, 30))
    ]
    prompt = Tokenizer(folder).encode("The capital of Japan is Tokyo. The capital of France is")
    published = Published(folder)
    ids = np.array(prompt, np.int32)
    start = 0
    while start < len(prompt) + STEPS:
        expected = published.logits(ids)[-1]
        rows = ids
        for stage in stages:
            output = stage.run(Batch((Segment(1, start, len(ids), sample=1),), rows))
            rows = output.hidden
        logits = output.logits[0]
        assert np.abs(logits - expected).max() <= 1e-5 * np.abs(expected).max()
        assert logits.argmax() == expected.argmax()
        start += len(ids)
        ids = np.array([expected.argmax()], np.int32)
