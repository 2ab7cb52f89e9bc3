"""The command line that comes with the package does what the program does: the same bytes, the same exit codes."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT, SITES, program

SHOP = str(SITES / "shop-en" / "pages")
MODULE = [sys.executable, "-m", "unmold"]
INSTALLED = [os.path.join(os.path.dirname(sys.executable), "unmold")]


def run(start, *words, **how):
    return subprocess.run([*start, *words], cwd=ROOT, capture_output=True, timeout=120, **how)


@pytest.mark.parametrize("start", [MODULE, INSTALLED], ids=["module", "installed"])
@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["extract", "--help"],
        ["extract", "-q", "-f", "csv", SHOP],
        ["clean", "-q", "-f", "jsonl", SHOP],
        ["records", "-q", "-f", "csv", SHOP],
        # Mistakes: an unknown option, no such file, nothing to learn from.
        ["extract", "--nope"],
        ["extract", "-q", "not-there"],
        ["learn", "-q", os.path.join(SHOP, "0001.html")],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_prints_what_the_program_prints(start, words):
    expected = run([program()], *words)
    given = run(start, *words)
    assert (given.returncode, given.stdout, given.stderr) == (expected.returncode, expected.stdout, expected.stderr)


def test_reads_standard_input():
    page = open(os.path.join(SHOP, "0001.html"), "rb").read()
    expected = run([program()], "clean", "-q", "-", input=page)
    assert run(MODULE, "clean", "-q", "-", input=page).stdout == expected.stdout != b""


def test_is_quiet_when_nobody_reads_on():
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m unmold extract -q -f jsonl "{SHOP}" | head -n 1 | wc -l; exit ${{PIPESTATUS[0]}}'],
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"1", b"")


def test_ends_when_it_is_interrupted():
    process = subprocess.Popen([*MODULE, "clean", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        # It waits for a page that does not come, and says nothing before it begins to read.
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    finally:
        process.kill()
        process.stdin.close()
        process.stderr.close()
