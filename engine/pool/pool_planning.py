"""From the PCs that are here to the stages of a pipeline: what they told becomes what the planner takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, Place, StageMemory, StepTimes
from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.net.standby_messages import HeldSpan
from idlepool.engine.pool.peers import Peer
from idlepool.engine.pool.plan import HEAD_BYTES, Assignment, Lender, plan
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.pool.plan_costs import HURRIED_FETCH_MS_BYTE, UNMEASURED_BYTES_MS, Besides
from idlepool.engine.pool.plan_task import pc_of, promise_of
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.pool.planner import PoolPlan, Task, plan_as_told, plan_pool
from idlepool.engine.types import ElementType, NodeId

DRAFTED = 1
"""What drafting costs the head's PC in a step, in reads of the draft model's weights: two guesses, about, each in half
the time in which a stage gets through as many bytes of its own, with its caches, its rows and its links."""


@dataclass(frozen=True, slots=True)
class Present:
    """A PC that is here and lends, with where it listens; what it told of itself: see NodeStatus."""

    place: Place
    name: str
    devices: tuple[DeviceInfo, ...]
    """At least one, the best first."""
    times: tuple[StepTimes, ...] = ()
    held: tuple[HeldSpan, ...] = ()
    links: tuple[LinkTime, ...] = ()
    disk_bytes: int = -1
    memory: tuple[StageMemory, ...] = ()

    @property
    def node(self) -> NodeId:
        """Its id."""
        return NodeId(self.place.node)

    @property
    def device(self) -> DeviceInfo:
        """What it lends first."""
        return self.devices[0]

    def device_called(self, name: str) -> DeviceInfo:
        """The device with that name, or the first one."""
        return next((device for device in self.devices if device.name == name), self.device)


def present_pcs(here: Present, peers: Mapping[NodeId, Peer]) -> tuple[Present, ...]:
    """This PC, where it lends anything, and then by name those of the others that do and are heard of."""
    others = [
        Present(
            Place(node, peer.link.peer.address.host, peer.link.peer.address.port),
            peer.link.peer.name,
            peer.status.devices,
            peer.status.times,
            peer.status.held,
            peer.status.links,
            peer.status.disk_bytes,
            peer.status.memory,
        )
        for node, peer in peers.items()
        if peer.status.devices and peer.status.lends and not peer.suspect
    ]
    return (*((here,) if here.devices else ()), *sorted(others, key=lambda pc: (pc.name, pc.node)))


def planned(
    model: StoredModel,
    present: Sequence[Present],
    *,
    here: NodeId,
    draft_bytes: int = 0,
    stages: int | None = None,
    choice: PlanChoice = NO_CHOICE,
    hurried: bool = False,
    before: Sequence[NodeId] = (),
) -> tuple[Assignment, ...]:
    """The stages of a pipeline for `model` on some of the PCs that are `present`, of which the first is the head's.

    As somebody chose; with a number of stages the first PCs, those of the pipeline `before` in their places there,
    sharing evenly; else whatever answers one user soonest.
    `draft_bytes`: weights of the draft model that the head runs. `hurried`: an answer waits for it, so what is on the
    disks comes before what is a little faster. Reads the graph file, so it is for another thread.

    Raises:
        NoRoom: the PCs here cannot hold the model; it says how much is missing. Or what was chosen cannot be.
        ModelDamaged: its graph cannot be read.
    """
    if stages is not None and not choice.names:
        lenders = [Lender(pc.node, pc.name, pc.device.usable_bytes) for pc in _in_their_places(present, before)]
        return plan(model.manifest, lenders, stages=stages, head_bytes=HEAD_BYTES + DRAFTED * draft_bytes)
    task = task_of(model, present, hurried=hurried)
    best = plan_for(task, model, present, here=here, head_ms=head_ms(draft_bytes), choice=choice)
    return tuple(Assignment(stage.node, stage.name, stage.span, stage.device) for stage in best.stages)


def task_of(model: StoredModel, present: Sequence[Present], *, hurried: bool = False) -> Task:
    """What is planned for one user of a pipeline on some of these PCs; `hurried`: see planned()."""
    besides = Besides(fetch_ms_byte=HURRIED_FETCH_MS_BYTE) if hurried else Besides()
    return Task(model.manifest, promise_of(model, common_precision(pc.device for pc in present)), besides=besides)


def head_ms(draft_bytes: int) -> float:
    """What drafting takes of the head's PC in a step, in milliseconds."""
    return DRAFTED * draft_bytes / UNMEASURED_BYTES_MS


def _in_their_places(present: Sequence[Present], before: Sequence[NodeId]) -> list[Present]:
    """The head's PC first, the others where they were `before`, and newcomers for those that are gone: so most stages
    stay where they are loaded."""
    others = {pc.node: pc for pc in present[1:]}
    newcomers = [pc for pc in present[1:] if pc.node not in before]
    placed = [
        others[node] if node in others else newcomers.pop(0) for node in before[1:] if node in others or newcomers
    ]
    return [*present[:1], *placed, *newcomers]


def plan_for(
    task: Task,
    model: StoredModel,
    present: Sequence[Present],
    *,
    here: NodeId,
    head_ms: float = 0.0,
    choice: PlanChoice = NO_CHOICE,
) -> PoolPlan:
    """The plan for `task` of `model`, with its figures. `head_ms`: what the head's PC does besides in each step.

    Raises:
        NoRoom: see planned().
    """
    present = choice.of(present)
    pcs = [
        pc_of(
            model,
            pc.node,
            pc.name,
            devices=pc.devices,
            told=pc.times,
            held=pc.held,
            disk_bytes=pc.disk_bytes,
            here=pc.node == here,
            head_ms=head_ms,
        )
        for pc in present
    ]
    ways = Ways.told([pc.node for pc in present], {pc.node: pc.links for pc in present})
    if choice.names:
        return plan_as_told(task, pcs, ways, spans=choice.spans or None)
    return plan_pool(task, pcs, ways)


def memory_of(task: Task) -> int:
    """Bytes that all layers need on one PC, with caches for what is promised."""
    promise, besides = task.promise, task.besides
    caches = promise.cache_bytes * promise.context * promise.users
    return int(besides.weights * task.manifest.weights_bytes + caches + besides.stage_bytes)


def ran_before(best: PoolPlan, model: StoredModel, present: Iterable[Present]) -> bool:
    """Whether all PCs of a plan were measured with the model on the device that they get; else its speed is a guess."""
    known = {(pc.node, each.device) for pc in present for each in pc.times if each.model == model.model}
    return all((stage.node, stage.device) in known for stage in best.stages)


def way_ms(pc: Present, other: Present) -> float:
    """From one PC to another, as either of them measured it; 0: not known yet, or the same."""
    told = [link.ms for link in pc.links if link.node == other.node]
    told += [link.ms for link in other.links if link.node == pc.node]
    return next((ms for ms in told if ms), 0.0)


def too_few(count: int, present: Sequence[Present]) -> NoRoom:
    """Not as many PCs lend as were asked for."""
    if not present:
        return NoRoom("No device of this PC can run layers.", "Start Idlepool again; the log says what it found.")
    names = ", ".join(pc.name for pc in present)
    return NoRoom(f"{count} PCs were asked for; only these are here: {names}.", "Are the others switched on?")


def common_precision(devices: Iterable[DeviceInfo]) -> ElementType:
    """What all stages compute in: the default of all where that is one type, else f32, which every device has."""
    precisions = {device.precision for device in devices}
    return precisions.pop() if len(precisions) == 1 else ElementType.F32
