"""The words of the pages stand in texts.yaml alone: each is used, each that is used is there."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from jinja2 import Environment, nodes
from markupsafe import Markup

from hsevo.config import parse
from hsevo.errors import ConfigError
from hsevo.play.placing import KEYWORDS
from hsevo.texts import FILE, flat, forms, placeholders, say, script, texts

WEB, STEPPED = FILE.parent / "web", FILE.parent / "replays"
TEMPLATES = [*sorted(WEB.glob("*.html.j2")), STEPPED / "page.html.j2"]
SCRIPTS = [*(path for path in sorted((WEB / "static").glob("*.js")) if path.name != "say.js"),
           STEPPED / "page.js"]
MODULES = [*sorted(WEB.glob("*.py")), STEPPED / "page.py", STEPPED / "habits.py"]
# What is said in a terminal, or to who calls `hsevo.serve`.
ELSEWHERE = {"serving.py"}
# Of --show; of a process with few file handles.
AT_THE_START = ("there is no folder", "this process may open")
ATTRIBUTES = {"aria-label", "title", "alt", "placeholder", "label"}
# What expressions of templates write that nobody reads: attributes, parts of addresses.
MARKS = {"", "hidden", "disabled", "selected", "yes", "no", "shows", "hides", "replay", "game",
         "/again", "replays/page.css", "replays/page.js"}
DYNAMIC = r"[a-z0-9_-]+"  # what stands for a part of a key that is known later


class Use(NamedTuple):
    """A call of `say`: where, a pattern of its keys, and which values it is given."""

    where: str
    key: str
    values: frozenset[str]


def uses_in_template(text: str, where: str) -> Iterator[Use]:
    for call in Environment().parse(text).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "say":
            values = frozenset(one.key for one in call.kwargs)
            for key in template_keys(call.args[0]):
                yield Use(where, key, values)


def template_keys(node: nodes.Node) -> list[str]:
    """Return the patterns of keys that an expression can be."""
    if isinstance(node, nodes.CondExpr):
        assert node.expr2 is not None
        return [*template_keys(node.expr1), *template_keys(node.expr2)]
    if isinstance(node, nodes.Concat):
        return ["".join(re.escape(one.value) if isinstance(one, nodes.Const) else DYNAMIC
                        for one in node.nodes)]
    assert isinstance(node, nodes.Const), "say of something that is no text"
    return [re.escape(node.value)]


def uses_in_module(text: str, where: str) -> Iterator[Use]:
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "say":
            values = frozenset(str(one.arg) for one in call.keywords)
            for key in module_keys(call.args[0]):
                yield Use(where, key, values)


def module_keys(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*module_keys(node.body), *module_keys(node.orelse)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(re.escape(str(one.value)) if isinstance(one, ast.Constant) else DYNAMIC
                        for one in node.values)]
    assert isinstance(node, ast.Constant), "say of something that is no text"
    return [re.escape(str(node.value))]


def uses_in_script(text: str, where: str) -> Iterator[Use]:
    text = without_comments(text)
    for found in re.finditer(r"\b(?:say|parts)\(", text):
        first, *rest = arguments(text[found.end():])
        keys = re.findall(r'(?:^|[?:]\s)\s*(?:"([^"]*)"|`([^`]*)`)', first)
        assert keys, f"{where}: say of something that is no text: {first}"
        given = rest[0].strip().removeprefix("{").removesuffix("}") if rest else ""
        values = frozenset(part.split(":")[0].strip() for part in arguments(f"{given})"))
        for plain, template in keys:
            key = plain or template
            parts = re.split(r"\$\{[^}]*\}", key)
            yield Use(where, DYNAMIC.join(map(re.escape, parts)), values - {""})


def arguments(text: str) -> list[str]:
    """Return the arguments of a call whose bracket was just opened."""
    depth, quote, parts = 0, "", [""]
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"`'":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return parts
        elif sign == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += sign
    raise AssertionError("a call without its end")


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", text, flags=re.DOTALL)


def all_uses() -> list[Use]:
    found = []
    for paths, uses in ((TEMPLATES, uses_in_template), (MODULES, uses_in_module),
                        (SCRIPTS, uses_in_script)):
        for path in paths:
            found += uses(path.read_text(encoding="utf-8"), path.name)
    return found


def keys_of(use: Use) -> list[str]:
    return [key for key in texts() if re.fullmatch(use.key, key)]


def test_each_text_that_is_used_is_there_and_gets_its_values() -> None:
    wrong = []
    for use in all_uses():
        keys = keys_of(use)
        wrong += [] if keys else [f"{use.where}: {use.key} is not there"]
        for key in keys:
            needs = placeholders(texts()[key])
            fits = needs <= use.values if use.where.endswith(".js") else needs == use.values
            wrong += [] if fits else [f"{use.where}: {key} needs {needs}, has {use.values}"]
    assert wrong == []


def test_each_text_is_used() -> None:
    used = {key for use in all_uses() for key in keys_of(use)}
    assert [key for key in texts() if key not in used] == []


def test_all_that_a_character_can_have_has_words() -> None:
    inner = re.findall(r'"([^"]*)"', re.search(  # type: ignore[union-attr]
        r"INNER = new Set\((.*)\)", (WEB / "static/board.js").read_text(encoding="utf-8"))[1])
    said = {f"keywords.{word.replace(' ', '_')}" for word in (*KEYWORDS, "borrowed")
            if word not in inner}
    assert said == {key for key in texts() if key.startswith("keywords.")}


class Bare(HTMLParser):
    """Collects the words of a template that are not filled in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed("".join(html_of(text)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs
                       if name in ATTRIBUTES and value and has_letters(value)]

    def handle_data(self, data: str) -> None:
        self.found += [data.strip()] if has_letters(data) else []


def html_of(text: str) -> Iterator[str]:
    """Yield a template's own HTML, with 0 for what is filled in."""
    for _, kind, value in Environment().lex(text):
        if kind == "data":
            yield value
        elif kind == "variable_begin":
            yield "0"


def has_letters(text: str) -> bool:
    return any(sign.isalpha() for sign in text)


def written(text: str) -> Iterator[str]:
    """Yield what the expressions of a template write besides texts and values."""
    tree = Environment().parse(text)
    for output in tree.find_all(nodes.Output):
        for node in output.nodes:
            yield from literals(node)
    for call in tree.find_all(nodes.Call):  # words that a macro is given
        if isinstance(call.node, nodes.Name) and call.node.name != "say":
            yield from (one.value for one in call.args if isinstance(one, nodes.Const)
                        and isinstance(one.value, str)
                        and not re.fullmatch("[a-z]*", one.value))


def literals(node: nodes.Node | None) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield re.sub(r"%[.0-9]*[fds]|\{[^}]*\}", "", node.value).strip()
    elif isinstance(node, nodes.CondExpr):
        yield from (*literals(node.expr1), *literals(node.expr2))
    elif isinstance(node, nodes.Concat):
        for one in node.nodes:
            yield from literals(one)
    elif isinstance(node, nodes.BinExpr):
        yield from (*literals(node.left), *literals(node.right))
    elif isinstance(node, nodes.Filter):
        yield from literals(node.node)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_words_of_its_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert Bare(text).found == []
    assert [one for one in written(text) if has_letters(one) and one not in MARKS] == []


@pytest.mark.parametrize("text", [
    "<p>Play</p>", "<b>{{ n }} games</b>", '<i title="go on"></i>', '<i aria-label="{{ a }}s"></i>',
    '<input placeholder="code">', '<optgroup label="yours">'])
def test_words_in_a_template_are_found(text: str) -> None:
    assert Bare(text).found


@pytest.mark.parametrize("text", [
    '{{ "Play" if x else say("a") }}', '{{ "turn %d" % n }}', '{{ a + " against " + b }}',
    '{{ side("me", "You") }}', '{{ " or more" if x }}'])
def test_words_in_an_expression_are_found(text: str) -> None:
    assert [one for one in written(text) if has_letters(one) and one not in MARKS]


KEYS = {"Backspace", "Delete", "End", "Enter", "Escape", "Home"}  # of a keyboard
SMALL = {"and", "by", "for", "has", "in", "is", "no", "not", "of", "on", "or", "the", "to",
         "you", "your"}  # words that no class and no address has


def sentences(text: str) -> list[str]:
    """Return what in a script looks like words for a reader."""
    found = []
    for part in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', without_comments(text)):
        says = re.sub(r"\$\{[^}]*\}", "0", "".join(part))
        words = re.findall(r"\b[a-z]{2,}\b", says.lower())
        code = re.search(r"[^\w ,.:;!?’'()%·…]|\.\w|\w\(", says)  # a selector, an address
        if not code and (
                re.fullmatch("[A-Z][a-z]+(,? [a-z0-9]+)*", says)
                or re.search(r"[a-z][.!?…]( |$)", says)
                or (" " in says and (SMALL & {*words} or len(words) > 2))):
            found.append(says)
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_has_words_of_its_own(path: Path) -> None:
    found = sentences(path.read_text(encoding="utf-8"))
    assert [one for one in found if one not in {*KEYWORDS, *KEYS}] == []


@pytest.mark.parametrize("text", [
    'tell("The game is over.")', '"Copied"', "`${n} of ${m} cards`", '"Keep all"', '"to the left"'])
def test_words_in_a_script_are_found(text: str) -> None:
    assert sentences(text)


def complaints(text: str) -> list[str]:
    """Return what a module says is wrong in words of its own."""
    found = []
    for call in ast.walk(ast.parse(text)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not call.args:
            continue
        if re.fullmatch(r"\w+Error|_?refused|problem|closed|Taken|NotSeated|PlainTextResponse",
                        call.func.id):
            words = "".join(str(one.value) for one in outside_say(call.args[0]))
            found += [words] if has_letters(words) else []
    return found


def outside_say(node: ast.AST) -> Iterator[ast.Constant]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from outside_say(child)


@pytest.mark.parametrize("path", [path for path in MODULES if path.name not in ELSEWHERE],
                         ids=lambda path: path.name)
def test_no_module_says_what_is_wrong_in_words_of_its_own(path: Path) -> None:
    found = complaints(path.read_text(encoding="utf-8"))
    assert [one for one in found if not one.startswith(AT_THE_START)] == []


def test_words_in_a_module_are_found() -> None:
    assert complaints('raise GameError(f"no game {n}")') == ["no game "]
    assert complaints('refused("Slower", 429)') == ["Slower"]
    assert complaints('refused(say("a"), 429)') == []


def test_texts_are_filled_in() -> None:
    assert say("build.left", n=1) == "1 more card to choose."
    assert say("build.left", n=2) == "2 more cards to choose."
    link = say("games.of", name=Markup('<a href="/">{}</a>').format("<one>"))
    assert link == 'Games of <a href="/">&lt;one&gt;</a>'
    assert isinstance(link, Markup)
    mixed = say("games.against", a=Markup("<b>a</b>"), b="<i>")
    assert mixed == "<b>a</b> against &lt;i&gt;"


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"no text 'build.lefd'.*did you mean 'build.left'"):
        say("build.lefd")
    with pytest.raises(TypeError, match=r"build.left.*needs \['n'\], but got \[\]"):
        say("build.left")
    with pytest.raises(TypeError, match=r"build\.save"):
        say("build.save", n=1)


@pytest.mark.parametrize(("text", "says"), [
    ("a: {b: yes}", "a.b is 'True', but must be a text; quote it"),
    ("a: {b: }", "a.b is 'None'"), ("a: {b: 3}", "a.b is '3'"), ('a: {b: " "}', "a.b is ' '"),
    ("a: {B: words}", "'a.B' is not a valid name"), ("a: {b: {one: 1 card, other: 2}}", "a.b is")])
def test_what_is_no_text_is_refused(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        dict(flat(parse(text, FILE.name)))


def test_scripts_get_all_texts() -> None:
    code = script()
    assert json.loads(code.removeprefix("export default ").removesuffix(";\n")) == dict(texts())


def test_braces_are_of_placeholders_alone() -> None:
    """Scripts know no others."""
    for text in texts().values():
        assert all("{{" not in form and "}}" not in form for form in forms(text))
        assert all(re.fullmatch("[a-z_]+", name) for name in placeholders(text))

