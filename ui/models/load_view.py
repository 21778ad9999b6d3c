"""How far a model is that is being loaded: each PC with its layers, what it does, how long, and how much has come."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from idlepool.engine.events import PipelineChanged, StageInfo
from idlepool.ui.models.amounts import share_words
from idlepool.ui.models.model_row import plain_label
from idlepool.ui.theme import retone, styled


class LoadView(QWidget):
    """Hidden unless a pipeline is being prepared. For the models page, and for a chat that waits for its model."""

    def __init__(self, *, most: int | None = None) -> None:
        """`most`: so many PCs are shown at once, those first that are not ready; None: all."""
        super().__init__()
        self._most = most
        self.title = plain_label()
        self.lines: list[StageLine] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addLayout(self._grid)
        self.hide()

    def show_pipeline(self, pipeline: PipelineChanged | None) -> None:
        """Show each stage of a pipeline that is being prepared; nothing of another one."""
        preparing = pipeline is not None and pipeline.state == "preparing"
        stages = pipeline.stages if pipeline is not None and preparing else ()
        shown = self._shown(stages)
        while len(self.lines) < len(shown):
            self.lines.append(StageLine(self._grid, len(self.lines)))
        for number, line in enumerate(self.lines):
            line.show_stage(shown[number] if number < len(shown) else None)
        if pipeline is not None and preparing:
            ready = sum(stage.phase == "ready" for stage in stages)
            words = self.tr("Loading: {ready} of {count} PCs are ready")
            self.title.setText(pipeline.detail or words.format(ready=ready, count=len(stages)))
        self.setVisible(preparing)

    def _shown(self, stages: tuple[StageInfo, ...]) -> tuple[StageInfo, ...]:
        if self._most is None or len(stages) <= self._most:
            return stages
        return tuple(sorted(stages, key=lambda stage: stage.phase == "ready")[: self._most])


class StageLine:
    """One PC, as a row of a grid."""

    def __init__(self, grid: QGridLayout, row: int) -> None:
        self.name = styled(QLabel(), "headline")
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.doing = styled(plain_label(), "muted")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedWidth(96)
        self.time = styled(QLabel(), "muted")
        for column, widget in enumerate((self.name, self.doing, self.bar, self.time)):
            grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)

    def show_stage(self, stage: StageInfo | None) -> None:
        """Show what it does, or nothing."""
        for widget in (self.name, self.doing, self.time):
            widget.setVisible(stage is not None)
        self.bar.setVisible(stage is not None and stage.phase == "fetching" and stage.bytes_needed > 0)
        if stage is None:
            return
        self.name.setText(stage.name)
        self.doing.setText(f"{_layers(stage)} · {_phase(stage)}")
        retone(self.doing, {"ready": "good", "lost": "bad"}.get(stage.phase, "muted"))
        self.time.setText(_tr("{seconds} s").format(seconds=stage.phase_s) if stage.phase != "ready" else "")
        self.bar.setAccessibleName(_tr("What {pc} has fetched").format(pc=stage.name))
        self.bar.setRange(0, 1000)
        self.bar.setValue(min(1000, 1000 * stage.bytes_on_disk // max(1, stage.bytes_needed)))


def _layers(stage: StageInfo) -> str:
    if stage.last - stage.first == 1:
        return _tr("layer {first}").format(first=stage.first)
    return _tr("layers {first}–{last}").format(first=stage.first, last=stage.last - 1)


def _phase(stage: StageInfo) -> str:
    fetched = share_words(stage.bytes_on_disk, stage.bytes_needed) if stage.bytes_needed else ""
    words = {
        "waiting": _tr("waits"),
        "fetching": _tr("fetches its layers: {share}").format(share=fetched) if fetched else _tr("fetches its layers"),
        "loading": _tr("reads them into its memory"),
        "compiling": _tr("prepares them for its device"),
        "ready": _tr("ready on its {device}").format(device=stage.device) if stage.device else _tr("ready"),
        "lost": _tr("gone"),
    }
    return words.get(stage.phase, stage.phase)


def _tr(text: str) -> str:
    return QCoreApplication.translate("LoadView", text)
