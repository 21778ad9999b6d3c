"""Files of models on the Hugging Face Hub: what a repository holds, whole files, and ranges of them.

Access, login, proxies and mirrors are those of `huggingface_hub`, as the user has set them up. What comes is of one
commit and is compared with what the Hub says of it.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

from idlepool.engine.errors import FetchFailed
from idlepool.engine.models.allowance import Take, unlimited
from idlepool.engine.models.files import writing
from idlepool.engine.models.hub_http import http
from idlepool.engine.net.shown import shown

TRIES = 40
"""Connections that may break one after another without a byte between them: a router starts anew in minutes, and nobody
sits beside a download of hours."""

LONGEST_PAUSE_S = 30.0

SILENCE_S = 30.0

MOST_FOUND = 20
"""Repositories that a search brings."""

MOST_LICENCE = 64
"""Characters of what a source says of its licence."""

SEARCH_S = 10.0
_LISTED = (
    ("filter", "openvino"),
    ("pipeline_tag", "text-generation"),
    ("sort", "downloads"),
    ("expand", "downloads"),
    ("expand", "siblings"),
    ("expand", "tags"),
)
"""Which repositories a search looks among, in which order, and what it is told of them."""

_BLOCK_BYTES = 1 << 20
_SOURCE = re.compile(r"hf:([\w-][\w.-]*/[\w-][\w.-]*)(?:@([\w-][\w./-]*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class HubPlace:
    """A repository at a commit, a branch or a tag; empty: its main branch."""

    repository: str
    revision: str = ""

    def __str__(self) -> str:
        return f"hf:{self.repository}" + (f"@{self.revision}" if self.revision else "")

    @classmethod
    def read(cls, text: str) -> HubPlace | None:
        """The place that is written `hf:OWNER/NAME` or `hf:OWNER/NAME@REVISION`; None: that is no such thing."""
        match = _SOURCE.fullmatch(text)
        return cls(match[1], match[2] or "") if match and ".." not in text else None


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a repository. `digest`: its SHA-256, or for a file kept in git itself its git id."""

    name: str
    size: int
    digest: str

    @property
    def hasher(self) -> hashlib._Hash:
        """What `digest` comes out of when it has seen the file."""
        if len(self.digest) == hashlib.sha256().digest_size * 2:
            return hashlib.sha256()
        return hashlib.sha1(b"blob %d\0" % self.size, usedforsecurity=False)  # gitformat-pack: how git names a file


@dataclass(frozen=True, slots=True)
class HubModel:
    """What a repository holds. The revision of `place` is a commit."""

    place: HubPlace
    licence: str
    files: tuple[HubFile, ...]


class _Named(msgspec.Struct, frozen=True):
    rfilename: str


class HubListing(msgspec.Struct, frozen=True):
    """A repository that a search found, as the Hub tells it; the names of its files are all that is known of them."""

    id: str
    """OWNER/NAME"""
    downloads: int = 0
    """In the last month."""
    tags: tuple[str, ...] = ()
    siblings: tuple[_Named, ...] = ()

    @property
    def licence(self) -> str:
        """Empty: its source names none."""
        licences = (tag.removeprefix("license:") for tag in self.tags if tag.startswith("license:"))
        return shown(next(licences, ""), MOST_LICENCE)

    @property
    def files(self) -> frozenset[str]:
        """By name; empty: not known."""
        return frozenset(entry.rfilename for entry in self.siblings)


class Hub:
    """The Hub, or another server like it at `endpoint`. Methods block; all raise FetchFailed with the one reason."""

    def __init__(self, endpoint: str | None = None, *, pause_s: float = 1.0) -> None:
        """`pause_s`: before a connection that broke is made again; twice as long each time."""
        self._api = HfApi(endpoint=endpoint)
        self._pause_s = pause_s

    def look_up(self, place: HubPlace) -> HubModel:
        """What is there, by commit."""
        try:
            with _telling(str(place)):
                info = self._api.model_info(
                    place.repository, revision=place.revision or None, files_metadata=True, timeout=SILENCE_S
                )
        except http.TransportError as error:
            raise FetchFailed(str(place), "the Hub cannot be reached") from error
        files = [
            HubFile(entry.rfilename, entry.size or 0, entry.lfs.sha256 if entry.lfs else entry.blob_id or "")
            for entry in info.siblings or ()
        ]
        licence = info.card_data.get("license") if info.card_data else None
        commit = HubPlace(place.repository, info.sha or "")
        return HubModel(commit, shown(str(licence or ""), MOST_LICENCE), tuple(files))

    def search(self, words: str, *, author: str = "", most: int = MOST_FOUND) -> tuple[HubListing, ...]:
        """Repositories with language models for OpenVINO: whose name has these words, those fetched most first.

        Not by HfApi.list_models(): that one tries again for half a minute where there is no connection.
        """
        what = f"The search for “{words}”" if words else "The list of models"
        asked = [("search", words), ("author", author), ("limit", str(most)), *_LISTED]
        url = http.URL(f"{self._api.endpoint}/api/models", params=[(key, value) for key, value in asked if value])
        try:
            with _telling(what):
                response = get_session().get(url, headers=build_hf_headers(), timeout=SEARCH_S)
                hf_raise_for_status(response)
                return msgspec.json.decode(response.content, type=tuple[HubListing, ...])
        except http.TransportError as error:
            raise FetchFailed(what, "the Hub cannot be reached") from error
        except msgspec.DecodeError as error:
            raise FetchFailed(what, "the Hub answers with something else", "Try again later.") from error

    def fetch(
        self,
        place: HubPlace,
        file: HubFile,
        target: Path,
        *,
        on_bytes: Callable[[int], None],
        on_checked: Callable[[int], None] = lambda count: None,
        take: Take = unlimited,
    ) -> None:
        """Bring a file; what an earlier try left beside `target` is gone on with. `on_bytes`: how much of it is there;
        `on_checked`: how much was then found right. `take` is asked for each piece.

        Raises:
            StorageError: the disk is full; what came is kept.
        """
        part = _part(target)
        what, breaks = f"{file.name} of {place}", 0
        while (here := _size(part)) < file.size or not part.exists():
            try:
                with _telling(what):
                    self._go_on(place, file, part, on_bytes, take)
            except http.TransportError as error:
                breaks = 0 if _size(part) > here else breaks + 1
                if breaks == TRIES:
                    raise FetchFailed(what, "the connection broke again and again; what came is kept") from error
                time.sleep(min(self._pause_s * 2**breaks, LONGEST_PAUSE_S))
        self._check(file, part, what, on_checked)
        with writing(target):
            part.replace(target)

    def read_range(self, place: HubPlace, name: str, *, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)` of a file; of the server nothing more is taken."""
        what = f"{name} of {place}"
        try:
            with _telling(what), self._get(place, name, f"bytes={offset}-{offset + length - 1}") as response:
                if response.status_code != http.codes.PARTIAL_CONTENT and (offset or _length(response) != length):
                    raise FetchFailed(what, "that server gives only whole files", "Add the whole model on one PC.")
                data = bytearray()
                for block in response.iter_raw():
                    data += block
                    if len(data) > length:
                        break
        except http.TransportError as error:
            raise FetchFailed(what, "the connection broke") from error
        if len(data) != length:
            raise FetchFailed(what, f"other bytes came than the {length:,} that were asked for")
        return bytes(data)

    def _go_on(self, place: HubPlace, file: HubFile, part: Path, on_bytes: Callable[[int], None], take: Take) -> None:
        here = _size(part)
        with self._get(place, file.name, f"bytes={here}-" if here else "") as response:
            mode = "ab" if response.status_code == http.codes.PARTIAL_CONTENT else "wb"
            here = here if mode == "ab" else 0
            with writing(part), part.open(mode) as target:
                for block in response.iter_raw():
                    take(len(block))
                    here += len(block)
                    if here > file.size:
                        break
                    target.write(block)
                    on_bytes(here)
        if here != file.size:
            part.unlink(missing_ok=True)
            reason = f"it came with {'more' if here > file.size else f'{here:,}'} bytes instead of {file.size:,}"
            raise FetchFailed(f"{file.name} of {place}", reason)

    def _check(self, file: HubFile, part: Path, what: str, on_checked: Callable[[int], None]) -> None:
        hasher, done = file.hasher, 0
        with part.open("rb") as whole:
            while block := whole.read(_BLOCK_BYTES):
                hasher.update(block)
                done += len(block)
                on_checked(done)
        if hasher.hexdigest() != file.digest:
            part.unlink()
            raise FetchFailed(what, "what came is not what the Hub says it is", "Try again.")

    @contextmanager
    def _get(self, place: HubPlace, name: str, byte_range: str) -> Iterator[http.Response]:
        url = hf_hub_url(place.repository, name, revision=place.revision, endpoint=self._api.endpoint)
        headers = build_hf_headers() | {"Accept-Encoding": "identity"} | ({"Range": byte_range} if byte_range else {})
        with get_session().stream("GET", url, headers=headers, timeout=SILENCE_S) as response:
            if response.is_error:
                response.read()
            hf_raise_for_status(response)
            yield response


def came(target: Path) -> int:
    """How much of a file is there, of an earlier try or all of it."""
    return _size(target) or _size(_part(target))


def _part(target: Path) -> Path:
    return target.with_name(f"{target.name}.part")


def _length(response: http.Response) -> int:
    return int(response.headers.get("Content-Length", "-1"))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """What the Hub refuses becomes a sentence; that it cannot be reached is passed on."""
    try:
        yield
    except OfflineModeIsEnabled as error:
        raise FetchFailed(what, "HF_HUB_OFFLINE is set", "Unset it, or add a folder with the model.") from error
    except GatedRepoError as error:
        hint = "Accept them on the model's page, then log in here with: hf auth login"
        raise FetchFailed(what, "its owner wants terms to be accepted first", hint) from error
    except (EntryNotFoundError, RevisionNotFoundError) as error:
        raise FetchFailed(what, "the Hub has no such file or revision", "Check the name.") from error
    except RepositoryNotFoundError as error:
        hint = "Check the name; for a private one log in with: hf auth login"
        raise FetchFailed(what, "the Hub has no such model, or it is private", hint) from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        if status in (http.codes.UNAUTHORIZED, http.codes.FORBIDDEN):
            raise FetchFailed(what, "access is denied", "Log in with: hf auth login") from error
        raise FetchFailed(what, f"the Hub answers with error {status}", "Try again later.") from error
