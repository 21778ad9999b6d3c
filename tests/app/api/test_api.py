"""The API as a program meets it: over HTTP, at a node of its own process; with the starter model for real answers."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from owned_node import Owner, owned_node

from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import NodePreferencesChanged, PipelineStats, WantStats
from idlepool.engine.net.sockets import free_port
from idlepool.engine.node_preferences import NodePreferences
from idlepool.engine.pool.node_preferences_file import write_node_preferences

HELLO = [{"role": "user", "content": "Say hello."}]
STORY = [{"role": "user", "content": "Tell a long story about a lighthouse and its keeper."}]
PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = self.json["error"]
        return error

    @property
    def events(self) -> list[str]:
        """The data of each server-sent event."""
        return [line.removeprefix("data: ") for line in self.body.splitlines() if line.startswith("data: ")]

    @property
    def chunks(self) -> list[dict[str, Any]]:
        assert self.events[-1] == "[DONE]"
        return [json.loads(data) for data in self.events[:-1]]


@dataclass(frozen=True, slots=True)
class Api:
    port: int
    key: str
    node: NodeClient

    def connect(self, host: str = "127.0.0.1") -> http.client.HTTPConnection:
        return http.client.HTTPConnection(host, self.port, timeout=PATIENCE_S)

    def request(
        self, method: str, path: str, body: object = None, *, via: str = "127.0.0.1", **headers: str | None
    ) -> Reply:
        sent = {"Authorization": f"Bearer {self.key}"} | {name.title(): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body)
        connection = self.connect(via)
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value is not None})
            response = connection.getresponse()
            text = response.read().decode()
            return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
        finally:
            connection.close()

    def get(self, path: str, **headers: Any) -> Reply:
        return self.request("GET", path, **headers)

    def chat(self, messages: object = HELLO, *, model: str = "starter", **settings: Any) -> Reply:
        return self.request("POST", "/v1/chat/completions", {"model": model, "messages": messages} | settings)


@contextmanager
def served(home: Path) -> Iterator[Api]:
    """A node whose owner has switched the API on."""
    port = free_port()
    write_node_preferences(home, NodePreferences(api_on=True, api_port=port))
    Owner(home / "idle").goes()
    options = ["--control", "--name", "north", "--home", str(home), "--port", "0", "--key-file", "--lend", "always"]
    with NodeClient(owned_node(home / "idle", *options, "--listen", "127.0.0.1")) as node:
        state = next_of(node, NodePreferencesChanged)
        assert state.api_address == f"http://127.0.0.1:{port}/v1", state.api_problem
        yield Api(port, state.api_key, node)


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """Of a node without models."""
    with served(tmp_path_factory.mktemp("node")) as api:
        yield api


@pytest.fixture(scope="module")
def starter(starter_home: Path) -> Iterator[Api]:
    """Of a node with the starter model."""
    with served(starter_home) as api:
        yield api


def test_models_are_none_where_there_are_none(api: Api) -> None:
    assert api.get("/v1/models").json == {"object": "list", "data": []}


def test_it_listens_on_both_loopback_addresses_and_no_other(api: Api) -> None:
    for host in ("127.0.0.1", "::1"):
        assert api.get("/v1/models", via=host).status == 200
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only chooses its address
        own = probe.getsockname()[0]
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):
        api.connect(own).connect()


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer wrong", "Basic {key}", "Bearer {key}x"])
def test_nobody_is_answered_without_the_key(api: Api, authorization: str | None) -> None:
    sent = None if authorization is None else authorization.format(key=api.key)
    reply = api.get("/v1/models", authorization=sent)
    assert (reply.status, reply.error["code"]) == (401, "invalid_api_key")
    assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "attacker.example"},
        {"host": "attacker.example:80"},
        {"host": "127.0.0.1.attacker.example"},
        {"origin": "https://attacker.example"},
        {"origin": "null"},
        {"origin": "http://localhost.attacker.example"},
    ],
)
def test_web_pages_are_not_answered_even_with_the_key(api: Api, headers: dict[str, str]) -> None:
    reply = api.get("/v1/models", **headers)
    assert (reply.status, reply.error["code"]) == (403, "forbidden")


def test_no_answer_lets_a_web_page_read_it(api: Api) -> None:
    asked = api.request("OPTIONS", "/v1/models", origin="http://localhost:3000")
    assert asked.status in (401, 403, 405)
    read = api.get("/v1/models", origin="http://localhost:3000")
    assert read.status == 200
    for reply in (asked, read):
        assert not [name for name in reply.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/v1/embeddings", 404),
    ],
)
def test_what_is_not_there_is_told(api: Api, method: str, path: str, status: int) -> None:
    reply = api.request(method, path)
    assert (reply.status, reply.error["code"]) == (status, "unknown_url")


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("GET", "/v1/chat/completions", "POST"), ("PUT", "/v1/models", "GET")]
)
def test_another_method_is_told_which_one_it_is(api: Api, method: str, path: str, allowed: str) -> None:
    reply = api.request(method, path)
    assert (reply.status, reply.headers["allow"]) == (405, allowed)
    assert reply.error["message"] == f"{path} is for {allowed}. Send the request with {allowed}."


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"\xff\xfe",
        b"[" * 100_000,
        b"{}",
        b'{"model": "starter", "messages": []}',
        b'{"model": "starter", "messages": [{"role": "judge", "content": "x"}]}',
        b'{"model": "starter", "messages": [{"role": "user", "content": [{"text": "of no kind"}]}]}',
        b'{"model": 7, "messages": [{"role": "user", "content": "x"}]}',
        b'{"model": "starter", "messages": [{"role": "user", "content": "x"}], "max_tokens": 1' + b"0" * 40 + b"}",
    ],
)
def test_a_body_that_means_nothing_is_refused_with_a_sentence(api: Api, body: bytes) -> None:
    reply = api.request("POST", "/v1/chat/completions", body)
    assert (reply.status, reply.error["type"]) == (400, "invalid_request_error")
    assert reply.error["message"].startswith("The request cannot be read")


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"logit_bias": {"word": 1}}, "logit_bias"),
        ({"messages": [*HELLO, {"role": "tool", "content": "4", "tool_call_id": "1"}]}, "tools"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]}, "messages"),
        ({"messages": [{"role": "system", "content": "Be short."}]}, "messages"),
    ],
)
def test_what_it_has_not_is_refused_by_name(api: Api, settings: dict[str, Any], names: str) -> None:
    reply = api.chat(**settings)
    assert (reply.status, reply.error["param"]) == (400, names)
    assert "cannot be read" not in reply.error["message"]


@pytest.mark.parametrize("settings", [{"temperature": -1}, {"top_p": 0}, {"presence_penalty": 3}])
def test_a_setting_that_means_nothing_is_refused_with_the_rule(api: Api, settings: dict[str, Any]) -> None:
    reply = api.chat(**settings)
    assert (reply.status, reply.error["code"]) == (400, "invalid_value")
    assert "It must be" in reply.error["message"]


def test_a_model_that_nobody_has_is_told_with_what_there_is(api: Api) -> None:
    reply = api.chat(model="gigantic")
    assert (reply.status, reply.error["code"], reply.error["param"]) == (404, "model_not_found", "model")
    assert "There is no model called “gigantic”." in reply.error["message"]


def test_a_body_without_end_is_not_read_to_its_end(api: Api) -> None:
    reply = api.request("POST", "/v1/chat/completions", b" " * (9 * 2**20))
    assert (reply.status, reply.error["code"]) == (413, "request_too_large")


@pytest.mark.model
def test_an_answer_of_one_piece_has_text_reason_and_numbers(starter: Api) -> None:
    assert [model["id"] for model in starter.get("/v1/models").json["data"]] == ["starter"]
    assert starter.get("/v1/models/STARTER").json["object"] == "model"
    parts = [{"role": "user", "content": [{"type": "text", "text": "Say hello."}]}]
    reply = starter.chat(parts, temperature=0, max_tokens=8)
    assert reply.status == 200, reply.body
    choice, usage = reply.json["choices"][0], reply.json["usage"]
    assert choice["message"]["role"] == "assistant"
    assert choice["message"]["content"]
    assert choice["finish_reason"] in ("stop", "length")
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 8
    assert starter.chat(temperature=0, max_tokens=8).json["choices"] == reply.json["choices"]


@pytest.mark.model
def test_a_stream_says_the_same_chunk_by_chunk(starter: Api) -> None:
    whole = starter.chat(STORY, temperature=0.8, seed=5, max_tokens=24).json
    options = {"stream": True, "stream_options": {"include_usage": True}}
    reply = starter.chat(STORY, temperature=0.8, seed=5, max_completion_tokens=24, **options)
    assert reply.headers["content-type"] == "text/event-stream"
    *chunks, numbers = reply.chunks
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)
    assert text == whole["choices"][0]["message"]["content"]
    assert len(chunks) > 3
    assert chunks[-1]["choices"][0]["finish_reason"] == whole["choices"][0]["finish_reason"]
    assert (numbers["choices"], numbers["usage"]) == ([], whole["usage"])
    assert len({chunk["id"] for chunk in reply.chunks}) == 1


@pytest.mark.model
def test_an_answer_ends_before_a_stop_text(starter: Api) -> None:
    whole = starter.chat(STORY, temperature=0, max_tokens=24).json["choices"][0]["message"]["content"]
    word = whole.split()[3]
    stopped = starter.chat(STORY, temperature=0, max_tokens=24, stop=word).json["choices"][0]
    assert (stopped["message"]["content"], stopped["finish_reason"]) == (whole[: whole.index(word)], "stop")


@pytest.mark.model
def test_a_conversation_that_is_too_long_is_refused_before_anything_is_sent(starter: Api) -> None:
    reply = starter.chat([{"role": "user", "content": "word " * 20_000}], stream=True)
    assert (reply.status, reply.error["code"]) == (400, "context_length_exceeded")
    assert "tokens and the model holds" in reply.error["message"]


@pytest.mark.model
@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_ends_with_the_program_that_asked(starter: Api, stream: bool) -> None:
    body = {"model": "starter", "messages": STORY, "max_tokens": 6000, "stream": stream, "logit_bias": {"2": -100}}
    starter.chat(max_tokens=1)  # the pipeline runs from now on
    before = tokens_of(starter)
    connection = starter.connect()
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Authorization": f"Bearer {starter.key}"})
    wait_until(lambda: tokens_of(starter) > before + 5)
    connection.close()
    wait_until(lambda: stands_still(starter))
    assert tokens_of(starter) < before + 6000


@pytest.mark.model
@pytest.mark.parametrize("stream", [True, False])
def test_a_question_that_the_model_cannot_take_is_refused_so_that_nobody_asks_again(starter: Api, stream: bool) -> None:
    reply = starter.chat(logit_bias={"999999": 1}, stream=stream)
    assert (reply.status, reply.error["type"]) == (400, "invalid_request_error")
    assert "names token 999999" in reply.error["message"]


@pytest.mark.model
def test_a_seed_may_be_negative_as_there(starter: Api) -> None:
    one, again = (starter.chat(STORY, temperature=1, seed=-7, max_tokens=8).json["choices"] for _ in range(2))
    assert one == again


def tokens_of(api: Api) -> int:
    """Given out by the pipeline so far."""
    api.node.send(WantStats("starter"))
    return next_of(api.node, PipelineStats).tokens


def stands_still(api: Api) -> bool:
    before = tokens_of(api)
    time.sleep(1)
    return tokens_of(api) == before


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
