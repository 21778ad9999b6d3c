"""The chain of PCs that runs a model, or would: values for the picture, from what the node told; no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from idlepool.engine.events import PipelineChanged, StageInfo
from idlepool.engine.figures_events import Chain, StageFigures
from idlepool.engine.plan_events import PlannedStage, PlanTold
from idlepool.ui.node_state import NodeState

ChainState = Literal["unknown", "planned", "preparing", "ready", "broken"]
"""unknown: nothing was told yet, or the model cannot run; planned: its layers are loaded with the next question."""

UNKNOWN_STAGE = StageFigures("", 0.0, 0.0, 0, 0)


@dataclass(frozen=True, slots=True)
class ChainPc:
    """A PC of the chain with layers `[first, last)`. Figures that are not known are 0."""

    node: str
    name: str
    here: bool
    first: int
    last: int
    device: str = ""
    phase: str = "ready"
    """See StageInfo."""
    phase_s: int = 0
    fetched: float = 0.0
    """Share of what it fetches that has come."""
    memory_bytes: int = 0
    measured: bool = False
    """Its PC measured what the layers take; else that is what they were planned to need."""
    lent_bytes: int = 0
    step_ms: float = 0.0
    link_ms: float = 0.0
    """To the next PC, from the last one back to the first."""


@dataclass(frozen=True, slots=True)
class ChainPicture:
    """All of it. Values that are equal look the same."""

    model: str
    state: ChainState = "unknown"
    pcs: tuple[ChainPc, ...] = ()
    detail: str = ""
    tokens: int = 0
    tokens_per_second: float = 0.0
    """In the last second."""
    round_ms: float = 0.0
    """Of a step in the last second; 0: it rests."""

    @property
    def layers(self) -> int:
        """Of the model."""
        return self.pcs[-1].last if self.pcs else 0


def chain_of(state: NodeState, model: str) -> ChainPicture:
    """What is to be seen of a model, by name: its pipeline where there is one, else how it is planned."""
    here = state.here.node if state.here is not None else ""
    pipeline, plan = state.pipelines.get(model), state.plans.get(model)
    if pipeline is not None and pipeline.stages and pipeline.state != "broken":
        chains = state.figures.chains if state.figures is not None else ()
        return _running(pipeline, next((chain for chain in chains if chain.model == model), None), here)
    if plan is not None and plan.possible and plan.stages:
        return ChainPicture(model, "planned", tuple(_planned(stage, here) for stage in plan.stages))
    broken = pipeline is not None and pipeline.state == "broken"
    detail = pipeline.detail if pipeline is not None else _why_not(plan)
    return ChainPicture(model, "broken" if broken else "unknown", detail=detail)


def _why_not(plan: PlanTold | None) -> str:
    return f"{plan.sentence} {plan.hint}".strip() if plan is not None else ""


def _running(pipeline: PipelineChanged, chain: Chain | None, here: str) -> ChainPicture:
    figures = {stage.node: stage for stage in chain.stages} if chain is not None else {}
    pcs = tuple(_pc(stage, figures.get(stage.node, UNKNOWN_STAGE), here) for stage in pipeline.stages)
    state: ChainState = "ready" if pipeline.state == "ready" else "preparing"
    if chain is None:
        return ChainPicture(pipeline.model, state, pcs, pipeline.detail)
    done = chain.tokens, chain.tokens_per_second, chain.round_ms
    return ChainPicture(pipeline.model, state, pcs, pipeline.detail, *done)


def _pc(stage: StageInfo, figures: StageFigures, here: str) -> ChainPc:
    return ChainPc(
        stage.node,
        stage.name,
        stage.node == here,
        stage.first,
        stage.last,
        stage.device,
        stage.phase,
        stage.phase_s,
        min(stage.bytes_on_disk / stage.bytes_needed, 1.0) if stage.bytes_needed else 0.0,
        figures.measured_bytes or figures.memory_bytes,
        figures.measured_bytes > 0,
        figures.lent_bytes,
        figures.step_ms or stage.step_ms,
        figures.link_ms,
    )


def _planned(stage: PlannedStage, here: str) -> ChainPc:
    return ChainPc(
        stage.node,
        stage.name,
        stage.node == here,
        stage.first,
        stage.last,
        stage.device,
        memory_bytes=stage.memory_bytes,
        lent_bytes=stage.memory_bytes + stage.spare_bytes,
        step_ms=stage.step_ms,
        link_ms=stage.link_ms,
    )
