"""What the window asks about models, and what it hears: which are here, what is being added, what the Hub has."""

from __future__ import annotations

from typing import Literal

import msgspec

from idlepool.engine.types import Int

AddingState = Literal["queued", "fetching", "converting", "checking", "paused", "failed"]


class Adding(msgspec.Struct, frozen=True):
    """A model that is on its way here, or was. `source` is what AddModel named; it comes once in the queue."""

    source: str
    state: AddingState
    done: Int = 0
    total: Int = 0
    """Bytes of the step that `state` names; 0: unknown."""
    bytes_per_s: Int = 0
    """Over the last seconds; 0: unknown, or nothing came."""
    seconds_left: Int = -1
    """Of this step, at that speed; -1: unknown."""
    sentence: str = ""
    """Why it failed."""
    hint: str = ""
    keeps: bool = False
    """What came stays on the disk when it is paused, and is gone on with."""
    silent_s: Int = 0
    """Nothing has come for so long, which is longer than usual; 0: it comes."""


class AddingChanged(msgspec.Struct, frozen=True, tag="adding_changed"):
    """All models that are being added, the one at work first; one that is added is none of them any more."""

    models: tuple[Adding, ...]


class ModelAdded(msgspec.Struct, frozen=True, tag="model_added"):
    """A model that was wanted is here."""

    source: str
    """What AddModel named."""
    name: str
    was_here: bool = False
    """The same model had been added before, and nothing was done."""


class PauseAdding(msgspec.Struct, frozen=True, tag="pause_adding"):
    """Let a model wait until ResumeAdding; what came of one with `keeps` stays."""

    source: str


class ResumeAdding(msgspec.Struct, frozen=True, tag="resume_adding"):
    """Go on with a model that is paused, or failed."""

    source: str


class CancelAdding(msgspec.Struct, frozen=True, tag="cancel_adding"):
    """Add it no more; what came of it goes from the disk."""

    source: str


class ModelFacts(msgspec.Struct, frozen=True):
    """A model that was added to this PC."""

    name: str
    model: str
    """Its id."""
    layers: Int
    context: Int
    bytes: Int
    licence: str
    folder: str
    own: bool
    """Its files are in the data folder, and go when it is removed."""
    removable: bool
    """It is not of a library that is only read."""
    problem: str = ""
    """Why it cannot be used, in a sentence; empty: all its files are there."""
    source: str = ""
    """Where it came from, if that is known: hf:OWNER/NAME@COMMIT, or a name of the catalogue."""


class FetchedFacts(msgspec.Struct, frozen=True):
    """Layers that were fetched here for pipelines of other PCs."""

    name: str
    """Where the model came from, or the beginning of its id."""
    layers: Int
    spans: tuple[tuple[Int, Int], ...]
    """Half-open."""
    bytes: Int
    in_use: bool
    last_used: float = 0.0
    """Seconds since 1970; 0: never."""


class ModelDetails(msgspec.Struct, frozen=True, tag="model_details"):
    """The answer to WantModels."""

    models: tuple[ModelFacts, ...]
    fetched: tuple[FetchedFacts, ...]
    free_bytes: Int
    """Of the disk with the data folder."""
    lent_bytes: Int = 0
    """Memory that plans may use on all PCs together; 0: not known yet."""


class WantModels(msgspec.Struct, frozen=True, tag="want_models"):
    """Say what is here, and what can be had by name alone: ModelDetails and CatalogueTold follow."""


class CatalogueEntry(msgspec.Struct, frozen=True):
    """A model that can be added by its name."""

    source: str
    title: str
    licence: str
    terms: str
    """Where the licence can be read, where using the model means to agree."""
    fetch_bytes: Int
    room_bytes: Int
    """Of the disk, while it is being made."""
    missing: str = ""
    """What has to be installed before, in a sentence with what to do; empty: nothing."""


class CatalogueTold(msgspec.Struct, frozen=True, tag="catalogue_told"):
    """What can be had by name alone."""

    entries: tuple[CatalogueEntry, ...]


class VerifyModel(msgspec.Struct, frozen=True, tag="verify_model"):
    """Compare every byte with what it was when it was added: ModelChecking, then ModelChecked or ModelRefused."""

    name: str


class StopVerifying(msgspec.Struct, frozen=True, tag="stop_verifying"):
    """Check it no further; no event follows."""

    name: str


class ModelChecking(msgspec.Struct, frozen=True, tag="model_checking"):
    """How far checking or mending is, in bytes."""

    name: str
    done: Int
    total: Int


class ModelChecked(msgspec.Struct, frozen=True, tag="model_checked"):
    """Checked to the end. Without `files` and `ranges` every byte is right."""

    name: str
    files: tuple[str, ...] = ()
    """Small files that are gone or changed,"""
    ranges: tuple[tuple[Int, Int], ...] = ()
    """and bytes `[first, last)` of the weights."""
    damaged_bytes: Int = 0
    """That would be fetched again."""


class MendModel(msgspec.Struct, frozen=True, tag="mend_model"):
    """Fetch what the last check found wrong again, from PCs of the pool or from where it came: ModelMended or
    ModelRefused."""

    name: str


class ModelMended(msgspec.Struct, frozen=True, tag="model_mended"):
    """All of it is right again."""

    name: str
    fetched_bytes: Int


class RemoveModel(msgspec.Struct, frozen=True, tag="remove_model"):
    """Remove it from this PC: ModelRemoved and ModelsChanged follow, or ModelRefused."""

    name: str


class ModelRemoved(msgspec.Struct, frozen=True, tag="model_removed"):
    """It is gone."""

    name: str
    freed_bytes: Int
    """0 for a folder of the user's, which stays."""


class RenameModel(msgspec.Struct, frozen=True, tag="rename_model"):
    """Call it something else: ModelsChanged follows, or ModelRefused."""

    name: str
    new_name: str


class ModelRefused(msgspec.Struct, frozen=True, tag="model_refused"):
    """What was asked of a model that is here was not done."""

    name: str
    sentence: str
    hint: str = ""


class SearchHub(msgspec.Struct, frozen=True, tag="search_hub"):
    """Look on the Hugging Face Hub: by words, by the address or `OWNER/NAME` of one model, or with no words for those
    that are fetched most. HubFound follows."""

    words: str


class HubOffer(msgspec.Struct, frozen=True):
    """A model of the Hub. `bytes` is 0 until it is looked up by its own name."""

    source: str
    """For AddModel."""
    title: str
    licence: str
    downloads: Int = 0
    """In the last month."""
    bytes: Int = 0
    problem: str = ""
    """Why it cannot be added; empty: nothing stands in the way."""


class HubFound(msgspec.Struct, frozen=True, tag="hub_found"):
    """The answer to SearchHub(words); with a `sentence` where that could not be found out."""

    words: str
    offers: tuple[HubOffer, ...] = ()
    sentence: str = ""
    hint: str = ""


AddingCommand = PauseAdding | ResumeAdding | CancelAdding
StoredCommand = WantModels | VerifyModel | StopVerifying | MendModel | RemoveModel | RenameModel | SearchHub
ModelEvent = (
    AddingChanged
    | ModelAdded
    | ModelDetails
    | CatalogueTold
    | ModelChecking
    | ModelChecked
    | ModelMended
    | ModelRemoved
    | ModelRefused
    | HubFound
)
