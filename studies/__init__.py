"""What measures the figures of the docs and repeats published studies; by hand, or once a week.

`studies.measure` is the pipeline: `make figures`. Every other module is one study, a command of its
own. Tests of them stand in `studies/tests` (`make studies`); what protects behaviour is in `tests`.
"""

from pathlib import Path

from tests.support import ROOT

DATA = Path(__file__).parent / "data"

__all__ = ["DATA", "ROOT"]
