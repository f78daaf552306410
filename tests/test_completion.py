"""Completion by the Tab key, as each shell asks for it."""

import os
import subprocess
import sys

import pytest

from rig.cli.main import main

TAB = """
eval "$(domino-rig completion bash)"
complete -p domino-rig
for line in "$@"; do
  COMP_LINE="$line" COMP_POINT=${#line} COMP_TYPE=9 COMPREPLY=()
  _python_argcomplete domino-rig
  printf '%s|' "${COMPREPLY[@]}"; echo
done
"""


@pytest.fixture
def path(tmp_path):
    """Where a shell finds this very program, whether or not it is installed."""
    program = tmp_path / "bin" / "domino-rig"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rig.cli.main "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"


def test_bash_completes_commands_options_and_choices(path, tmp_path):
    lines = [
        "domino-rig pr",
        "domino-rig camera ",
        "domino-rig predict --de",
        "domino-rig print ma",
    ]
    done = subprocess.run(
        ["bash", "--norc", "-c", TAB, "bash", *lines],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        check=True,
    )
    registered, *replies = done.stdout.splitlines()
    assert registered.endswith("-F _python_argcomplete domino-rig")
    found = [{word.strip() for word in reply.split("|")} - {""} for reply in replies]
    assert found[0] == {"print", "predict"}
    assert {"list", "preview", "check", "shoot"} <= found[1]
    assert found[2] == {"--detail"}
    assert found[3] == {"mat", "marks"}


@pytest.mark.parametrize(("shell", "between"), [("zsh", "\v"), ("fish", "\n")])
def test_zsh_and_fish_are_answered_what_their_scripts_ask(path, tmp_path, shell, between, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "domino-rig" in script and f"_ARGCOMPLETE_SHELL{' fish' * (shell == 'fish')}" in script
    line = "domino-rig calibrate s"
    answer = tmp_path / "answer"
    asked = {
        "PATH": path,
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "IFS": between,
        "_ARGCOMPLETE_IFS": between,
        "_ARGCOMPLETE_DFS": "\t" if shell == "fish" else ":",
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_SHELL": shell,
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
    }
    subprocess.run(["domino-rig"], env={**os.environ, **asked}, check=True, capture_output=True)
    told = [reply.split("\t")[0].split(":")[0] for reply in answer.read_text().split(between)]
    assert [word.strip() for word in told] == ["survey"]
