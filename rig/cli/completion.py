"""domino-rig completion: what makes a shell complete commands and options."""

from argparse import Namespace

from argcomplete.shell_integration import shellcode


def run(args: Namespace) -> int:
    """Print the script of a shell; by it the shell asks this program at every Tab."""
    print(shellcode(["domino-rig"], shell=args.shell))
    return 0
