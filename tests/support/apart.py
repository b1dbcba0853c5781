"""`hsevo WORDS` in a process of its own, which a test can kill or stop.

A server that has loaded hsevo forks it, so that it begins at once: a new Python takes two seconds.
"""

import functools
import multiprocessing
import os
import signal
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

import pytest

from tests.support import ROOT


@functools.cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.loaded"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        forkserver.ensure_running()
    return context


def begin(*words: object, fake: bool = True, said: Path | None = None, most_bytes: int = 0,
          **env: str) -> ForkServerProcess:
    """Begin a command, as the leader of a process group; `fake`: on the stand-in engine.

    said: the file that gets stderr; most_bytes: how long a file may get, if above 0.
    """
    process = _server().Process(target=_run, args=(
        [*map(str, words)], fake, str(said or os.devnull), most_bytes, os.getcwd(),
        {**os.environ, **env}))
    process.start()
    return process


def _run(words: list[str], fake: bool, said: str, most_bytes: int, folder: str,
         env: dict[str, str]) -> None:
    from hsevo.cli import main
    from hsevo.play import match
    from tests.support import fake as stand_in

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    for number, path in ((1, os.devnull), (2, said)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if most_bytes:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    if fake:
        stand_in.install(lambda name, value: setattr(match, name, value))
    main(words)
