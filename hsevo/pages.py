"""HTML pages from templates: one Jinja environment, in which every value is escaped.

A template stands beside the code that fills it in, as NAME.html.j2. Only two things are on a page
as they are: files of this package (`head`, `script`) and what the code calls Markup, with a reason.
A style sheet or script that imports others is written together with them, so that a file alone and
a page of the server can share them. Every page has a Content-Security-Policy that allows its own
style sheet and script by their hashes and nothing else: no other script runs, nothing is fetched.
"""

import hashlib
import posixpath
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from hsevo import texts
from hsevo.pictures import style_sheet

if TYPE_CHECKING:
    from jinja2 import Environment

SHORT = 20  # letters of a fact that fits a tile
PACKAGE = Path(__file__).parent
TEXTS = "web/static/texts.js"  # is no file: it is made of texts.yaml
GROUP = re.compile(r"""["`]([a-z_]+)\.[a-z_$]""")  # of the texts that a script names
SHEET = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
IMPORT = re.compile(r'^import (\{[^}]*\}|\w+) from "([^"]+)";\n', re.MULTILINE)
LINKS = re.compile(r"^(?:import|export)\b", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|class|function) (\w+)", re.MULTILINE)


def render(template: str, **values: object) -> str:
    """Return a page: a template of this package, such as "reports/page.html.j2", filled in.

    Raises jinja2.UndefinedError if the template asks for a value that is not there.
    """
    return _environment().get_template(template).render(values)


def head(sheet: str, code: str) -> Markup:
    """Return the policy of a page and its style sheet; sheet, code: files of this package."""
    style = style_sheet() + _sheet(sheet)
    return Markup('<meta http-equiv="Content-Security-Policy" content="{}">\n<style>{}</style>'
                  ).format(_policy(sheet, code), Markup(style))


def policy(sheet: str, code: str) -> str:
    """Return the policy of a page with this style sheet and script, as a header has it.

    A header also says that no page of another site may frame it; in a page that counts for nothing.
    """
    return f"{_policy(sheet, code)}; frame-ancestors 'none'"


def _policy(sheet: str, code: str) -> str:
    return (f"default-src 'none'; style-src {_digest(style_sheet() + _sheet(sheet))};"
            f" script-src {_digest(_code(code))}; base-uri 'none'; form-action 'none'")


def script(code: str) -> Markup:
    """Return a script of this package as an element; `head` must have named it."""
    text = _code(code)
    assert not re.search("</script|<!--", text), code  # either would end or hide it
    return Markup(f"<script>{text}</script>")


def _digest(text: str) -> str:
    """Return a text as a policy names it."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _sheet(path: str) -> str:
    """Return a style sheet, with those that it imports in their places."""
    return SHEET.sub(lambda match: _sheet(_beside(path, match[1])), _text(path))


@cache
def _code(path: str) -> str:
    """Return a script, after the modules that it imports: each once, with names of its own.

    Of the texts, it has the groups that the script and these modules name.
    """
    modules: dict[str, str] = {}
    text = _linked(path, modules)
    if TEXTS in modules:
        groups = {*GROUP.findall("".join([*modules.values(), text]))}
        modules[TEXTS] = _module(TEXTS, texts.script(groups))
    whole = f'"use strict";\n{"".join(modules.values())}{text}' if modules else text
    assert not LINKS.search(whole), path  # written in another way than IMPORT and EXPORT know
    return whole


def _linked(path: str, modules: dict[str, str]) -> str:
    """Return a script that takes what it imports from constants; add these to `modules`."""
    def taken(match: re.Match[str]) -> str:
        names, module = match[1], _beside(path, match[2])
        if module == TEXTS:
            modules.setdefault(TEXTS, "")  # once it is known which
        elif module not in modules:
            modules[module] = _module(module, _linked(module, modules))
        return f"const {names} = {_name(module)};\n"
    return IMPORT.sub(taken, _text(path))


def _module(path: str, text: str) -> str:
    """Return a constant with what a module exports."""
    exports = ", ".join(EXPORT.findall(text))
    plain = re.sub("^export default ", "return ", text, flags=re.MULTILINE)
    plain = re.sub("^export ", "", plain, flags=re.MULTILINE)
    end = f"return {{ {exports} }};\n" if exports else ""
    return f"const {_name(path)} = (() => {{\n{plain}{end}}})();\n"


def _name(path: str) -> str:
    """Return what the constant of a module is called."""
    return "$" + re.sub(r"\W", "_", path)


def _beside(path: str, name: str) -> str:
    """Return the path of a file that another one names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


@cache
def _text(path: str) -> str:
    return (PACKAGE / path).read_text(encoding="utf-8")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # few commands make pages

    environment = Environment(loader=FileSystemLoader(PACKAGE), autoescape=True,
                              undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                              keep_trailing_newline=True)
    environment.globals |= {"head": head, "script": script, "say": texts.say}
    environment.tests["short"] = lambda text: len(str(text)) <= SHORT
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "allow_nan": False,
                                                 "separators": (",", ":")}
    return environment
