"""What the Hub has for whoever types words, a model's name there or its address."""

from __future__ import annotations

import re

from idlepool.engine.errors import NotAModel
from idlepool.engine.model_events import HubOffer
from idlepool.engine.models.add_hub import NEEDED, wanted_files
from idlepool.engine.models.hub import Hub, HubListing, HubPlace

SUGGESTED_AUTHOR = "OpenVINO"
"""Of whom the models are that are shown to somebody who types nothing: its repositories are made for OpenVINO."""

_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/", re.IGNORECASE)
_BRANCH = re.compile(r"([^/]+/[^/]+)/(?:tree|blob)/([^/]+).*")


def place_in(words: str) -> HubPlace | None:
    """The one model that is meant by an address, by `OWNER/NAME` or by `hf:OWNER/NAME@REVISION`; None: none is."""
    text = _ADDRESS.sub("", words.strip()).partition("?")[0].partition("#")[0].strip("/").removeprefix("hf:")
    return HubPlace.read("hf:" + _BRANCH.sub(r"\1@\2", text))


def find_on_hub(words: str, hub: Hub) -> tuple[HubOffer, ...]:
    """The one model that is meant, with its size; or what a search finds. Blocks.

    Raises:
        FetchFailed: the Hub cannot be reached, or has no such model.
    """
    place = place_in(words)
    if place is not None:
        return (_looked_up(place, hub),)
    words = words.strip()
    found = hub.search(words) if words else hub.search("", author=SUGGESTED_AUTHOR)
    return tuple(_listed(each, place) for each in found if (place := HubPlace.read(f"hf:{each.id}")) is not None)


def _looked_up(place: HubPlace, hub: Hub) -> HubOffer:
    model = hub.look_up(place)
    offer = HubOffer(str(place), place.repository, model.licence)
    try:
        size = sum(file.size for file in wanted_files(model))
    except NotAModel as error:
        return HubOffer(offer.source, offer.title, offer.licence, problem=error.sentence)
    return HubOffer(offer.source, offer.title, offer.licence, bytes=size)


def _listed(found: HubListing, place: HubPlace) -> HubOffer:
    missing = [name for name in NEEDED if found.files and name not in found.files]
    problem = NotAModel(str(place), f"{', '.join(missing)} missing in the repository").sentence if missing else ""
    return HubOffer(str(place), found.id, found.licence, found.downloads, problem=problem)
