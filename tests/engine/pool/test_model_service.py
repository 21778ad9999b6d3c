"""What somebody who looks after the models of a PC asks of a real node."""

from __future__ import annotations

import json

import pytest
import pytest_asyncio
from hub_server import COMMIT, REPOSITORY
from played_pool import MODEL, until

from idlepool.engine.events import Sampling
from idlepool.engine.model_events import (
    CatalogueTold,
    HubFound,
    MendModel,
    ModelChecked,
    ModelChecking,
    ModelDetails,
    ModelMended,
    ModelRefused,
    ModelRemoved,
    RemoveModel,
    RenameModel,
    SearchHub,
    StopVerifying,
    VerifyModel,
    WantModels,
)
from idlepool.engine.models.add_hub import add_from_hub
from idlepool.engine.models.hub import Hub, HubPlace
from idlepool.engine.models.manifest import SETTINGS_FILE, WEIGHTS_FILE
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.model_adder import ModelAdder
from idlepool.engine.pool.model_service import ModelService, ModelServices
from idlepool.engine.pool.model_use import ModelUse

NAME = "tiny"
LENT = 12_000_000_000


class Asker:
    """A client of a node."""

    def __init__(self, node, root):
        self.events = []
        self.changes = 0
        self.store = ModelStore(root)
        self.node = node
        use = ModelUse(node.pipelines, node.lender.hosting, node.tokenizers, name_of=node.membership.name_of)
        adder = ModelAdder(root, self.events.append, on_added=self._on_change)
        self.service = ModelService(
            ModelServices(self.store, node.models, adder, use, self._on_change, lambda: LENT), self.events.append
        )

    def _on_change(self):
        self.changes += 1

    async def ask(self, command, *kinds):
        """The next event of one of these kinds that follows a command."""
        seen = len(self.events)
        self.service.obey(command)
        return await until(lambda: next((event for event in self.events[seen:] if isinstance(event, kinds)), None))


@pytest_asyncio.fixture
async def asker(pool):
    asker = Asker(await pool.start("here"), pool.home("here"))
    yield asker
    await asker.service.close()


@pytest_asyncio.fixture
async def fetched(asker, server):
    """One with a model of the Hub, in its own folder."""
    add_from_hub(asker.store, HubPlace(REPOSITORY), hub=Hub())
    await asker.node.models.look()
    return asker


def damage(asker, *offsets):
    """Change a byte of the weights at each of these places."""
    with (asker.store.get(NAME).folder / WEIGHTS_FILE).open("r+b") as file:
        for offset in offsets:
            file.seek(offset)
            byte = file.read(1)
            file.seek(offset)
            file.write(bytes([byte[0] ^ 1]))


async def test_what_is_here_is_told_with_where_it_is_and_where_it_came_from(fetched, model):
    fetched.store.add_folder(model, name="mine")
    details = await fetched.ask(WantModels(), ModelDetails)
    mine, tiny = details.models
    assert (tiny.name, tiny.layers, tiny.context, tiny.licence) == (NAME, 4, 512, "apache-2.0")
    assert (tiny.own, tiny.removable, tiny.source) == (True, True, f"hf:{REPOSITORY}@{COMMIT}")
    assert (mine.own, mine.folder, mine.problem, mine.source) == (False, str(model), "", "")
    assert details.free_bytes > 0
    assert details.lent_bytes == LENT


async def test_a_model_that_lost_a_file_is_told_with_what_it_lacks(fetched):
    (fetched.store.get(NAME).folder / "config.json").unlink()
    (tiny,) = (await fetched.ask(WantModels(), ModelDetails)).models
    assert "config.json is damaged: it is gone" in tiny.problem
    (fetched.store.root / "models" / NAME / "manifest.json").write_text("{")
    (tiny,) = (await fetched.ask(WantModels(), ModelDetails)).models
    assert "its manifest cannot be read" in tiny.problem
    assert await fetched.ask(RemoveModel(NAME), ModelRemoved) == ModelRemoved(NAME, 0)


async def test_the_catalogue_says_what_it_takes_before_anything_is_fetched(asker):
    entries = (await asker.ask(WantModels(), CatalogueTold)).entries
    starter = next(entry for entry in entries if entry.source == "starter")
    assert (starter.licence, starter.missing) == ("Apache-2.0", "")
    assert 90e6 < starter.fetch_bytes < 95e6 < starter.room_bytes


async def test_a_catalogue_model_that_is_here_has_its_source_whatever_it_is_called(fetched):
    settings = {"source": "SmolLM2-135M-Instruct.Q4_1.gguf"}
    (fetched.store.get(NAME).folder / SETTINGS_FILE).write_text(json.dumps(settings))
    (tiny,) = (await fetched.ask(WantModels(), ModelDetails)).models
    assert tiny.source == "starter"


async def test_a_sound_model_is_found_right(fetched):
    assert await fetched.ask(VerifyModel(NAME), ModelChecked) == ModelChecked(NAME)
    last = [event for event in fetched.events if isinstance(event, ModelChecking)][-1]
    assert last.done == last.total == fetched.store.get(NAME).bytes_in_all


async def test_wrong_bytes_are_named_and_only_those_are_fetched_again(fetched, server):
    model = fetched.store.get(NAME)
    first, last = model.manifest.chunks[0], model.manifest.chunks[-1]
    damage(fetched, first.offset + 5, last.offset)
    (model.folder / "config.json").write_text("{}")
    checked = await fetched.ask(VerifyModel(NAME), ModelChecked)
    assert checked.files == ("config.json",)
    ranges = ((first.offset, first.offset + first.length), (last.offset, last.offset + last.length))
    assert checked.ranges == (ranges if len(model.manifest.chunks) > 2 else ((ranges[0][0], ranges[1][1]),))
    server.asked.clear()
    mended = await fetched.ask(MendModel(NAME), ModelMended, ModelRefused)
    assert mended == ModelMended(NAME, checked.damaged_bytes)
    assert {name for name, _ in server.asked} == {"config.json", WEIGHTS_FILE}
    fetched.store.verify(NAME)
    assert fetched.changes == 1


async def test_a_file_that_was_cut_short_is_mended_too(fetched):
    model = fetched.store.get(NAME)
    path = model.folder / WEIGHTS_FILE
    path.write_bytes(path.read_bytes()[:-1000])
    checked = await fetched.ask(VerifyModel(NAME), ModelChecked)
    assert checked.ranges[-1][1] == model.manifest.chunks[-1].offset + model.manifest.chunks[-1].length
    assert isinstance(await fetched.ask(MendModel(NAME), ModelMended, ModelRefused), ModelMended)
    fetched.store.verify(NAME)


async def test_what_nobody_has_is_not_mended_and_the_reason_is_told(fetched, server):
    damage(fetched, 0)
    await fetched.ask(VerifyModel(NAME), ModelChecked)
    server.status[WEIGHTS_FILE] = (404, "EntryNotFound")
    refused = await fetched.ask(MendModel(NAME), ModelMended, ModelRefused)
    assert "missing here" in refused.sentence
    assert "the Hub has no such file" in refused.sentence
    del server.status[WEIGHTS_FILE]
    assert isinstance(await fetched.ask(MendModel(NAME), ModelMended, ModelRefused), ModelMended)


async def test_mending_looks_first_for_what_is_wrong(fetched):
    """The window that had it checked may be another one, or the model may have had another name."""
    damage(fetched, fetched.store.get(NAME).manifest.chunks[0].offset)
    assert (await fetched.ask(MendModel(NAME), ModelMended, ModelRefused)).fetched_bytes > 0
    fetched.store.verify(NAME)


async def test_a_folder_of_the_users_is_never_written_to(asker, model):
    asker.store.add_folder(model, name="mine")
    await asker.ask(VerifyModel("mine"), ModelChecked)
    refused = await asker.ask(MendModel("mine"), ModelRefused)
    assert refused.sentence == "The files of “mine” are not Idlepool's own, and it does not write there."


async def test_a_check_can_be_stopped(fetched):
    fetched.service.obey(VerifyModel(NAME))
    fetched.service.obey(StopVerifying(NAME))
    await fetched.ask(WantModels(), ModelDetails)
    assert not [event for event in fetched.events if isinstance(event, ModelChecked | ModelRefused)]


async def test_a_removed_model_is_gone_and_says_what_that_freed(fetched):
    size = fetched.store.get(NAME).bytes_in_all
    assert await fetched.ask(RemoveModel(NAME), ModelRemoved) == ModelRemoved(NAME, size)
    assert fetched.store.names() == ()
    assert fetched.changes == 1
    assert "There is no model" in (await fetched.ask(RemoveModel(NAME), ModelRefused)).sentence


async def test_a_model_that_only_waits_for_questions_is_freed_and_removed(pool, model):
    node = await pool.start("here", model=model)
    asker = Asker(node, pool.home("here"))
    await pool.open(node, stages=1)
    assert await asker.ask(RemoveModel(MODEL), ModelRemoved, ModelRefused) == ModelRemoved(MODEL, 0)
    assert node.pipelines.running == ()
    assert node.lender.hosting.in_use == ()
    assert (model / WEIGHTS_FILE).exists()
    await asker.service.close()


async def test_a_model_in_use_is_not_removed(pool, model):
    from played_pool import asked, ids_of

    node = await pool.start("here", model=model)
    asker = Asker(node, pool.home("here"))
    pipeline = await pool.open(node, stages=1)
    answer = ids_of(pipeline.generate(asked("chat", [1, 2, 3], sampling=Sampling())))
    await anext(answer)
    refused = await asker.ask(RemoveModel(MODEL), ModelRemoved, ModelRefused)
    assert refused.sentence == f"“{MODEL}” is in use: it answers a question, or is being loaded for one."
    await answer.aclose()
    assert asker.store.names() == (MODEL,)
    await asker.service.close()


async def test_a_model_gets_another_name(fetched):
    fetched.service.obey(RenameModel(NAME, "Office-model"))
    await until(lambda: fetched.changes)
    assert fetched.store.names() == ("Office-model",)
    refused = await fetched.ask(RenameModel("office-model", "a/b"), ModelRefused)
    assert "a name has letters, digits, dots and dashes" in refused.sentence
    assert fetched.store.names() == ("Office-model",)


@pytest.mark.parametrize("words", [REPOSITORY, f"https://huggingface.co/{REPOSITORY}/tree/main", f" hf:{REPOSITORY} "])
async def test_one_model_of_the_hub_is_told_with_its_size(asker, server, words):
    (offer,) = (await asker.ask(SearchHub(words), HubFound)).offers
    size = sum(len(data) for data in server.files.values())
    assert (offer.title, offer.licence, offer.bytes, offer.problem) == (REPOSITORY, "apache-2.0", size, "")
    assert server.asked == []


async def test_a_search_brings_what_is_there_and_says_what_cannot_be_added(asker, server):
    found = await asker.ask(SearchHub("tiny model"), HubFound)
    assert server.searched[-1]["search"] == "tiny model"
    good, parts = found.offers
    assert (good.source, good.downloads, good.problem) == (f"hf:{REPOSITORY}", 1200, "")
    assert "missing in the repository" in parts.problem
    await asker.ask(SearchHub(""), HubFound)
    assert server.searched[-1]["author"] == "OpenVINO"


async def test_a_search_without_a_connection_says_so(asker, server):
    server.status[""] = (503, "")
    found = await asker.ask(SearchHub("tiny"), HubFound)
    assert (found.offers, found.words) == ((), "tiny")
    assert found.sentence == "The search for “tiny” could not be fetched: the Hub answers with error 503."
