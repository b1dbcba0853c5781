"""What mkdocs calls: figures are checked and generated parts put in before pages become HTML.

<!-- NAME.KEY -->50.31 %<!-- / --> quotes figures.yml, and {{ generated.PART }} is a part that
generated.py makes. A name that is not there, or a figure that differs, stops the build. Pages with
such a part begin with NOTE, for those who read the file itself.
"""

import re

import figures
import generated
from mkdocs.exceptions import PluginError

NOTE = ("*In the clone, parts of this page are missing: `make docs` fills them in, in"
        " `build/site`.*\n\n")


def on_page_markdown(markdown, page, config, files):
    """Return a page's text with its generated parts, without NOTE and the marks of figures."""
    parts = generated.parts()
    try:
        text = markdown.replace(NOTE, "")
        checked = figures.check(text, figures.quoted(figures.read()))
        return re.sub(r"\{\{ *([\w.-]+) *\}\}", lambda slot: parts[slot[1]].rstrip(), checked)
    except (KeyError, ValueError) as error:
        raise PluginError(f"{page.file.src_uri}: {error}") from None
