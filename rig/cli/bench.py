"""`domino-rig bench`: the page of the row bench alone, for this machine's browser."""

import secrets
import webbrowser
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from rig.clock import SystemClock
from rig.config import load_config
from rig.journal import Journal
from rig.row.row_session import RowSession
from rig.virtual.row_bench import tidied
from web.factory import create_app
from web.server.server import Server, settle

_HERE = "127.0.0.1"


def run(args: Namespace) -> int:
    """Serve the page until Ctrl+C; nothing is kept and no other device can reach it."""
    begin = f"#{tidied(args.row)}" if args.row else ""
    with TemporaryDirectory(prefix="domino-rig-") as folder:
        journal = Journal(Path(folder) / "bench.sqlite3")
        session = RowSession(journal, SystemClock(), load_config(), secrets.token_hex)
        app = create_app(session, bind=_HERE, port=args.port)
        try:
            with Server(app, bind=_HERE, port=args.port) as server:
                settle()
                url = f"http://{_HERE}:{server.port}/bench{begin}"
                print(f"Row bench:     {url}")
                print("Stop with Ctrl+C.", flush=True)
                if not args.no_browser:
                    webbrowser.open(url)
                server.wait()
        finally:
            session.close()
    return 0
