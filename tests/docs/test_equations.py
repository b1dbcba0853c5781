"""The learning code cites the equations of its page by their numbers."""

import ast
import re

from tests.docs import PAGES
from tests.support import ROOT

PAGE = (PAGES / "explanation" / "learning.md").relative_to(ROOT).as_posix()


def docstrings(text: str) -> str:
    """Return all docstrings of a module as one text."""
    return "\n".join(
        ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef))


def test_code_cites_every_equation_of_the_page_and_no_other() -> None:
    equations = re.findall(r" \((\d+)\)$", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    assert equations == [str(k + 1) for k in range(len(equations))]
    cited: set[str] = set()
    for folder in ("hsevo/learning", "examples"):
        for path in (ROOT / folder).rglob("*.py"):
            text = docstrings(path.read_text(encoding="utf-8"))
            if PAGE in text:
                cited |= {*re.findall(r"\((\d{1,2})\)", text)}
    assert sorted(cited, key=int) == equations
