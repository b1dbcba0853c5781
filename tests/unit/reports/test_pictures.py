"""Pictures: what spares matplotlib work changes no byte of what it draws."""

import io
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from hsevo import pictures


def panels(figure: Any) -> None:
    """Draw what reports have: shared axes, labels on some, a title, a map with its scale."""
    (first, second), (third, last) = figure.subplots(2, 2, sharex="col")
    first.plot([1, 2, 3], [1e6, 3e6, 2e6])
    first.set_title("wins", loc="left")
    second.boxplot([[1, 2, 5], [2, 3, 4]])
    second.set_ylabel("games")
    third.set_xlabel("generation")
    third.set_yscale("log")
    mesh = last.pcolormesh([[40.0, 60.0], [55.0, 45.0]], **pictures.wins(50, 10))
    last.set_aspect("equal")
    figure.colorbar(mesh, ax=last, label="score (%)")
    figure.supylabel("everything")


@pytest.mark.parametrize(("draw", "inches", "style", "background"), [
    (lambda: pictures.picture(panels, 4), (pictures.WIDTH, 4), pictures.STYLE, "none"),
    (lambda: pictures.single(panels), pictures.SINGLE, pictures.SAME, "white")])
def test_a_picture_is_as_savefig_draws_it(draw: Any, inches: Any, style: Any,
                                          background: str) -> None:
    drawn = draw()
    with mpl.rc_context(style):
        figure = Figure(figsize=inches, layout="constrained")
        panels(figure)
        svg, png = io.BytesIO(), io.BytesIO()
        figure.savefig(svg, format="svg", dpi=pictures.DPI, facecolor=background,
                       metadata={"Date": None})
        figure.set_layout_engine("none")
        figure.savefig(png, format="png", dpi=pictures.DPI, facecolor="white",
                       metadata={"Software": None})
    assert drawn.svg == svg.getvalue()
    assert drawn.png == png.getvalue()
