"""`domino-rig demo`: bots play a whole game through every layer, over HTTP like phones.

A game without devices is played by its rules alone.
"""

import logging
import tempfile
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from rig.cli.choosing import chosen
from rig.cli.opening import Opened, open_table
from rig.cli.output import print_json
from rig.cli.teller import Teller, teller
from rig.clock import Clock, SystemClock
from rig.config import load_config
from rig.errors import KeyedError
from rig.games.estimation.story.bot import Bot
from rig.games.estimation.story.character import character_of
from rig.games.estimation.story.rounds import game_line, round_lines
from rig.games.estimation.terms import Phase
from rig.games.interface import BadOption
from rig.games.phrase import Fact, Phrase, listed
from rig.games.registry import ESTIMATION, play_of, words_of
from rig.players.http_phone import HttpPhone
from rig.search.bots import USUAL
from rig.search.contest import begun, match
from rig.search.port_model import model_for
from rig.session.seats import BOT_NAMES
from rig.session.state import MARKS
from web.base.rate_limits import Limits, Rate

SPEED = 6.0
"""Factor by which the demo's clock runs faster than the wall's."""

STILL_S = 120.0
"""Seconds without any event after which a game counts as stuck, not slow."""
PAUSE_S = 0.1


class DemoStuck(KeyedError):
    """The game got stuck before its end."""


class Patience:
    """Waits for as long as the game goes on, however slow the machine is.

    Args:
        version: gives a number that grows with whatever happens.
        clock: the wall's.
    """

    def __init__(self, version: Callable[[], int], clock: Clock) -> None:
        self._version = version
        self._clock = clock
        self._seen = (-1, clock.monotonic_s())

    def __call__(self, trouble: str) -> None:
        """Let a moment pass, and look."""
        self._clock.sleep(PAUSE_S)
        self.look(trouble)

    def look(self, trouble: str = "") -> None:
        """Look whether anything has happened.

        Raises:
            DemoStuck: nothing has for too long.
        """
        version, now_s = self._version(), self._clock.monotonic_s()
        if version != self._seen[0]:
            self._seen = (version, now_s)
        elif now_s - self._seen[1] > STILL_S:
            why = f" ({trouble})" if trouble else ""
            raise DemoStuck(
                f"Nothing has happened in the game for {STILL_S:.0f} s{why}: this machine is too "
                "busy, or a device of the table hangs; close other programs and try again",
                "demo.stuck",
                seconds=round(STILL_S),
            )


def run(args: Namespace) -> int:
    """Play one game and print it round by round."""
    if args.game not in (None, ESTIMATION):
        return _match(args)
    if args.preset is not None or args.option:
        raise BadOption("--preset and --option need --game dominoes")
    logging.basicConfig(level=logging.ERROR)
    config = load_config(
        network={"port": 0},
        timing={
            **dict.fromkeys(("countdown_step", "reveal", "hold", "bot"), 0.0),
            "verdict": 5.0,
            "lost": 600.0,  # the clock is fast and the machine may be slow
        },
        virtual={"show_fall": False},  # nobody looks at a screen
    )
    generous = Rate(1e4, 1e4)
    limits = replace(Limits(), device=generous, address=generous, unknown=generous, shout=generous)
    seeds = np.random.SeedSequence(args.seed)
    rig_seeds, *bot_seeds = seeds.spawn(1 + args.players)
    with tempfile.TemporaryDirectory() as folder:
        opened = open_table(
            config,
            Path(folder) / "demo.sqlite3",
            SystemClock(SPEED),
            rig_seeds,
            bind="127.0.0.1",
            limits=limits,
        )
        with opened:
            told = None if args.json else teller(args.language)
            _play(opened, [np.random.default_rng(s) for s in bot_seeds], told)
    return 0


def _match(args: Namespace) -> int:
    """Play a match of a game without devices, by its rules alone."""
    game, options = chosen(args)
    words = words_of(game)
    play = play_of(game)
    rules = play.rules
    first = begun(rules, options, args.players, args.seed, "demo")
    rounds = 0
    out = None if args.json else teller(args.language, game)
    for before, event in match(rules, model_for(rules), first, USUAL, args.seed):
        told = words.event_words(before, event)
        kind = told.pop("type", "")
        if kind not in ("round", "game"):
            continue
        rounds += kind == "round"
        if out is None:
            count = {"round" if kind == "round" else "rounds": rounds}
            print_json("demo", {"kind": kind, **count, **told})
        else:
            fact = play.story.retold(before, event, {})
            numbered = Phrase("demo.round", {"round": rounds, "told": fact})
            print(out.tell(numbered if kind == "round" else fact), flush=True)
    return 0


def _play(opened: Opened, chances: list[np.random.Generator], out: Teller | None) -> None:
    """Play a game, and print its rounds: told, or as JSON where nobody tells them."""
    patience = Patience(lambda: opened.session.journal.version, SystemClock())
    phones: list[HttpPhone] = []
    try:
        phones += [HttpPhone(opened.server.join_url, patience) for _ in chances]
        for i, phone in enumerate(phones):
            _must(phone.command("sit", name=BOT_NAMES[i], mark=MARKS[i]))
            _must(phone.command("ready", on=True))
        _must(phones[0].command("start"))
        bots = [
            Bot(f"s{i + 1}", rng, character_of(f"s{i + 1}"), hold_ms=0)
            for i, rng in enumerate(chances)
        ]
        told = 0
        while opened.session.table.phase is not Phase.GAME_OVER:
            # One after the other, so that a seed gives the same game again; whoever is to place
            # waits until the others have had their chance to call.
            active = opened.session.game.active
            order = sorted(zip(phones, bots, strict=True), key=lambda pair: pair[1].seat == active)
            acted = [_act(phone, bot) for phone, bot in order]
            told = _tell(opened, told, out)
            if not any(acted):
                phones[0].next_view(PAUSE_S)
                patience.look()
        _tell(opened, told, out)
        final = game_line(opened.session.game)
        _print(final, out, _final)
    finally:
        for phone in phones:
            phone.close()


def _must(reply: dict[str, Any]) -> None:
    if not reply["ok"]:
        raise DemoStuck(f"The game did not begin: {reply['message']}", "demo.unbegun")


def _act(phone: HttpPhone, bot: Bot) -> bool:
    """Let one bot look at the table and do what it wants to; say whether it did something."""
    command = bot.next_command(phone.state())
    if command is None:
        return False
    reply = phone.command(command["type"], **{k: v for k, v in command.items() if k != "type"})
    bot.answer(command, reply)
    return bool(reply["ok"])


def _tell(opened: Opened, told: int, out: Teller | None) -> int:
    """Print the rounds that have ended since; give how many there are now."""
    if len(opened.session.game.history) == told:
        return told  # no need to read the whole journal after every move
    rounds = round_lines(opened.session.journal.events())
    for line in rounds[told:]:
        _print(line, out, _round)
    return len(rounds)


def _print(
    line: dict[str, Any], out: Teller | None, told: Callable[[dict[str, Any]], Phrase]
) -> None:
    if out is None:
        print_json("demo", line)
    else:
        print(out.tell(told(line)), flush=True)


def _round(line: dict[str, Any]) -> Phrase:
    chance: Fact = "?"
    if line["p_fall"] is not None:
        chance = Decimal(f"{line['p_fall']:.2f}")
    stages = [
        Phrase(f"demo.stage.{stage}", {"ms": f"{ms:.0f}"}, f"{stage} {ms:.0f}")
        for stage, ms in line["ms"].items()
    ]
    of = {name: line[name] for name in ("round", "caller", "placer", "push_value")}
    return Phrase(
        "demo.fell" if line["outcome"] == "fell" else "demo.stood",
        {**of, "chance": chance, "chips": _chips(line), "stages": stages},
    )


def _final(line: dict[str, Any]) -> Phrase:
    return Phrase("demo.game", {"winners": listed(line["winners"]), "chips": _chips(line)})


def _chips(line: dict[str, Any]) -> Fact:
    return [f"{seat} {n}" for seat, n in line["chips"].items()]
