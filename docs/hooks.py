"""What mkdocs calls: pages get their figures and generated parts before they become HTML.

{{ NAME.KEY }} is a figure of figures.yml, {{ generated.PART }} a part that generated.py makes. A
name that is not there stops the build.
"""

import figures
import generated
from mkdocs.exceptions import PluginError


def on_page_markdown(markdown, page, config, files):
    """Return a page's text with figures and generated parts put in."""
    try:
        return figures.fill(markdown, figures.quoted(figures.read()) | generated.parts())
    except KeyError as error:
        raise PluginError(f"{page.file.src_uri}: there is no {error}") from None
