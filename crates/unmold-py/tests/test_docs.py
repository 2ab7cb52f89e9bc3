"""What is written about the package is true: docstrings, docs/python.md, the README, the notebook, the stubs."""

import doctest
import importlib
import inspect
import re

import pytest
from conftest import ROOT

import unmold

MODULES = ["unmold", "unmold._errors", "unmold._pages", "unmold._show", "unmold._hosts", "unmold.spark"]


def documented():
    """Everything public with a docstring, and the modules."""
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        yield name, module
        for inner, value in vars(module).items():
            if inspect.isclass(value) or callable(value):
                yield f"{name}.{inner}", value
            if inspect.isclass(value):
                yield from ((f"{name}.{inner}.{member}", getattr(value, member, None)) for member in vars(value))


def examples():
    parser, seen = doctest.DocTestParser(), set()
    for name, value in documented():
        text = getattr(value, "__doc__", None)
        if isinstance(text, str) and ">>>" in text and text not in seen:
            seen.add(text)
            names = vars(inspect.getmodule(value) or unmold) if not inspect.ismodule(value) else vars(value)
            yield pytest.param(parser.get_doctest(text, dict(names), name, None, 0), id=name)


@pytest.mark.parametrize("test", list(examples()))
def test_examples_of_docstrings(test):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said = []
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_there_are_examples():
    names = {param.id for param in examples()}
    assert {"unmold.learn", "unmold.Mold", "unmold.Extraction", "unmold.clean", "unmold.records", "unmold.group", "unmold.load"} <= names


def test_everything_public_is_documented():
    for name in unmold.__all__:
        value = getattr(unmold, name)
        assert name == "__version__" or value.__doc__, name
        if inspect.isclass(value) and value.__module__ == "unmold" and not issubclass(value, Exception):
            for member in vars(value):
                assert member.startswith("_") or getattr(value, member).__doc__, f"{name}.{member}"


def test_the_stubs_name_what_there_is():
    import unmold._unmold as compiled

    stub = (ROOT / "crates/unmold-py/python/unmold/_unmold.pyi").read_text()
    for name in dir(compiled):
        if name.startswith("_") and name != "__version__":
            continue
        assert re.search(rf"^(class {name}\b|def {name}\(|{name}:)", stub, re.M), name
        value = getattr(compiled, name)
        if inspect.isclass(value):
            of_class = re.search(rf"^class {name}\b.*?(?=^\S)", stub + "\nend", re.M | re.S).group(0)
            missing = [m for m in vars(value) if not m.startswith("_") and f"def {m}(" not in of_class]
            assert not missing, f"{name}: {missing}"


@pytest.mark.parametrize(("manual", "least"), [("docs/python.md", 5), ("README.md", 1)])
def test_the_manual_runs(manual, least, tmp_path, monkeypatch):
    """Every block of a page of the manual that is Python runs, one after the other, in the folder of the project."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / manual).read_text(), re.M | re.S)
    assert len(blocks) >= least
    monkeypatch.chdir(ROOT)
    names = {"__name__": "manual", "out": str(tmp_path)}
    for block in blocks:
        exec(compile(block, manual, "exec"), names)


def test_the_notebook_runs(monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "docs/python.ipynb", as_version=4)
    nbformat.validate(notebook)
    client.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output.get("data", {}).get("text/html", "") for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("<table>" in html for html in shown) >= 2
