"""Which options were given, to refuse those that would have no effect."""

from argparse import Namespace


def first_given(args: Namespace, *options: str) -> str | None:
    """Name the first of these options that was given; None if none was.

    Args:
        args: of the command.
        options: their names; one that was not given has the value None or False.

    >>> first_given(Namespace(width=0, learn_empty=True), "--learn-empty", "--width")
    '--learn-empty'
    >>> first_given(Namespace(width=0), "--width"), first_given(Namespace(width=None), "--width")
    ('--width', None)
    """
    values = ((each, getattr(args, each[2:].replace("-", "_"))) for each in options)
    return next((each for each, value in values if value is not None and value is not False), None)
