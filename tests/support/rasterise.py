"""A PDF as a printer would put it on paper: pixels of a known size."""

import cv2
import numpy as np
import pypdfium2

MM_INCH = 25.4


class Raster:
    """One page as an image.

    Attributes:
        gray: shape (rows, columns), 0 ink, 255 paper.
        paper_mm: width and height of the page.
        px_mm: pixels per millimetre, across and down.
    """

    def __init__(self, page, dpi):
        points = page.get_size()
        self.gray = np.array(page.render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze()
        self.paper_mm = tuple(side * MM_INCH / 72 for side in points)
        rows, columns = self.gray.shape
        self.px_mm = np.array([columns / self.paper_mm[0], rows / self.paper_mm[1]])

    def mm(self, px):
        """Pixels (centres at integers) to mm from the upper left corner of the page, y down."""
        return (np.asarray(px, float) + 0.5) / self.px_mm

    def px(self, mm):
        """The other way round."""
        return np.asarray(mm, float) * self.px_mm - 0.5


def pages(path, dpi=300):
    """Rasterise every page of a PDF file."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [Raster(document[n], dpi) for n in range(len(document))]
    finally:
        document.close()


def strokes(profile):
    """Find thin dark lines across a row or column of pixels; give their middles in px."""
    dark = 255.0 - profile
    groups = np.split(np.arange(len(dark)), np.flatnonzero(np.diff(dark > 25)) + 1)
    return [float(np.average(g, weights=dark[g])) for g in groups if dark[g[0]] > 25]


def rigid(there_mm, here_mm):
    """Lay points on others by moving and turning alone; give the largest miss and the turn.

    Args:
        there_mm: where they should be, shape (n, 2), y up.
        here_mm: where they are, shape (n, 2), y down.
    """
    a = there_mm - there_mm.mean(axis=0)
    b = (here_mm - here_mm.mean(axis=0)) * (1, -1)
    u, _, vt = np.linalg.svd(b.T @ a)
    turn = u @ np.diag([1, np.sign(np.linalg.det(u @ vt))]) @ vt
    return float(np.linalg.norm(b @ turn - a, axis=1).max()), turn


def markers(gray, dictionary):
    """Find all markers of a dictionary: id to corners in px; a list, as there may be twins."""
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(words, parameters).detectMarkers(gray)
    names = [] if ids is None else np.asarray(ids).ravel().tolist()
    return [(n, np.asarray(c, float).reshape(4, 2)) for n, c in zip(names, corners, strict=True)]
