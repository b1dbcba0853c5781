"""Tests of what needs PyTorch, which only .ci/run installs; without it, they are all left out."""

import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install -e '.[torch]'")
