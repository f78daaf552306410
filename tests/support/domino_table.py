"""A table at which four phones play dominoes."""

from rig.games.dominoes.game import Phase
from rig.games.dominoes.table.dominoes_play import PLAY
from tests.support.card_table import Table


class DominoTable(Table):
    """Four phones at a table of dominoes, with a journal and a clock by hand."""

    def __init__(self, path, play=PLAY):
        super().__init__(path, play)

    def begin(self, **options):
        self.sit()
        if options:
            assert self.send("phone0", "set_options", options=options)["ok"]
        assert self.send("phone0", "start")["ok"]
        return self.shuffle()

    def play_on(self, chance):
        super().play_on(chance)
        while self.game.phase is Phase.ROUND_END:
            self.clock.sleep(self.session.config.timing.round_end)
            self.session.tick()
