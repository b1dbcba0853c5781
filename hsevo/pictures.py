"""The style of all pictures, and the one module that knows matplotlib.

    picture(draw, height)    of a report: SVG without a background, INK for all that is not data
    single(draw)             that stands alone: SVG on white

Each is drawn once and written twice, the other time as PNG on white. matplotlib takes half a second
to import: on the first picture.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure

SINGLE, DPI = (8.0, 5.0), 150  # inches of a picture that stands alone, 1,200 by 750 pixels
# The same bytes from the same numbers: no time of day, and no random names inside an SVG. A title
# is no formula: dollar signs are dollar signs.
SAME: dict[Any, Any] = {"svg.hashsalt": "hsevo", "text.parse_math": False}

# What is neither data nor background: a page may put the colour of its own text there.
INK = "#1a1b1c"
# Okabe and Ito's colours, which colour-blind people can tell apart ("Color universal design",
# 2008), but for yellow, which is lost on white, and black, which is lost on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8c8c8c")
WIDTH = 5.4  # inches, of pictures in a report: at 360 pixels, of a phone, its text has 10.6
STYLE: dict[Any, Any] = SAME | {
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "xtick.color": INK, "ytick.color": INK, "legend.facecolor": "none", "legend.frameon": False,
    "font.size": 11.5, "axes.titlesize": 11.5, "axes.spines.top": False,
    "axes.spines.right": False, "grid.color": INK, "grid.alpha": 0.15, "axes.axisbelow": True}


Draw: TypeAlias = "Callable[[Figure], object]"


@dataclass(frozen=True)
class Picture:
    """A drawn figure as two files."""

    svg: bytes
    png: bytes


def picture(draw: Draw, height: float) -> Picture:
    """Draw a figure of a report, WIDTH inches wide and `height` high, in the style of all."""
    return _drawn(draw, (WIDTH, height), STYLE, "none")


def single(draw: Draw) -> Picture:
    """Draw a figure that stands alone, SINGLE inches wide and high, in matplotlib's own style."""
    return _drawn(draw, SINGLE, SAME, "white")


def colour_map(colours: Sequence[str]) -> Any:
    """Return a colour map that runs through the colours; transparent where there is no number."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("hsevo", list(colours)).with_extremes(bad="none")


def _drawn(draw: Draw, inches: tuple[float, float], style: dict[Any, Any],
           background: str) -> Picture:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(style):
        figure = Figure(figsize=inches, layout="constrained")
        draw(figure)
        svg = _file(figure, "svg", background)
        figure.set_layout_engine("none")  # all has its place now, which takes half of the time
        return Picture(svg, _file(figure, "png", "white"))


def _file(figure: Figure, ending: Literal["svg", "png"], background: str) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=ending, dpi=DPI, facecolor=background,
                   metadata={"Date": None} if ending == "svg" else {"Software": None})
    return file.getvalue()
