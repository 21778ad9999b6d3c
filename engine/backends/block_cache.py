"""The tensors behind a block pool: a key and a value cache for each layer, on the device that computes with them."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy.typing as npt
import openvino as ov

from idlepool.engine.backends.block_pool import Copy
from idlepool.engine.backends.plain_pages import plain_pages

PREFIXES = ("key_cache.", "value_cache.")

CACHE_SHARE = 0.5
"""Of the memory that is usable once the layers are loaded: conversations and other programs grow too."""

LEAST_CACHE_TOKENS = 2048
"""Less would hardly hold a conversation and its answer."""


def cache_ports(compiled: ov.CompiledModel) -> dict[str, ov.ConstOutput]:
    """The inputs of a paged shard that are caches, `[blocks, heads, tokens of a block, head size]`, by name."""
    named = ((name, port) for port in compiled.inputs for name in port.get_names())
    return {name: port for name, port in named if name.startswith(PREFIXES)}


def block_tokens(compiled: ov.CompiledModel) -> int:
    """Positions in a block: 32 on CPU, 16 on GPU."""
    return 16 if _device(compiled).startswith("GPU") else 32


def affordable_tokens(compiled: ov.CompiledModel, usable_bytes: int) -> int:
    """Positions that caches may hold which take CACHE_SHARE of the memory that is left."""
    blocks = (
        CACHE_SHARE
        * usable_bytes
        // sum(port.get_element_type().size * math.prod(_shape(port, 1)) for port in cache_ports(compiled).values())
    )
    return max(int(blocks) * block_tokens(compiled), LEAST_CACHE_TOKENS)


class BlockCache(Protocol):
    """The caches of one shard."""

    def bind(self, request: ov.InferRequest) -> None:
        """Let a request compute with them."""

    def copy(self, copies: tuple[Copy, ...]) -> None:
        """Copy whole blocks in every cache."""


def make_cache(core: ov.Core, compiled: ov.CompiledModel, blocks: int) -> BlockCache:
    """Caches of `blocks` blocks in memory of the compiled model's device."""
    if _device(compiled).startswith("GPU"):
        return RemoteCache(core, compiled, blocks)
    return HostCache(compiled, blocks)


class HostCache:
    """Caches in this PC's memory, for the CPU. Pages that no token has reached take none."""

    def __init__(self, compiled: ov.CompiledModel, blocks: int) -> None:
        self._tensors = {name: _tensor(port, blocks) for name, port in cache_ports(compiled).items()}

    def bind(self, request: ov.InferRequest) -> None:
        """See BlockCache."""
        for name, tensor in self._tensors.items():
            request.set_tensor(name, tensor)

    def copy(self, copies: tuple[Copy, ...]) -> None:
        """See BlockCache."""
        for tensor in self._tensors.values():
            blocks: npt.NDArray[Any] = tensor.data
            for each in copies:
                blocks[each.target] = blocks[each.source]


class RemoteCache:
    """Caches in a GPU's memory, made in the context of its device as openvino.genai does. Not run on hardware."""

    def __init__(self, core: ov.Core, compiled: ov.CompiledModel, blocks: int) -> None:
        context = core.get_default_context(_device(compiled))
        ports = cache_ports(compiled)
        self._shapes = {name: _shape(port, blocks) for name, port in ports.items()}
        self._tensors = {
            name: context.create_tensor(port.get_element_type(), ov.Shape(self._shapes[name]), {})
            for name, port in ports.items()
        }

    def bind(self, request: ov.InferRequest) -> None:
        """See BlockCache."""
        for name, tensor in self._tensors.items():
            request.set_tensor(name, tensor)

    def copy(self, copies: tuple[Copy, ...]) -> None:
        """See BlockCache."""
        for name, tensor in self._tensors.items():
            for each in copies:
                self._block(name, tensor, each.source).copy_to(self._block(name, tensor, each.target))

    def _block(self, name: str, tensor: ov.RemoteTensor, block: int) -> ov.RemoteTensor:
        """A view of one block."""
        rest = self._shapes[name][1:]
        return ov.RemoteTensor(tensor, ov.Coordinate([block, *(0 for _ in rest)]), ov.Coordinate([block + 1, *rest]))


def _device(compiled: ov.CompiledModel) -> str:
    return str(compiled.get_property("EXECUTION_DEVICES")[0])


def _tensor(port: ov.ConstOutput, blocks: int) -> ov.Tensor:
    shape, kind = _shape(port, blocks), port.get_element_type()
    words = plain_pages(math.prod(shape) * kind.size).view(f"u{kind.size}")
    return ov.Tensor(words, ov.Shape(shape), kind)


def _shape(port: ov.ConstOutput, blocks: int) -> list[int]:
    return [blocks, *(size.get_length() for size in list(port.get_partial_shape())[1:])]
