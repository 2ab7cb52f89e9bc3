"""Labelled pages, and the program run on them: what the scripts of eval/ and bench/ share. The measures are in scoring.py.

A data set is a folder with pages/ and what is known about them (docs/eval.md); a folder of data sets holds one for each site.
"""
import argparse, importlib.machinery, importlib.util, json, os, re, shutil, subprocess, sys, tempfile

from scoring import read, rows as read_rows

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
OWN_SITES = os.path.join(ROOT, 'testdata', 'sites')
LABELLED = os.environ.get('UNMOLD_DATA', os.path.join(ROOT, '..', 'shared', 'data'))
# Exit codes: some pages could not be read; there was nothing to learn from.
BAD_INPUT, NOTHING_LEARNED = 3, 4


def arguments(doc):
    """A parser of what was typed, with the text of --help and the option that names the program."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    program = shutil.which('unmold') or os.path.join(ROOT, 'target', 'release', 'unmold')
    parser.add_argument('--binary', '--unmold', dest='binary', default=program, metavar='PROGRAM', help='the unmold to run')
    return parser


def run(*words, codes=(0,), **how):
    """Runs a program, and ends this one if it fails."""
    done = subprocess.run(words, text=True, encoding='utf8', **how)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(words)} failed with {done.returncode}")
    return done


def rows(binary, *words, codes=(0, BAD_INPUT), **how):
    """The rows that a command writes as JSONL."""
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, 'rows.jsonl')
        run(binary, '-q', *words, '-f', 'jsonl', '-o', file, codes=codes, **how)
        return read_rows(file) if os.path.exists(file) else []


def script(name):
    """A script of this folder as a module."""
    path = os.path.join(ROOT, 'eval', name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def read_json(*names):
    return json.loads(read(os.path.join(*names)))


def write(text, *names):
    """Writes a text, or anything else as JSON, and gives the path."""
    path = os.path.join(*names)
    with open(path, 'w', encoding='utf8') as out:
        out.write(text if isinstance(text, str) else json.dumps(text))
    return path


def is_data_set(folder):
    return os.path.isdir(os.path.join(folder, 'pages'))


def data_sets(folders, only=None):
    """The data sets that folders are, or have inside, by name; `only` is an expression that a name has to match."""
    for folder in map(os.path.normpath, folders):
        inner = [folder] if is_data_set(folder) else [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        for path in inner:
            if is_data_set(path) and re.search(only or '', os.path.basename(path)):
                yield path


def page_files(folder):
    """The files of a data set's pages, by name."""
    pages = os.path.join(folder, 'pages')
    return [os.path.join(pages, name) for name in sorted(os.listdir(pages))]


def lists_of(folder):
    """The folder with the true records of a data set."""
    own = os.path.join(folder, 'records')
    return own if os.path.isdir(own) else os.path.join(folder, 'truth')
