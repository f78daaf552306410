"""domino-rig completion: scripts that let a shell complete commands and options."""

from argparse import Namespace

from argcomplete.shell_integration import shellcode


def run(args: Namespace) -> int:
    """Print the script for a shell, which then asks this program at every Tab."""
    print(shellcode(["domino-rig"], shell=args.shell))
    return 0
