"""Whether OpenCV can be loaded on this computer, and what to do where it cannot.

Its usual package wants libraries for windows on a screen, which a bare server or container lacks.
"""

from types import TracebackType

_LIBRARIES = "libgl1 libglib2.0-0"
"""The Debian and Ubuntu packages that bring what `opencv-python` does not bring itself."""


def why_not() -> str:
    """Say why OpenCV cannot be loaded and what to do, "" where it can."""
    try:
        import cv2  # noqa: F401
    except ImportError as error:
        return trouble_of(error) or str(error)
    return ""


def trouble_of(error: ImportError) -> str | None:
    """Say what to do about an import that failed in OpenCV; None where it was another one.

    >>> trouble_of(ImportError("No module named 'cv2'", name="cv2"))[:24]
    'OpenCV cannot be loaded '
    >>> trouble_of(ImportError("No module named 'flask'", name="flask"))
    """
    if error.name != "cv2" and not _within(error.__traceback__, "cv2"):
        return None
    return (
        f"OpenCV cannot be loaded ({error}): install what it needs (on Debian and Ubuntu: sudo apt "
        f"install {_LIBRARIES}), or take the OpenCV that needs nothing (pip uninstall -y "
        "opencv-python, then pip install opencv-python-headless)"
    )


def _within(trace: TracebackType | None, package: str) -> bool:
    """Whether an error came out of this package."""
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__", ""))
        if name.partition(".")[0] == package:
            return True
        trace = trace.tb_next
    return False
