"""Two writers never meet."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphrag.adapters.file_lock import WriterLock, writer_lock
from graphrag.errors import StoreError

HOLD = """
import sys, time
from pathlib import Path
from graphrag.adapters.file_lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdout=subprocess.PIPE
    )
    try:
        holder.stdout.readline()
        with pytest.raises(StoreError, match=f"process {holder.pid}"):
            writer_lock(tmp_path / "lock").__enter__()
    finally:
        holder.kill()
        holder.wait()


def test_a_killed_writer_leaves_the_lock_free(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdout=subprocess.PIPE
    )
    holder.stdout.readline()
    holder.kill()
    holder.wait()
    with writer_lock(tmp_path / "lock"):
        pass


def test_the_lock_holds_inside_one_process_too(tmp_path):
    with writer_lock(tmp_path / "lock"), pytest.raises(StoreError, match=f"process {os.getpid()}"):
        writer_lock(tmp_path / "lock").__enter__()
    with writer_lock(tmp_path / "lock"):
        pass


def test_one_thread_of_a_process_writes_and_the_others_wait_or_are_told(tmp_path):
    lock = WriterLock(tmp_path / "lock")
    with lock.held(), lock.held(), ThreadPoolExecutor(1) as other:
        assert lock.is_ours
        assert other.submit(lambda: lock.is_ours).result() is False
        with pytest.raises(StoreError, match="another thread of this process"):
            other.submit(_take, lock).result()
    with lock.if_free() as free:
        assert free


def test_a_lock_that_is_not_free_is_not_waited_for(tmp_path):
    with writer_lock(tmp_path / "lock"), WriterLock(tmp_path / "lock").if_free() as free:
        assert not free


def _take(lock):
    with lock.held(turn=0.0):
        pass
