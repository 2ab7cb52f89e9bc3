"""Threads, forks, panics, the end of the interpreter: exceptions and never a crash or a hang."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import COUNTRIES, country, site_pages

import unmold

#: A test that hangs is ended.
SECONDS = 60


def python(code, **environment):
    """Runs a program of its own."""
    program = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code)]
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__)} | environment
    return subprocess.run(program, env=environment, capture_output=True, text=True, timeout=SECONDS)


def test_many_threads_read_by_one_mold(mold, shop):
    wanted = [mold.read(page).to_json() for page in shop]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(5):
            assert list(threads.map(lambda page: mold.read(page).to_json(), shop)) == wanted


def test_threads_share_an_iterator(mold, shop):
    reading = mold.read_many(shop * 30)
    with ThreadPoolExecutor(8) as threads:
        counts = list(threads.map(lambda _: sum(1 for _ in reading), range(8)))
    assert sum(counts) == len(shop) * 30


def test_other_threads_go_on_meanwhile():
    """While a mold is learned, Python counts."""
    pages = [page for name in ("news-de", "shop-en", "forum-ru") for page in site_pages(name)]
    counted, is_over = 0, threading.Event()

    def learn():
        unmold.learn(pages)
        is_over.set()

    thread = threading.Thread(target=learn)
    thread.start()
    while not is_over.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 0


def _in_child(mold, pages, results):
    fields = [found.to_json() for found in mold.read_many(pages)]
    one = mold.read(pages[0]).to_json()
    learned = unmold.learn(pages) == unmold.learn(pages[::-1])
    results.put((fields, one, learned, unmold.clean(pages[0]).text, len(unmold.records(pages[-3]))))


def test_a_fork_works_on_while_threads_are_busy(mold, shop):
    """Threads of the parent are not in the child: what they held must not be waited for."""
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            list(mold.read_many(shop))

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        context = multiprocessing.get_context("fork")
        for _ in range(5):
            results = context.Queue()
            child = context.Process(target=_in_child, args=(mold, shop, results))
            child.start()
            fields, one, learned, text, records = results.get(timeout=SECONDS)
            child.join(SECONDS)
            assert child.exitcode == 0
            assert fields == [mold.read(page).to_json() for page in shop] and one == fields[0]
            assert learned and text and records
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_spawned_process_gets_a_mold(mold, shop):
    with multiprocessing.get_context("spawn").Pool(2) as processes:
        assert processes.map(_price, [(mold, page) for page in shop[:4]])[0] == "£48.50"


def _price(given):
    mold, page = given
    return mold.read(page)["price"]


FAILING = """
    from conftest import COUNTRIES, country, site_pages
    import unmold
    mold = unmold.Mold.from_json(unmold.learn(COUNTRIES).to_json())
    bad = country("Poison", 13)
"""


def has_hook():
    """Whether the package was built with the hook that makes it fail on purpose."""
    said = python(FAILING + "    mold.read(bad)", UNMOLD_FAIL_AT="Poison")
    return "PageError" in said.stderr


@pytest.mark.parametrize(
    "code",
    [
        "try: mold.read(bad); raise SystemExit('not raised')\nexcept unmold.PageError as error: print(error.reason)",
        "try: unmold.clean(bad); raise SystemExit('not raised')\nexcept Exception as error: print(error)",
        "try: unmold.records(bad); raise SystemExit('not raised')\nexcept Exception as error: print(error)",
        "found = list(mold.read_many([COUNTRIES[0], bad, COUNTRIES[1]], errors='return')); print(found[1]); assert found[2]['Calling_code'] == '20'",
        "m = unmold.learn([*COUNTRIES, bad]); print(m.failed[0]); assert m.read(COUNTRIES[0])['Calling_code'] == '242'",
        "rows = unmold.group([*COUNTRIES, bad]); assert rows[3]['group'] is None; print(rows[3]['why'])",
        "try: unmold.learn([bad, bad + ' ', country('Poison', 14)]); raise SystemExit('not raised')\nexcept unmold.UnmoldError as error: print(error)",
    ],
)
def test_a_panic_is_an_exception(code):
    if not has_hook():
        pytest.skip("built without debug assertions: nothing fails on purpose")
    said = python(FAILING + textwrap.indent(code, "    "), UNMOLD_FAIL_AT="Poison")
    assert said.returncode == 0, said.stderr
    assert "an error of this program" in said.stdout


def test_the_interpreter_may_end_at_any_time():
    said = python("""
        from conftest import site_pages
        import threading, time, unmold
        pages = site_pages("shop-en")
        mold = unmold.learn(pages)
        def work():
            while True:
                list(mold.read_many(pages))
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """)
    assert said.returncode == 0, said.stderr


def test_an_interrupt_ends_reading():
    code = """
        from conftest import site_pages
        import itertools, signal, unmold
        # A shell that runs tests in the background has it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        pages = site_pages("shop-en")
        mold = unmold.learn(pages)
        print("ready", flush=True)
        for found in mold.read_many(itertools.cycle(pages)):
            pass
    """
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__)}
    program = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        _, error = program.communicate(timeout=SECONDS)
    finally:
        program.kill()
    assert "KeyboardInterrupt" in error


def test_threads_can_be_set():
    unmold.set_threads(1)
    alone = unmold.learn(COUNTRIES)
    unmold.set_threads(0)
    assert unmold.learn(COUNTRIES) == alone
    assert alone.read(country("Chad", 235))["Calling_code"] == "235"
