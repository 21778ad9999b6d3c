"""Control messages: what no PC could mean is refused where it comes in, before anything counts or divides by it."""

from __future__ import annotations

import pytest

from idlepool.engine.errors import MessageError
from idlepool.engine.net.messages import PrepareStage, StageReady, decode_message

READY = (
    b'{"type":"stage_ready","session":1,"pid":1,"device":"CPU","bytes_on_disk":1,"bytes_needed":1,"bytes_of_model":1'
)
PLACE = b'{"node":"n","host":"h","port":%d}'
PREPARE = (
    b'{"type":"prepare_stage","session":1,"model":"m","first":0,"last":2,"device":"CPU","wire":"f32","source":null,'
    b'"next":null,"head":%s}'
)


@pytest.mark.parametrize(
    "more",
    [
        b',"bytes_of_model":-1',
        b',"bytes_of_model":1' + b"0" * 5000,
        b',"cache_tokens":-5',
        b',"block_tokens":0',
        b',"max_sequences":-1',
        b',"step_ms":-1',
        b',"step_ms":1e999',
    ],
)
def test_a_stage_of_impossible_size_is_refused(more: bytes) -> None:
    assert isinstance(decode_message(READY + b"}"), StageReady)
    with pytest.raises(MessageError, match="does not decode"):
        decode_message(READY + more + b"}")


@pytest.mark.parametrize("port", [-1, 70_000, 10**30])
def test_a_place_has_a_port(port: int) -> None:
    assert isinstance(decode_message(PREPARE % (PLACE % 9)), PrepareStage)
    with pytest.raises(MessageError, match=r"head\.port"):
        decode_message(PREPARE % (PLACE % port))
