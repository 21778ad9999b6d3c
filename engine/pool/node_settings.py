"""How a node runs: what its command line, or a test, decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.machine.idle import IdleSource
from idlepool.engine.machine.machine import AsksMachine
from idlepool.engine.pool.drafters import LOOKUP
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.types import Address


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """How a node runs. `threads` 0: what the device chooses."""

    name: str
    """What its pool calls it if it is a pool of one."""
    root: Path
    """Its data folder."""
    library: Path | None = None
    """A second folder with complete models, read only."""
    host: str = "127.0.0.1"
    port: int = 0
    """0: any."""
    any_port: bool = False
    """Whether another port will do where `port` is taken."""
    via: Address | None = None
    """Where others are told that it listens, if something stands in between; None: where it does listen."""
    device: str = ""
    """What to lend first; empty: see device_order()."""
    forbidden: tuple[str, ...] = ()
    """Devices that are never lent; `GPU` means every GPU."""
    cache: Path | None = None
    """See LoadShard; None: in `root`."""
    threads: int = 0
    speculation: str = LOOKUP
    """How the answers of this node's pipelines are guessed ahead: `off`, `lookup`, or the folder of a draft model."""
    micro_batches: int = 0
    """Frames that its pipelines keep under way; 0: as many as they have stages."""
    stages: int | None = None
    """PCs that a pipeline gets which is opened for a question of another PC; None: the plan decides."""
    choice: PlanChoice = NO_CHOICE
    """What the plans of its pipelines are to be."""
    model_bytes_per_s: int = 0
    """Most bytes of models that it fetches in a second, and most that it gives; 0: no limit."""
    disk_bytes: int | None = None
    """Most that fetched layers take on its disk; None: see DiskCap."""
    lending: LendingRules | None = None
    """When it lends; None: always, without looking at anything."""
    lending_problem: str = ""
    """What was wrong with the rules that were kept, for their owner."""
    idle: IdleSource | None = None
    """Who knows whether somebody uses this PC; None: what the system has."""
    machine: AsksMachine | None = None
    """Who knows the rest of what the rules ask for; None: what the system has."""
    peers: tuple[Address, ...] = ()
    """Addresses the user typed."""
    fallback_peers: tuple[Address, ...] = ()
    """Addresses to try where discovery has not led there within FALLBACK_S."""
    interfaces: tuple[str, ...] | None = field(default=("127.0.0.1",))
    """Where to announce and look for others; None: all networks."""
