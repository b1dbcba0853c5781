"""The end-to-end policy of Xiao and others (2023) in PyTorch: network, losses, rounds, learner.

It needs the extra `torch`, and nothing else in hsevo imports it.
"""

try:
    import torch as _torch  # noqa: F401
except Exception as error:  # a broken one may raise anything
    from hsevo.errors import ConfigError

    raise ConfigError(
        "the end-to-end policy needs PyTorch; for the CPU: pip install torch --index-url"
        " https://download.pytorch.org/whl/cpu (for a GPU, 2 GB and more, in the clone of hsevo:"
        " pip install -e '.[torch]')") from error
