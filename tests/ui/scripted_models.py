"""Plays what the models page asks of the node: --play models, and words for more of it.

queue: models are on their way, in every state. stalled: nothing comes of one. damaged: one lost a file. pool: other
PCs have models and layers are fetched for them. large: one needs more than is lent. preparing: one is being loaded.
empty: nothing is here. full: the disk is. offline: the Hub cannot be reached. used: a model is in use, so that it
cannot be removed. wrong: a check finds wrong bytes. silent: the Hub does not answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from idlepool.engine.commands import AddModel, CleanModels
from idlepool.engine.disk_errors import ModelInUse
from idlepool.engine.errors import FetchFailed, StorageError
from idlepool.engine.events import Command, ModelInfo, ModelsChanged, PeerInfo, PipelineChanged, PoolChanged, StageInfo
from idlepool.engine.local_events import ModelsCleaned
from idlepool.engine.model_events import (
    Adding,
    AddingChanged,
    CancelAdding,
    CatalogueEntry,
    CatalogueTold,
    FetchedFacts,
    HubFound,
    HubOffer,
    MendModel,
    ModelAdded,
    ModelChecked,
    ModelChecking,
    ModelDetails,
    ModelFacts,
    ModelMended,
    ModelRefused,
    ModelRemoved,
    PauseAdding,
    RemoveModel,
    RenameModel,
    ResumeAdding,
    SearchHub,
    VerifyModel,
    WantModels,
)
from idlepool.engine.plan_events import PlannedStage, PlanTold, WantPlan

if TYPE_CHECKING:
    from scripted_parts import Say  # which imports this file

GB = 1_000_000_000
LENT = 12_400_000_000

CODER = "OpenVINO/Qwen2.5-Coder-7B-Instruct-int4-ov"
CODER_SOURCE = f"hf:{CODER}"

STARTER = ModelFacts(
    "starter", "a" * 64, 30, 8192, 141_000_000, "Apache-2.0", "/data/models/starter", True, True, source="starter"
)
PHI = ModelFacts(
    "Phi-4-mini-instruct-int4-ov",
    "b" * 64,
    32,
    131_072,
    2_480_000_000,
    "mit",
    "/data/models/Phi-4-mini-instruct-int4-ov",
    True,
    True,
    source="hf:OpenVINO/Phi-4-mini-instruct-int4-ov@c0ffee",
)
LLAMA = ModelFacts("llama-70b-office", "c" * 64, 80, 8192, 38 * GB, "", "/srv/models/llama-70b-office", False, True)

CATALOGUE = (
    CatalogueEntry("starter", "SmolLM2 135M Instruct", "Apache-2.0", "", 92_871_040, 393_449_728),
    CatalogueEntry(
        "gemma",
        "Gemma 3 270M (base model)",
        "Gemma Terms of Use",
        "https://ai.google.dev/gemma/terms",
        238_175_234,
        1_771_791_168,
        "Gemma 3 270M (base model) is made with PyTorch and optimum-intel, which are not installed here. "
        'Install them (several GB) with: pip install "idlepool[convert]"',
    ),
)

OFFERS = (
    HubOffer(CODER_SOURCE, CODER, "apache-2.0", 12_840),
    HubOffer(
        "hf:OpenVINO/Mistral-7B-Instruct-v0.3-int4-cw-ov", "OpenVINO/Mistral-7B-Instruct-v0.3-int4-cw-ov", "", 910
    ),
    HubOffer(
        "hf:someone/parts-of-a-model",
        "someone/parts-of-a-model",
        "mit",
        12,
        problem="hf:someone/parts-of-a-model is no OpenVINO language model: openvino_tokenizer.xml missing.",
    ),
)

SIZES = {CODER_SOURCE: 4_680_000_000}

CODER_COMING = Adding(CODER_SOURCE, "fetching", 1_240_000_000, 4_680_000_000, 23_400_000, 147, keeps=True)

QUEUE = (
    CODER_COMING,
    Adding("starter", "queued"),
    Adding("hf:OpenVINO/gpt-oss-20b-int4-ov", "paused", 3 * GB, 12 * GB, keeps=True),
    Adding(
        "hf:OpenVINO/Qwen3-32B-int4-ov",
        "failed",
        keeps=True,
        sentence=StorageError("/data", "18,300 MB are needed and 6,120 MB are free").sentence,
        hint="Free some space there, or allow Idlepool to write there.",
    ),
)

FETCHED = (
    FetchedFacts("hf:OpenVINO/Qwen3-8B-int4-ov@c0ffee", 36, ((0, 12),), 1_610_000_000, True, time.time()),
    FetchedFacts("5f2a9c44d1e0", 48, ((20, 31), (40, 44)), 2_070_000_000, False, time.time() - 3 * 86_400),
)

ELSEWHERE = ModelInfo("gpt-oss-20b-int4-ov", 24, 131_072, 12 * GB)


class Models:
    def __init__(self) -> None:
        self.play: frozenset[str] = frozenset()
        self.models: tuple[ModelFacts, ...] = ()
        self.queue: tuple[Adding, ...] = ()
        self.pool_told = False

    def start(self, play: Sequence[str], say: Say) -> None:
        self.play = frozenset(play) if "models" in play else frozenset()
        if not self.play:
            return
        if "empty" not in self.play:
            self.models = (PHI, STARTER, LLAMA) if "large" in self.play else (PHI, STARTER)
        if "damaged" in self.play:
            lost = "/data/models/starter/openvino_model.bin is damaged: it has 98,304 bytes instead of 134,521,344."
            self.models = tuple(
                msgspec.structs.replace(facts, problem=lost) if facts is STARTER else facts for facts in self.models
            )
        self.queue = QUEUE if "queue" in self.play else ()
        if "stalled" in self.play:
            stalled = msgspec.structs.replace(CODER_COMING, bytes_per_s=0, seconds_left=-1, silent_s=40)
            self.queue = (stalled, msgspec.structs.replace(stalled, source=f"{CODER_SOURCE}-2", silent_s=430))
        self.tell_models(say)
        say(AddingChanged(self.queue))
        if "preparing" in self.play:
            say(PipelineChanged(PHI.name, "preparing", stages()))

    def obey(self, command: Command, say: Say) -> None:
        if not self.play:
            return
        match command:
            case WantModels():
                self.tell_details(say)
            case WantPlan(models=names):
                for name in names:
                    say(self.plan(name))
            case SearchHub(words=words) if "silent" not in self.play:
                self.search(words, say)
            case AddModel() | PauseAdding() | ResumeAdding() | CancelAdding():
                self.queue_up(command, say)
            case _:
                self.look_after(command, say)

    def queue_up(self, command: Command, say: Say) -> None:
        match command:
            case AddModel(source=source) if source.endswith("again"):
                say(ModelAdded(source, STARTER.name, was_here=True))
            case AddModel(source=source):
                self.tell_queue(say, (*self.queue, Adding(source, "queued", keeps=source.startswith("hf:"))))
            case PauseAdding(source=source):
                self.change(say, source, state="paused", bytes_per_s=0, seconds_left=-1)
            case ResumeAdding(source=source):
                self.change(say, source, state="queued", sentence="", hint="")
            case CancelAdding(source=source):
                self.tell_queue(say, tuple(adding for adding in self.queue if adding.source != source))

    def look_after(self, command: Command, say: Say) -> None:
        match command:
            case CleanModels():
                say(ModelsCleaned(2_070_000_000, 1_610_000_000))
            case VerifyModel(name=name):
                say(ModelChecking(name, 61_000_000, 141_000_000))
                if "wrong" in self.play:
                    say(ModelChecked(name, ("config.json",), ((16_777_216, 33_554_432),), 16_778_400))
                elif "slow" not in self.play:
                    say(ModelChecked(name))
            case MendModel(name=name):
                say(ModelMended(name, 16_778_400))
            case RemoveModel(name=name) if "used" in self.play:
                error = ModelInUse(name, "this PC computes with it for lagoon")
                say(ModelRefused(name, error.sentence, error.hint))
            case RemoveModel(name=name):
                self.models = tuple(facts for facts in self.models if facts.name != name)
                say(ModelRemoved(name, 141_000_000))
                self.tell_models(say)
            case RenameModel(name=name, new_name=new):
                self.models = tuple(
                    msgspec.structs.replace(facts, name=new) if facts.name == name else facts for facts in self.models
                )
                self.tell_models(say)

    def tell_models(self, say: Say) -> None:
        whole = (facts for facts in self.models if not facts.problem)
        say(ModelsChanged(tuple(ModelInfo(facts.name, facts.layers, facts.context, facts.bytes) for facts in whole)))

    def tell_details(self, say: Say) -> None:
        say(CatalogueTold(CATALOGUE))
        free = 120_000_000 if "full" in self.play else 118 * GB
        if "pool" in self.play and not self.pool_told:  # each time the window would ask again, for ever
            self.pool_told = True
            say(PoolChanged(peers()))
        say(ModelDetails(self.models, FETCHED if "pool" in self.play else (), free, LENT))

    def tell_queue(self, say: Say, queue: tuple[Adding, ...]) -> None:
        self.queue = queue
        say(AddingChanged(queue))

    def change(self, say: Say, source: str, **changes: object) -> None:
        changed = (
            msgspec.structs.replace(adding, **changes) if adding.source == source else adding for adding in self.queue
        )
        self.tell_queue(say, tuple(changed))

    def search(self, words: str, say: Say) -> None:
        if "offline" in self.play:
            error = FetchFailed(f"The search for “{words}”", "the Hub cannot be reached")
            say(HubFound(words, (), error.sentence, error.hint))
        elif words in SIZES:
            say(HubFound(words, (msgspec.structs.replace(OFFERS[0], bytes=SIZES[words]),)))
        else:
            say(HubFound(words, () if words == "nothing" else OFFERS))

    def plan(self, name: str) -> PlanTold:
        if name == LLAMA.name:
            return PlanTold(name, False, "The PCs here cannot hold it.", "", 0.0, 47 * GB, LENT)
        if name == ELSEWHERE.name:
            return PlanTold(name, True, "lagoon has this model, and plans for it when asked.", lent_bytes=LENT)
        size = 300_000_000 if name == STARTER.name else 3_300_000_000
        count = 1 if name == STARTER.name else 2
        planned = tuple(
            PlannedStage(f"{n:064x}", f"idle-{n + 1}", 16 * n, 16 * (n + 1), "GPU", size // count, 12.0, GB)
            for n in range(count)
        )
        left_out = (("attic", "it does not lend: somebody uses it"),)
        speed = 96.4 if count == 1 else 23.2
        return PlanTold(name, True, "", "", speed, size, LENT, planned, left_out, measured=count == 1)


def peers() -> tuple[PeerInfo, ...]:
    return (
        PeerInfo("0" * 64, "idle-1", True, True),
        PeerInfo("1" * 64, "lagoon", False, True, whole=(ELSEWHERE,), running=(ELSEWHERE.name,)),
        PeerInfo("2" * 64, "attic", False, True, whole=(ELSEWHERE,), lends=False, lends_reason="user active"),
    )


def stages() -> tuple[StageInfo, ...]:
    return (
        StageInfo("0" * 64, "idle-1", 0, 12, "ready", device="GPU"),
        StageInfo("1" * 64, "lagoon", 12, 24, "compiling", device="NPU", phase_s=8),
        StageInfo(
            "2" * 64, "attic", 24, 32, "fetching", bytes_on_disk=410_000_000, bytes_needed=640_000_000, phase_s=17
        ),
    )
