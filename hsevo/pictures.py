"""The style of all pictures, and the one module that knows matplotlib.

    picture(draw, height)    of a report: SVG without a background, INK for all that is not data
    single(draw)             that stands alone: SVG on white

Each is drawn once and written twice, the other time as PNG on white. matplotlib takes half a second
to import: on the first picture. `tip` notes what a part of a picture says as the mouse is over it.
Wins have one scale of colours on every page: `wins`.
"""

from __future__ import annotations

import gc
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlencode

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
# 2008), except for yellow, which is lost on white, and black, which is lost on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8c8c8c")
# After the seven colours, curves differ by these as well.
LINES = (("o", "-"), ("s", "--"), ("^", ":"), ("v", "-."))
# What was lost, as much as was won, and won: light enough for black text on all of them.
LOST, EVEN, WON = "#f0a04b", "#ffffff", "#6fb3de"
SHADES = 47  # of the scale; matplotlib draws a bar of 49 or more as a bitmap
LEAST = 5.0  # points from 50 % to the ends of the scale, at least: smaller differences stay pale
WIDTH = 5.4  # inches, of pictures in a report: at 360 pixels, of a phone, its text has 10.6
STYLE: dict[Any, Any] = SAME | {
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "xtick.color": INK, "ytick.color": INK, "legend.facecolor": "none", "legend.frameon": False,
    "font.size": 11.5, "axes.titlesize": 11.5, "axes.spines.top": False,
    "axes.spines.right": False, "grid.color": INK, "grid.alpha": 0.15, "axes.axisbelow": True}


Ends: TypeAlias = tuple[float, float]
Draw: TypeAlias = "Callable[[Figure], object]"


@dataclass(frozen=True)
class Picture:
    """Hold a drawn figure as two files.

    Attributes
    ----------
    svg : bytes
        Content of an SVG file.
    png : bytes
        Content of a PNG file.
    """

    svg: bytes
    png: bytes


def picture(draw: Draw, height: float) -> Picture:
    """Draw a figure of a report, WIDTH inches wide and `height` high, in the style of all."""
    return _drawn(draw, (WIDTH, height), STYLE, "none")


def single(draw: Draw, height: float = SINGLE[1]) -> Picture:
    """Draw a figure that stands alone, SINGLE inches wide and high, in matplotlib's own style."""
    return _drawn(draw, (SINGLE[0], height), SAME, "white")


def wins(even: float, far: float) -> dict[str, Any]:
    """Return how axes.pcolormesh colours wins: the arguments cmap, vmin and vmax.

    Orange is `even` - `far` (lost), white `even`, blue `even` + `far` (won); transparent: NaN.
    """
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("wins", [LOST, EVEN, WON], SHADES)
    return {"cmap": scale.with_extremes(bad="none"), "vmin": even - far, "vmax": even + far}


def wins_of(rates: Any) -> dict[str, Any]:
    """Return `wins` for rates in per cent: as far from 50 as they are, in steps of LEAST."""
    import numpy as np

    far = np.nanmax(np.abs(np.asarray(rates, np.float64) - 50), initial=0)
    return wins(50, max(LEAST * np.ceil(far / LEAST), LEAST))


def style_sheet() -> str:
    """Return the colours of wins as CSS variables, for all pages."""
    return f":root {{ --lost: {LOST}; --won: {WON} }}\n"


def line_style(k: int) -> dict[str, Any]:
    """Return colour, marker and line style of curve k, as axes.plot takes them: 28 different ones.
    """
    marker, line = LINES[k // len(COLOURS) % len(LINES)]
    return {"color": COLOURS[k % len(COLOURS)], "marker": marker, "linestyle": line}


def tip(axes: Axes, x: Ends | None, y: Ends | None, words: str,
        games: Mapping[str, str] | None = None) -> None:
    """Note what the part of a picture from x to x and y to y says as the mouse is over it.

    x, y: in the data's coordinates; None: the whole width or height of the axes. games: of which
    stored games it tells, as filters of their list.
    """
    vars(axes.figure).setdefault("tips", []).append((axes, x, y, words, games))


def _drawn(draw: Draw, inches: tuple[float, float], style: dict[Any, Any],
           background: str) -> Picture:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with _few_collections(), mpl.rc_context(style):
        figure = Figure(figsize=inches, layout="constrained")
        draw(figure)
        _pin_empty_labels(figure)
        svg = _file(figure, "svg", background)
        tipped = _with_tips(svg, figure)
        figure.set_layout_engine("none")  # all has its place now, which takes half of the time
        return Picture(tipped, _file(figure, "png", "white"))


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage among the objects of a picture alone, which saves 6 % of its time.

    They are so many that Python would often look through all others, too.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _pin_empty_labels(figure: Figure) -> None:
    """Spare the search for where a label without text would stand.

    For it, matplotlib measures every tick of the axis, and of those that share it, in each pass: a
    tenth of the time of a report.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if not axis.get_label_text():
                axis.set_label_coords(0, 0)


def _with_tips(svg: bytes, figure: Figure) -> bytes:
    """Return a drawn SVG with an invisible rectangle for each of its tips, on top of all."""
    width, height = 72 * figure.get_size_inches()
    parts = []
    for axes, x, y, words, games in vars(figure).get("tips", ()):
        corners = zip(x or axes.get_xlim(), y or axes.get_ylim(), strict=True)
        ends = figure.transFigure.inverted().transform(axes.transData.transform([*corners]))
        (left, right), (top, bottom) = sorted(ends[:, 0] * width), sorted((1 - ends[:, 1]) * height)
        leads = f' data-games="{escape(urlencode(games))}"' if games else ""
        parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height='
                     f'"{bottom - top:.1f}"{leads}><title>{escape(words)}</title></rect>')
    group = f'<g fill="none" pointer-events="all">{"".join(parts)}</g></svg>'
    return svg.replace(b"</svg>", group.encode()) if parts else svg


def _file(figure: Figure, ending: Literal["svg", "png"], background: str) -> bytes:
    """Draw a figure into a file; not by savefig, which would draw all once more for its layout."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    file = io.BytesIO()
    figure.set_dpi(DPI)
    figure.set_facecolor(background)
    if ending == "svg":
        FigureCanvasSVG(figure).print_svg(  # type: ignore[no-untyped-call]
            file, metadata={"Date": None})
    else:
        FigureCanvasAgg(figure).print_png(  # type: ignore[no-untyped-call]
            file, metadata={"Software": None})
    return file.getvalue()
