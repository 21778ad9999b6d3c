"""What the scripted node plays for the pool page, with "pool" after --play: a pool of five PCs with a model that runs.

"pool-plan": nothing runs, and there is a plan; "pool-none": there is none; "pool-busy": somebody is being answered;
"pool-wide": the chain has eight PCs; "pool-load": it is being prepared; "pool-joined": another PC runs the model;
"pool-long": it has five PCs with long names, and a model with 126 layers; "pool-one" and "pool-two": so many PCs;
"pool-waits": the plan that was chosen waits for a PC; "pool-misfit": it does not fit any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from pcs import member, node_of

from idlepool.engine.commands import LookAround
from idlepool.engine.events import (
    Command,
    Event,
    HostedStages,
    LendingChanged,
    ModelInfo,
    ModelsChanged,
    PeerInfo,
    PipelineChanged,
    PoolChanged,
    StageInfo,
)
from idlepool.engine.figures_events import (
    Chain,
    ChainFigures,
    HeldLayers,
    LentDevice,
    PcFigures,
    StageFigures,
    WantFigures,
)
from idlepool.engine.local_events import LinkSpeed, LookedAround
from idlepool.engine.pairing_events import MemberInfo, MembersChanged
from idlepool.engine.plan_events import (
    ChoosePlan,
    ChosenPlan,
    ExcludePcs,
    OwnPlans,
    PlannedStage,
    PlanTold,
    TryPlan,
    WantPlan,
)
from idlepool.engine.types import DeviceKind

Say = Callable[[Event], None]

MODEL = "qwen3-14b"
LAYERS = 40
GB = 10**9
WORDS = ("acorn", "sunset", "giraffe", "lemon", "torch", "velvet", "kiwi", "harbour")
NO_MORE = "The plan that you chose cannot be used any more."
PEERS = (
    PeerInfo(node_of(0), "idle-1", here=True, present=True),
    member(1, "attic", "present", phase="decoding", lends_reason="idle"),
    member(2, "harbour", "present"),
    member(3, "lagoon", "present", lends=False, lends_reason="user active"),
    member(4, "quarry", "unreachable", "Nobody answers at 192.168.1.24:7420: no connection."),
)
SPANS = ((0, 8), (8, 26), (26, 40))
OTHER_SPANS = {
    "pool-one": ((0, LAYERS),),
    "pool-two": ((0, 1), (1, LAYERS)),
    "pool-wide": tuple((5 * n, 5 * n + 5) for n in range(8)),
    "pool-long": ((0, 1), (1, 60), (60, 100), (100, 124), (124, 126)),
}
DEVICES = (
    (LentDevice("CPU", DeviceKind.CPU, 12 * GB),),
    (LentDevice("GPU", DeviceKind.DISCRETE_GPU, 16 * GB), LentDevice("CPU", DeviceKind.CPU, 24 * GB)),
    (LentDevice("GPU", DeviceKind.INTEGRATED_GPU, 9 * GB),),
)


class Pool:
    def start(self, play: Sequence[str], say: Say) -> None:
        self.how = next((word for word in play if word.startswith("pool")), "")
        self.own = OwnPlans()
        if self.how in ("pool-waits", "pool-misfit"):
            self.own = OwnPlans(chosen=(ChosenPlan(MODEL, (node_of(0), node_of(4)), ((0, 20), (20, LAYERS))),))
        if self.how:
            say(self.own)

    def obey(self, command: Command, say: Say) -> None:
        if not self.how:
            return
        match command:
            case WantFigures(on=True):
                self.tell_all(say)
            case WantPlan(models=models):
                for model in models:
                    say(self.plan(model))
            case TryPlan(plan=plan):
                say(self.tried(plan))
            case ChoosePlan(model=model, pcs=pcs, spans=spans):
                self.own = msgspec.structs.replace(self.own, chosen=(ChosenPlan(model, pcs, spans),) if pcs else ())
                say(self.own)
            case ExcludePcs(nodes=nodes):
                self.own = msgspec.structs.replace(self.own, excluded=nodes)
                say(self.own)
            case LookAround(measure=True):
                say(PoolChanged(self.peers))
                links = LinkSpeed(node_of(1), 0.8, 112e6, 108e6), LinkSpeed(node_of(2), 5.4, 21.4e6, 9.6e6)
                slow = LinkSpeed(node_of(3), 48.0, 2.1e6, 0.9e6)
                say(LookedAround((*links, slow), ("The test of the link to quarry broke off.",)))

    @property
    def peers(self) -> tuple[PeerInfo, ...]:
        if self.how != "pool-joined":
            return PEERS
        return (PEERS[0], msgspec.structs.replace(PEERS[1], running=(MODEL,)), *PEERS[2:])

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return OTHER_SPANS.get(self.how, SPANS)

    def name(self, number: int) -> str:
        if self.how == "pool-long":
            return f"reception-desk-and-print-server-{number}.office.example"
        return PEERS[number].name if number < 3 else f"office-{number}"

    def tell_all(self, say: Say) -> None:
        say(ModelsChanged((ModelInfo(MODEL, LAYERS, 32768, 9 * GB), ModelInfo("starter", 30, 8192, 141_000_000))))
        say(PoolChanged(self.peers))
        say(MembersChanged(tuple(MemberInfo(peer.node, peer.name, peer.here, WORDS) for peer in PEERS)))
        say(LendingChanged("when_idle", lends=False, reason="user active", sentence="Somebody uses this PC."))
        say(HostedStages())
        runs = self.how in ("pool", "pool-busy", "pool-load", *OTHER_SPANS)
        if runs:
            say(self.pipeline())
        say(ChainFigures((self.chain(),) if runs and self.how != "pool-load" else (), self.pcs()))

    def pipeline(self) -> PipelineChanged:
        phases = ("ready", "fetching", "loading") if self.how == "pool-load" else ("ready",) * len(self.spans)
        stages = tuple(
            StageInfo(
                node_of(n),
                self.name(n),
                *span,
                phases[n],
                device="GPU" if n % 2 else "CPU",
                bytes_on_disk=1_300_000_000,
                bytes_needed=3_900_000_000,
                phase_s=0 if phases[n] == "ready" else 14,
            )
            for n, span in enumerate(self.spans)
        )
        if self.how == "pool-load":
            return PipelineChanged(MODEL, "preparing", stages, "Waiting for harbour (loads its layers, 14 s).")
        return PipelineChanged(MODEL, "ready", stages)

    def chain(self) -> Chain:
        busy = self.how == "pool-busy"
        stages = tuple(
            StageFigures(
                node_of(n),
                14.2 - 2 * (n % 3),
                0.4 + n % 4,
                (last - first) * 300_000_000,
                max(9 + n, (last - first) // 2) * GB,
                0 if n % 2 else (last - first) * 280_000_000,  # a GPU's memory is not measured
            )
            for n, (first, last) in enumerate(self.spans)
        )
        return Chain(MODEL, stages, 1284 if busy else 0, 21.3 if busy else 0.0, 44.0 if busy else 0.0)

    def pcs(self) -> tuple[PcFigures, ...]:
        held = (
            (HeldLayers(MODEL, 0, LAYERS, LAYERS), HeldLayers("starter", 0, 30, 30)),
            (HeldLayers(MODEL, 8, 26, LAYERS),),
            (HeldLayers(MODEL, 20, LAYERS, LAYERS), HeldLayers("", 0, 4, 0)),
        )
        return tuple(PcFigures(node_of(n), DEVICES[n], held[n], 0.4 * n) for n in range(3))

    def plan(self, model: str) -> PlanTold:
        lent = 21 * GB if node_of(1) in self.own.excluded else 37 * GB
        if self.how == "pool-none":
            sentence = (
                "The model needs 9.6 GB, 1.3 GB of it for conversations of 8192 tokens, and the PCs here have 7.2"
            )
            hint = "Another PC that lends 3.1 GB would make it fit, or a smaller model."
            return PlanTold(model, False, f"{sentence} GB for it: 2.4 GB are missing.", hint, 0, 9_600_000_000, lent)
        if self.how == "pool-joined":
            return PlanTold(model, possible=True, sentence="attic has this model, and plans for it when asked.")
        if self.how == "pool-misfit" and self.own.chosen:
            sentence, problem = "Layers 0 to 19 need 6.7 GB; idle-1 has 5.1 GB for them.", NO_MORE
            hint = "Give it fewer layers."
            return PlanTold(model, False, sentence, hint, lent_bytes=lent, by_hand=True, problem=problem)
        waits = self.how == "pool-waits" and bool(self.own.chosen)
        left_out = (
            ("lagoon", "It lends nothing at the moment (user active)."),
            ("quarry", "Nobody answers at 192.168.1.24:7420: no connection."),
        )
        return PlanTold(
            model,
            possible=True,
            tokens_per_second=23.4,
            needed_bytes=12_700_000_000,
            lent_bytes=lent,
            stages=self.stages(tuple(node_of(n) for n in range(len(SPANS))), SPANS),
            left_out=left_out,
            measured=self.how != "pool-plan",
            spare_users=3,
            context=8192,
            by_hand=bool(self.own.chosen) and not waits,
            problem="The plan that you chose waits for quarry." if waits else "",
        )

    def tried(self, plan: ChosenPlan) -> PlanTold:
        if plan.spans[0][1] > 20:
            sentence = f"Layers 0 to {plan.spans[0][1] - 1} need 13.4 GB; idle-1 has 11.4 GB for them."
            return PlanTold(plan.model, False, sentence, "Give it fewer layers.", tried=True)
        stages = self.stages(plan.pcs, plan.spans)
        return PlanTold(plan.model, True, "", "", 19.8, stages=stages, measured=True, spare_users=1, tried=True)

    def stages(self, nodes: tuple[str, ...], spans: tuple[tuple[int, int], ...]) -> tuple[PlannedStage, ...]:
        names = {peer.node: peer.name for peer in PEERS}
        return tuple(
            PlannedStage(node, names[node], *span, "GPU", (span[1] - span[0]) * 300_000_000, 11.0, 4 * GB, link_ms=0.4)
            for node, span in zip(nodes, spans, strict=True)
        )
