"""A stand-in for the node process: speaks `idlepool.engine.events` and brings the window into states at will.

    python scripted_node.py [--no-model] [--pcs N] [--download finish|hang|fail] [--answers FILE.json] [--refuse HOW]

The first word of a question says what happens: "hold" (streams, then waits to be stopped), "fail", "die", "garbage"
(malformed lines in between), "split" (lines in two pieces), "told" (answers with what it was told), "prepare" (a
pipeline that is never ready), "break", "pause" (waits for a PC), "queue" (waits in line), "wait" (for a moment), "full"
(a conversation that is nearly as long as the model can hold), "slide" (one that is longer), "end" (an answer that
reaches its end), "unfit" (no answer as long as there is a plan made by hand). Any other question is answered from FILE,
or with its own words in capitals; an answer that broke off goes on with " AND MORE".

With --pairs it can pair; --pairing says what becomes of the code it shows. A code typed here says by its first letter
what happens: "W" (it is wrong), "H" (nothing, for ever); any other one pairs with "lagoon". With --states the PCs are
those of pcs_in_states.py. With --refuse it says at its start that it cannot run, and ends, or crashes, or runs all the
same. A question with "join" is answered by another PC; "notice" tells something that is told once.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import msgspec
from scripted_parts import PARTS

from idlepool.engine.commands import AreYouThere, EnterCode, LeavePool, OpenPairing, RemoveMember
from idlepool.engine.errors import PeerLost
from idlepool.engine.events import (
    AddModel,
    AnswerDone,
    AnswerPaused,
    AnswerQueued,
    AnswerStarted,
    AnswerText,
    Ask,
    Command,
    Event,
    FinishReason,
    ModelInfo,
    ModelProgress,
    ModelsChanged,
    NodeReady,
    PeerInfo,
    PipelineChanged,
    PoolChanged,
    StageInfo,
    Stop,
    Trouble,
    decode_command,
    encode_line,
)
from idlepool.engine.local_events import Here
from idlepool.engine.model_events import Adding, AddingChanged
from idlepool.engine.pairing_errors import WrongCode
from idlepool.engine.pairing_events import (
    MemberInfo,
    MembersChanged,
    PairingDone,
    PairingFailed,
    PairingOpen,
    PairingWrong,
)
from idlepool.engine.plan_events import ChoosePlan

STARTER = ModelInfo("starter", layers=30, context=8192, bytes=141_000_000)
SPEED = 23.4


def say(event: Event) -> None:
    say_bytes(encode_line(event))


def say_bytes(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


class ScriptedNode:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.answers: dict[str, str] = json.loads(options.answers.read_text("utf-8")) if options.answers else {}
        self.held = 0
        self.planned = False
        """Automatically."""
        self.members = tuple(MemberInfo(f"{n:064x}", name, n == 0) for n, name in enumerate(options.pairs or ()))

    def start(self) -> None:
        if self.options.refuse:
            say(Trouble("/data could not be written: Read-only file system.", "Allow Idlepool to write there."))
            sys.stderr.write("the last words of the node\n")
            if self.options.refuse != "runs":
                sys.exit(1 if self.options.refuse == "ends" else 3)
        say(NodeReady("0" * 64, "idle-1", "127.0.0.1", 7400, () if self.options.no_model else (STARTER,)))
        for part in PARTS:
            part.start(self.options.play, say)
        if self.options.states:
            from pcs_in_states import MEMBERS, PEERS  # late: they import half of the engine

            say(PoolChanged(PEERS))
            self.tell_members(*MEMBERS)
            return
        say(PoolChanged(tuple(PeerInfo(f"{n:064x}", f"idle-{n + 1}", n == 0, True) for n in range(self.options.pcs))))
        if self.options.pairs is not None:
            self.tell_members(*self.members)

    def obey(self, command: Command) -> None:
        for part in PARTS:
            part.obey(command, say)
        match command:
            case AreYouThere():
                say(Here())
            case Ask():
                self.answer(command)
            case Stop(request=request) if request == self.held:
                self.done(request, "cancelled")
            case AddModel():
                self.download()
            case ChoosePlan(pcs=()):
                self.planned = True
            case OpenPairing() | EnterCode() | RemoveMember() | LeavePool():
                self.pair(command)

    def answer(self, ask: Ask) -> None:
        question = ask.messages[-1].content
        how = question.split()[0].lower() if ask.messages[-1].role == "user" else "go on"
        if how == "unfit" and not self.planned:
            self.done(ask.request, "failed", "The plan that you made by hand does not fit now.", own_plan=True)
            return
        if how == "prepare":
            self.held = ask.request
            say(self.pipeline(ask.model, "preparing"))
            return
        if how == "queue":
            self.held = ask.request
            say(self.pipeline(ask.model, "ready"))
            say(AnswerQueued(ask.request, 3))
            say(AnswerQueued(ask.request, 2))
            return
        if how == "wait":
            say(AnswerQueued(ask.request, 2))
            say(AnswerQueued(ask.request, 1))
        prompt, dropped = {"full": (7000, 0), "slide": (5000, 6)}.get(how, (12, 0))
        who = "attic" if "join" in question.split() else ""
        say(AnswerStarted(ask.request, prompt, 8192, 1024, len(ask.messages) - dropped, dropped, 600 * dropped, who))
        if not who:
            say(self.pipeline(ask.model, "ready"))
        text = self.answers.get(question, question.upper())
        if how == "go on":
            text = " AND MORE"
        if how == "told":
            text = msgspec.json.encode(ask).decode()
        self.stream(ask.request, text, how)
        self.finish(ask, how)

    def stream(self, request: int, text: str, how: str) -> None:
        for start in range(0, len(text), 12):
            line = encode_line(AnswerText(request, text[start : start + 12], start // 4 + 3, SPEED))
            if how == "garbage":
                say_bytes(b'{"type":"answer_text"}\nthis is no JSON\n\xff\xfe\n\n')
            if how == "split":
                say_bytes(line[:9])
                time.sleep(0.02)
                line = line[9:]
            say_bytes(line)

    def finish(self, ask: Ask, how: str) -> None:
        match how:
            case "pause":
                say(AnswerPaused(ask.request, f"{PeerLost('idle-2', 10, 20).sentence} The answer goes on in a moment."))
                self.held = ask.request
            case "hold":
                self.held = ask.request
            case "fail":
                say(PipelineChanged(ask.model, "broken", detail=str(PeerLost("idle-2", 10, 20))))
                self.done(ask.request, "failed", str(PeerLost("idle-2", 10, 20)))
            case "break":
                say(Trouble("The disk of idle-2 is full.", "Free some space there."))
                self.done(ask.request, "stop")
            case "notice":
                say(Trouble("The private key of this PC lies in a file.", "Keep others away from it.", once=True))
                self.done(ask.request, "stop")
            case "die":
                sys.stderr.write("the last words of the node\n")
                sys.exit(3)
            case "long":
                self.done(ask.request, "length")
            case "end":
                detail = (
                    "The model can hold 8,192 tokens: 8,000 of the conversation and 192 of this answer have filled it."
                )
                self.done(ask.request, "length", detail)
            case "full":
                self.done(ask.request, "stop", prompt_tokens=7000)
            case _:
                self.done(ask.request, "stop")

    def done(
        self, request: int, finish: FinishReason, detail: str = "", *, prompt_tokens: int = 12, own_plan: bool = False
    ) -> None:
        more = {"drafted": 8, "accepted": 5, "own_plan": own_plan}
        say(AnswerDone(request, finish, (1, 2, 3), prompt_tokens, SPEED, 180.0, detail, **more))

    def download(self) -> None:
        say(ModelProgress("starter", "fetching", 41_000_000, 92_871_040))
        if self.options.download == "fail":
            trouble = Trouble("The starter model could not be fetched: no route to host.", "Check the connection.")
            say(AddingChanged((Adding("starter", "failed", sentence=trouble.sentence, hint=trouble.hint),)))
            say(trouble)
        elif self.options.download == "finish":
            say(ModelsChanged((STARTER,)))

    def tell_members(self, *members: MemberInfo) -> None:
        self.members = members
        say(MembersChanged(members))

    def pair(self, command: Command) -> None:
        match command:
            case OpenPairing():
                say(PairingOpen("K7MP-3XQ9", self.options.good_for, ("192.168.1.20", "10.0.0.20")))
                if self.options.pairing == "wrong":
                    say(PairingWrong(4))
                elif self.options.pairing == "void":
                    say(PairingFailed("That code is void: nobody typed it in time.", "Show a new one."))
                elif self.options.pairing == "done":
                    self.paired()
            case EnterCode(code=code) if code.startswith("W"):
                error = WrongCode(4)
                say(PairingFailed(error.sentence, error.hint))
            case EnterCode(code=code) if not code.startswith("H"):
                self.paired()
            case RemoveMember(node=node):
                self.tell_members(*(member for member in self.members if member.node != node))
            case LeavePool():
                self.tell_members(*(member for member in self.members if member.here))

    def paired(self) -> None:
        self.tell_members(*self.members, MemberInfo("f" * 64, "lagoon", False))
        say(PairingDone("f" * 64, "lagoon", ("acorn", "tiger", "piano", "lemon")))

    def pipeline(self, model: str, state: str) -> PipelineChanged:
        count = self.options.pcs
        edges = [round(30 * n / count) for n in range(count + 1)]
        phases = ["loading", "fetching"] if state == "preparing" else ["ready"]
        stages = tuple(
            StageInfo(
                f"{n:064x}",
                f"idle-{n + 1}",
                edges[n],
                edges[n + 1],
                phases[min(n, len(phases) - 1)],
                device="CPU",
                bytes_on_disk=20_000_000,
                bytes_needed=50_000_000,
            )
            for n in range(count)
        )
        return PipelineChanged(model, state, stages)  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-model", action="store_true")
    parser.add_argument("--pcs", type=int, default=3)
    parser.add_argument("--download", choices=("finish", "hang", "fail"), default="finish")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--pairs", nargs="*", metavar="NAME", help="the members, this PC first")
    parser.add_argument("--states", action="store_true")
    parser.add_argument("--pairing", choices=("wait", "wrong", "void", "done"), default="wait")
    parser.add_argument("--good-for", type=float, default=120)
    parser.add_argument("--play", nargs="*", default=(), help="what scripted_parts play, by their own words")
    parser.add_argument("--refuse", choices=("ends", "crashes", "runs"))
    parser.add_argument("--deaf", action="store_true", help="do not end when the input ends")
    node = ScriptedNode(parser.parse_args())
    node.start()
    for line in sys.stdin.buffer:
        node.obey(decode_command(line))
    while node.options.deaf:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
