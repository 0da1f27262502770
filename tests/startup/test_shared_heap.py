"""A promise of commands with many threads: they share what the C library hands out."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

THREADS = """
import ctypes, sys, threading
from mnemic.startup.shared_heap import share_heap

libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
share_heap()
at_once = threading.Barrier(8)

def allocate():
    at_once.wait()
    libc.malloc(4096)
    at_once.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_many_threads_share_two_heaps(tmp_path: Path) -> None:
    told = tmp_path / "heaps.xml"

    subprocess.run([sys.executable, "-c", THREADS, str(told)], check=True)

    assert told.read_text().count("<heap nr=") <= 2
