"""HTML pages from templates: one Jinja environment, in which every value is escaped.

A template stands beside the code that fills it in, as NAME.html.j2. Only two things are on a page
as they are: files of this package (`head`, `script`) and what the code calls Markup, with a reason.
Every page has a Content-Security-Policy that allows its own style sheet and script by their hashes
and nothing else: no other script runs, and nothing is fetched.
"""

import hashlib
from base64 import b64encode
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hsevo.pictures import style_sheet

SHORT = 20  # letters of a fact that fits a tile
PACKAGE = Path(__file__).parent


def render(template: str, **values: object) -> str:
    """Return a page: a template of this package, such as "reports/page.html.j2", filled in.

    Raises jinja2.UndefinedError if the template asks for a value that is not there.
    """
    return _environment().get_template(template).render(values)


def teach(**names: object) -> None:
    """Have all templates know something besides their values, such as a function for words."""
    _environment().globals |= names


def head(sheet: str, code: str) -> Markup:
    """Return the policy of a page and its style sheet; sheet, code: files of this package."""
    style = style_sheet() + _text(sheet)
    return Markup('<meta http-equiv="Content-Security-Policy" content="{}">\n<style>{}</style>'
                  ).format(_policy(sheet, code), Markup(style))


def policy(sheet: str, code: str) -> str:
    """Return the policy of a page with this style sheet and script, as a header has it.

    A header also says that no page of another site may frame it; in a page that counts for nothing.
    """
    return f"{_policy(sheet, code)}; frame-ancestors 'none'"


def _policy(sheet: str, code: str) -> str:
    return (f"default-src 'none'; style-src {_digest(style_sheet() + _text(sheet))};"
            f" script-src {_digest(_text(code))}; base-uri 'none'; form-action 'none'")


def script(code: str) -> Markup:
    """Return a script of this package as an element; `head` must have named it."""
    return Markup(f"<script>{_text(code)}</script>")


def _digest(text: str) -> str:
    """Return a text as a policy names it."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _text(path: str) -> str:
    return (PACKAGE / path).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    found = Environment(loader=FileSystemLoader(PACKAGE), autoescape=True,
                        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                        keep_trailing_newline=True)
    found.globals |= {"head": head, "script": script}
    found.tests["short"] = lambda text: len(str(text)) <= SHORT
    found.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "allow_nan": False,
                                           "separators": (",", ":")}
    return found
