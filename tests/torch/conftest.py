"""What several test files share: a finished run, made once in each process of tests."""

import pytest


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Return a finished run, which no test changes."""
    from tests.torch.support import learn  # needs PyTorch

    return learn(tmp_path_factory.mktemp("learned") / "whole", workers=1)
