"""HTML pages from templates: one Jinja environment, in which every value is escaped.

A template stands beside the code that fills it in, as NAME.html.j2. Only two things are on a page
as they are: files of this package (`verbatim`) and what the code calls Markup, with a reason.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

PACKAGE = Path(__file__).parent


def render(template: str, **values: object) -> str:
    """Return a page: a template of this package, such as "reports/page.html.j2", filled in.

    Raises jinja2.UndefinedError if the template asks for a value that is not there.
    """
    return _environment().get_template(template).render(values)


def verbatim(path: str) -> Markup:
    """Return a style sheet or script of this package, as it is: its signs are no user's."""
    return Markup((PACKAGE / path).read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    found = Environment(loader=FileSystemLoader(PACKAGE), autoescape=True,
                        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                        keep_trailing_newline=True)
    found.globals["verbatim"] = verbatim
    found.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "allow_nan": False,
                                           "separators": (",", ":")}
    return found
