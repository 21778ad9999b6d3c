"""Models of the Hub, from a server on this PC that does what the Hub may do."""

from __future__ import annotations

import os

import pytest
from hub_server import COMMIT, REPOSITORY, HubServer, hub_with

from idlepool.engine.errors import FetchFailed, ModelError, NotAModel, StorageError
from idlepool.engine.models.add import add_model
from idlepool.engine.models.add_hub import add_from_hub
from idlepool.engine.models.hub import TRIES, Hub, HubFile, HubPlace
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.models.store import ModelStore

PLACE = HubPlace(REPOSITORY)
FIXED = HubPlace(REPOSITORY, COMMIT)


@pytest.fixture
def server(tiny_model, monkeypatch):
    with hub_with(tiny_model, monkeypatch) as server:
        server.files["README.md"] = b"not wanted"
        yield server


@pytest.fixture
def hub(server) -> Hub:
    return Hub(server.url, pause_s=0)


@pytest.fixture
def store(tmp_path) -> ModelStore:
    return ModelStore(tmp_path / "home")


def weights(server: HubServer) -> bytes:
    return server.files[WEIGHTS_FILE]


def asked_for_weights(server: HubServer) -> list[str]:
    return [byte_range for name, byte_range in server.asked if name == WEIGHTS_FILE]


def test_the_licence_is_told_before_anything_is_fetched(hub, server, store):
    told = []

    def refuse(licence):
        told.append(str(licence))
        raise KeyboardInterrupt  # as somebody who does not agree

    with pytest.raises(KeyboardInterrupt):
        add_from_hub(store, PLACE, hub=hub, announce=refuse)
    assert told == ["OpenVINO/tiny. Licence: apache-2.0."]
    assert server.asked == []
    assert not store.root.exists()


def test_a_model_is_added_and_nothing_else_is_fetched(hub, server, store):
    seen = []
    model = add_from_hub(store, PLACE, hub=hub, progress=lambda *step: seen.append(step))
    assert (model.name, model.licence, model.manifest.layers) == ("tiny", "apache-2.0", 4)
    store.verify("tiny")
    assert (model.folder / WEIGHTS_FILE).read_bytes() == weights(server)
    assert "README.md" not in {name for name, _ in server.asked}
    fetched = [step for step in seen if step[0] == "fetching"]
    assert fetched == sorted(fetched)
    assert fetched[-1][1] == fetched[-1][2]
    assert list((store.root / "downloads").iterdir()) == []


def test_the_same_commit_is_not_fetched_twice(hub, server, store):
    first = add_from_hub(store, PLACE, hub=hub)
    server.asked.clear()
    assert add_from_hub(store, FIXED, hub=hub) == first
    assert server.asked == []


def test_where_it_came_from_travels_with_it(hub, store):
    model = add_from_hub(store, PLACE, hub=hub)
    assert model.read_file("idlepool.json") == f'{{"source":"hf:{REPOSITORY}@{COMMIT}"}}'.encode()


def test_a_connection_that_breaks_is_gone_on_with(hub, server, store):
    server.cut_after = [100_000, 50_000, 0]
    add_from_hub(store, PLACE, hub=hub)
    store.verify("tiny")
    assert asked_for_weights(server) == ["", "bytes=100000-", "bytes=150000-", "bytes=150000-"]


def test_after_a_restart_it_goes_on_where_it_stopped(hub, server, store):
    server.cut_after = [100_000] + TRIES * [0]
    with pytest.raises(FetchFailed, match="the connection broke again and again; what came is kept"):
        add_from_hub(store, PLACE, hub=hub)
    assert store.list() == ()
    server.cut_after = []
    server.asked.clear()
    add_from_hub(ModelStore(store.root), PLACE, hub=hub)
    assert server.asked == [(WEIGHTS_FILE, "bytes=100000-")]
    store.verify("tiny")


def test_who_ends_it_while_it_is_checked_need_not_fetch_it_again(hub, server, store):
    def end_while_checking(step, done, total):
        if step == "checking":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_from_hub(store, PLACE, hub=hub, progress=end_while_checking)
    assert store.names() == ()
    server.asked.clear()
    add_from_hub(ModelStore(store.root), PLACE, hub=hub)
    assert server.asked == []
    store.verify("tiny")
    assert list((store.root / "downloads").iterdir()) == []


def test_what_came_and_is_no_model_does_not_stay_on_the_disk(hub, server, store):
    server.files["openvino_model.xml"] = b"<net/>"
    with pytest.raises(ModelError):
        add_from_hub(store, PLACE, hub=hub)
    assert list((store.root / "downloads").iterdir()) == []


def test_a_server_without_ranges_sends_it_from_the_start(hub, server, store):
    server.ranges = False
    server.cut_after = [100_000]
    add_from_hub(store, PLACE, hub=hub)
    store.verify("tiny")


@pytest.mark.parametrize("more", [1, 5000])
def test_a_file_of_another_length_is_refused(hub, server, store, more):
    server.lengthen = more
    with pytest.raises(FetchFailed, match=rf"{WEIGHTS_FILE} of hf:.* came with more bytes instead of"):
        add_from_hub(store, PLACE, hub=hub)
    server.lengthen = 0
    add_from_hub(store, PLACE, hub=hub)


@pytest.mark.parametrize("name", [WEIGHTS_FILE, "config.json"])
def test_other_bytes_are_refused_and_fetched_anew(hub, server, store, name):
    model, good = hub.look_up(PLACE), server.files[name]
    server.files[name] = bytes([good[0] ^ 1]) + good[1:]
    target = store.root / "file"
    store.root.mkdir()
    file = next(file for file in model.files if file.name == name)
    with pytest.raises(FetchFailed, match="not what the Hub says it is"):
        hub.fetch(model.place, file, target, on_bytes=lambda _: None)
    assert list(store.root.iterdir()) == []
    server.files[name] = good
    hub.fetch(model.place, file, target, on_bytes=lambda _: None)
    assert target.read_bytes() == good


@pytest.mark.parametrize(
    ("status", "code", "sentence"),
    [
        (404, "RepoNotFound", "the Hub has no such model, or it is private"),
        (401, "RepoNotFound", "the Hub has no such model, or it is private"),
        (404, "RevisionNotFound", "the Hub has no such file or revision"),
        (401, "GatedRepo", "its owner wants terms to be accepted first.*hf auth login"),
        (403, "GatedRepo", "its owner wants terms to be accepted first.*hf auth login"),
        (403, "", "access is denied"),
        (500, "", "the Hub answers with error 500"),
        (429, "", "the Hub answers with error 429"),
    ],
)
@pytest.mark.parametrize("where", ["", WEIGHTS_FILE])
def test_each_refusal_has_its_sentence(hub, server, store, status, code, sentence, where):
    server.status[where] = (status, code)
    with pytest.raises(FetchFailed, match=sentence):
        add_from_hub(store, PLACE, hub=hub)
    assert store.list() == ()


def test_a_file_that_is_gone_is_told(hub, server, tmp_path):
    with pytest.raises(FetchFailed, match="no such file"):
        hub.fetch(FIXED, HubFile("gone.bin", 5, "00" * 32), tmp_path / "x", on_bytes=lambda _: None)


def test_no_connection_is_told(store):
    with pytest.raises(FetchFailed, match="the Hub cannot be reached"):
        add_from_hub(store, PLACE, hub=Hub("http://127.0.0.1:9"))


def test_a_user_who_is_offline_on_purpose_is_told(hub, store, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: True)
    with pytest.raises(FetchFailed, match="HF_HUB_OFFLINE is set"):
        add_from_hub(store, PLACE, hub=hub)


def test_a_repository_without_an_openvino_model_is_refused_before_anything_large_comes(hub, server, store):
    del server.files["openvino_tokenizer.xml"]
    with pytest.raises(NotAModel, match=r"openvino_tokenizer\.xml missing in the repository"):
        add_from_hub(store, PLACE, hub=hub)
    assert server.asked == []


def test_too_little_room_is_told_before_anything_comes(hub, server, store, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000}))
    with pytest.raises(StorageError, match="are needed"):
        add_from_hub(store, PLACE, hub=hub)
    assert server.asked == []


def test_only_a_range_is_taken(hub, server):
    assert hub.read_range(FIXED, WEIGHTS_FILE, offset=1000, length=500) == weights(server)[1000:1500]
    assert asked_for_weights(server) == ["bytes=1000-1499"]


def test_a_range_of_a_server_that_has_none_is_refused(hub, server):
    server.ranges = False
    with pytest.raises(FetchFailed, match="gives only whole files"):
        hub.read_range(FIXED, WEIGHTS_FILE, offset=1000, length=500)
    assert hub.read_range(FIXED, WEIGHTS_FILE, offset=0, length=len(weights(server))) == weights(server)


def test_a_range_that_breaks_off_is_told(hub, server):
    server.cut_after = [100]
    with pytest.raises(FetchFailed, match="the connection broke"):
        hub.read_range(FIXED, WEIGHTS_FILE, offset=0, length=500)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("hf:OpenVINO/x-1.5B", HubPlace("OpenVINO/x-1.5B")),
        ("hf:a/b@main", HubPlace("a/b", "main")),
        (f"hf:a/b@{COMMIT}", HubPlace("a/b", COMMIT)),
        ("hf:a", None),
        ("hf:../b", None),
        ("hf:a/b/c", None),
        ("hf:a/..@x", None),
        ("hf:a/b@../x", None),
        ("hf:a/b?x=y", None),
        ("http://a/b", None),
        ("hf:a/b\n", None),
    ],
)
def test_places_are_read_strictly(text, place):
    assert HubPlace.read(text) == place
    assert place is None or str(place) == text


def test_what_is_no_place_on_the_hub_is_told_how_to_write_one(store):
    with pytest.raises(NotAModel, match="hf:OWNER/NAME"):
        add_model(store, "hf:nonsense")


@pytest.mark.skipif(os.name != "posix", reason="a file that is always full (Linux)")
def test_a_full_disk_is_told_as_such(hub, server, store, tmp_path):
    model = hub.look_up(PLACE)
    (tmp_path / "x.part").symlink_to("/dev/full")
    file = next(file for file in model.files if file.name == WEIGHTS_FILE)
    with pytest.raises(StorageError, match="No space left on device"):
        hub.fetch(model.place, file, tmp_path / "x", on_bytes=lambda _: None)


def test_a_try_that_goes_on_counts_from_what_lay_there(hub, server, store):
    """Else the first second would seem to bring all of it, and the time left would be nothing."""
    size = len(weights(server))
    server.cut_after = [size // 2] + TRIES * [0]
    with pytest.raises(FetchFailed):
        add_from_hub(store, PLACE, hub=hub)
    server.cut_after.clear()
    seen = []
    add_from_hub(store, PLACE, hub=hub, progress=lambda *step: seen.append(step))
    total = sum(len(data) for name, data in server.files.items() if name != "README.md")
    fetched = [done for step, done, _ in seen if step == "fetching"]
    assert fetched[0] == total - size + size // 2
    assert fetched == sorted(fetched)
    assert fetched[-1] == total


def test_the_check_of_what_came_is_told_too(hub, server, store):
    """Of a large model it takes minutes."""
    seen = []
    add_from_hub(store, PLACE, hub=hub, progress=lambda *step: seen.append(step))
    steps = [step for step, _, _ in seen]
    after = steps[steps.index("checking") :]
    assert "fetching" not in after
    size = len(weights(server))
    assert ("checking", size, size) in seen


def test_every_byte_is_asked_for_before_it_is_kept(hub, server, store):
    asked = []
    add_from_hub(store, PLACE, hub=hub, take=asked.append)
    assert sum(asked) == sum(len(data) for name, data in server.files.items() if name != "README.md")


def test_a_name_that_another_model_has_is_numbered_before_anything_comes(hub, store, tiny_model):
    store.add_folder(tiny_model, name="Tiny")
    assert add_from_hub(store, PLACE, hub=hub).name == "tiny-2"
    assert add_from_hub(store, PLACE, hub=hub).name == "tiny-2"
