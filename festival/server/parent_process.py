"""Ends a process with the one that started it, even if that one is killed and cannot say so."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Let the kernel kill this process when `parent` has ended: Linux only, elsewhere it lives on.

    The kernel means the thread that started this process, so that must live as long as its process.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # It may have ended before.
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
