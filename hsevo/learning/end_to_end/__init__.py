"""The end-to-end policy of the seed's paper in PyTorch: network, losses, rounds of games, learner.

It needs the extra `torch`, and nothing else in hsevo imports it.
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    from hsevo.errors import ConfigError

    raise ConfigError(
        "the end-to-end policy needs PyTorch: pip install 'hsevo[torch]' (2 GB and more for a GPU;"
        " a build for the CPU alone: pip install torch --index-url"
        " https://download.pytorch.org/whl/cpu)") from error
