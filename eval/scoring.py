#!/usr/bin/env python3
"""The measures of docs/eval.md once more, in Python and from their definitions: what `unmold eval` says can be checked by it.

  eval/scoring.py content  --texts ROWS [--words] --truth FOLDER
  eval/scoring.py fields   --rows ROWS --truth FILE [--top N]
  eval/scoring.py examples --rows ROWS --truth FILE --learned-from PAGE...
  eval/scoring.py records  --rows ROWS --truth FOLDER [--top-patterns N]
  eval/scoring.py groups   --groups ROWS --truth FILE

ROWS is what `clean`, `extract`, `records` or `group` wrote with -f jsonl. The last line printed is a JSON object of figures. Standard
library only; the other scripts of this folder take their measures from here.
"""
import argparse, collections, html, json, os, re

# Letters of scripts that are written without spaces are words each.
UNSPACED = '\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff'
WORD = re.compile(r'\w+')
WORD_OR_CHARACTER = re.compile(rf'[{UNSPACED}]|[^\W{UNSPACED}]+')
SHINGLE = 4
SHARED_WORDS = 0.8
FEWEST_WORDS = 2


def folded(text):
    """Entities decoded twice, since values of attributes are often escaped twice, and white space folded."""
    return ' '.join(html.unescape(html.unescape(str(text))).split())


def page_name(path):
    return re.sub(r'\.(html?|xml|txt|json|gz)$', '', os.path.basename(path))


def share(part, whole):
    return part / whole if whole else 0.0


def f1(precision, recall):
    return share(2 * precision * recall, precision + recall)


def mean(figures):
    figures = list(figures)
    return share(sum(figures), len(figures))


def rows(path):
    with open(path, encoding='utf8') as lines:
        return [json.loads(line) for line in lines if line.strip()]


def read(path):
    with open(path, encoding='utf8', errors='replace') as file:
        return file.read()


def truths(folder, ending):
    """What is known of each page of a folder, by its name."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(ending))
    return {page_name(name): read(os.path.join(folder, name)) for name in names}


# Main content.

def is_unspaced(text):
    flat = text.replace(' ', '')
    return sum('\u3040' <= letter <= '\u9fff' for letter in flat) > 0.2 * max(1, len(flat))


def shingles(text):
    tokens = [letter for letter in text if not letter.isspace()] if is_unspaced(text) else WORD.findall(text)
    if not tokens:
        return collections.Counter()
    return collections.Counter(tuple(tokens[at:at + SHINGLE]) for at in range(max(1, len(tokens) - SHINGLE + 1)))


def overlap(given, truth):
    """What both have, what only the given text has, and what only the truth has, as shares."""
    given, truth = shingles(given), shingles(truth)
    both = (given & truth).total()
    counts = both, given.total() - both, truth.total() - both
    return [share(count, sum(counts)) for count in counts]


def figures(pages):
    """F1, precision and recall of the overlaps of pages."""
    right, wrong, missed = (sum(page[at] for page in pages) for at in range(3))
    precision, recall = share(right, right + wrong), share(right, right + missed)
    return f1(precision, recall), precision, recall


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def word_f1(given, truth):
    given, truth = words(given), words(truth)
    every = given.total() + truth.total()
    return 2 * (given & truth).total() / every if every else 1.0


def content(options):
    given = {page_name(row['page']): row.get('text') or '' for row in rows(options.texts)}
    truth = truths(options.truth, '.txt')
    if options.words:
        return {'f1': mean(word_f1(given.get(page, ''), text) for page, text in truth.items()), 'pages': len(truth)}
    score = figures([overlap(given.get(page, ''), text) for page, text in truth.items()])
    return {**dict(zip(('f1', 'precision', 'recall'), score)), 'pages': len(truth)}


# Fields.

def values(cell):
    cell = cell if isinstance(cell, list) else [] if cell is None else [cell]
    return {folded(value) for value in cell if folded(value)}


def column_f1(want, got):
    """Over pages: right where something is said and all of it is true."""
    right = sum(bool(want[page]) and said <= want[page] for page, said in got.items())
    return f1(share(right, len(got)), share(right, sum(map(bool, want.values()))))


def fields(options):
    truth = json.loads(read(options.truth))
    given = {page_name(row['page']): row['fields'] for row in rows(options.rows)}
    given = {page: cells for page, cells in given.items() if page in truth['pages']}
    names = list(dict.fromkeys(name for cells in given.values() for name in cells))
    columns = [{page: values(cells.get(name)) for page, cells in given.items() if values(cells.get(name))} for name in names]
    best, recall = [], []
    for attribute in truth['fields']:
        want = {page: values(truth['pages'][page].get(attribute)) for page in given}
        if any(want.values()):
            scores = [column_f1(want, column) for column in columns]
            best.append((max(scores, default=0.0), max(scores[:options.top], default=0.0)))
            has = [page for page in want if want[page]]
            recall.append(max((mean(column.get(page) == want[page] for page in has) for column in columns), default=0.0))
            name = names[scores.index(best[-1][0])] if best[-1][0] else None
            # What eval/names reads.
            print(f'{os.path.basename(options.truth)} {attribute}: {best[-1][0]:.3f} by {name!r}; in the first {options.top}: {best[-1][1]:.3f}')
    return {'f1': mean(any_column for any_column, _ in best), 'f1_top': mean(first for _, first in best), 'wrapper_recall': mean(recall), 'columns': len(names)}


def examples(options):
    truth = json.loads(read(options.truth))
    left_out = {page_name(page) for page in options.learned_from}
    given = {page_name(row['page']): row for row in rows(options.rows)}
    pages = [page for page in truth['pages'] if page in given and page not in left_out]
    counts, scores = collections.Counter(), []
    for attribute in truth['fields']:
        want = {page: values(truth['pages'][page].get(attribute)) for page in pages}
        got = {page: values(given[page]['fields'].get(attribute)) for page in pages}
        for page in pages:
            if got[page]:
                is_right, is_doubted = bool(want[page]) and got[page] <= want[page], attribute in (given[page].get('doubts') or ())
                counts[is_right, is_doubted] += 1
        if any(want.values()):
            scores.append(column_f1(want, {page: said for page, said in got.items() if said}))
    wrong, right = (counts[is_right, True] + counts[is_right, False] for is_right in (False, True))
    return {'f1': mean(scores), 'wrong': wrong, 'right': right, 'silently': share(counts[False, False], wrong), 'silent': counts[False, False], 'alarms': share(counts[True, True], right)}


# Records.

def tokens(text):
    return WORD_OR_CHARACTER.findall(folded(text))


def paired(truth, given):
    """Most true records that have a given one each, in the order of both, and the shares of their words that these have, added up."""
    best = [(0, 0)] * (len(given) + 1)
    for record in truth:
        before, best = best, [(0, 0)]
        for at, other in enumerate(given):
            shared = (record & other).total()
            pair = (before[at][0] + 1, before[at][1] + shared / record.total())
            best.append(max(before[at + 1], best[at], pair if shared >= SHARED_WORDS * record.total() else (0, 0)))
    return best[-1]


def records(options):
    given = {page_name(row['page']): row['patterns'] for row in rows(options.rows)}
    retrieval, accuracy, matching = [], [], []
    for page, text in truths(options.truth, '.json').items():
        truth = [collections.Counter(tokens(record)) for record in json.loads(text)['records'] if len(tokens(record)) >= FEWEST_WORDS]
        if not truth:
            continue
        lists = [[collections.Counter(tokens(record['text'])) for record in found['occurrences']] for found in given.get(page, [])[:options.top_patterns]]
        # The list with most true records; the shortest of equals.
        pairs = [(*paired(truth, records), -len(records)) for records in lists]
        found, matched, size = max(pairs, key=lambda pair: (pair[0], pair[2]), default=(0, 0, 0))
        retrieval.append(found / len(truth))
        accuracy.append(share(found, -size))
        matching.append(share(matched, found))
    return {'retrieval': mean(retrieval), 'accuracy': mean(accuracy), 'matching': mean(matching), 'pages': len(retrieval)}


# Groups.

def grouping(given, truth):
    """B-cubed figures and the adjusted Rand index of two lists with a label a page, None for a page that stands alone."""
    alone = lambda labels: [('group', label) if label is not None else ('alone', at) for at, label in enumerate(labels)]
    given, truth = alone(given), alone(truth)
    by_given, by_truth, both = map(collections.Counter, (given, truth, zip(given, truth)))
    precision = mean(both[pair] / by_given[pair[0]] for pair in zip(given, truth))
    recall = mean(both[pair] / by_truth[pair[1]] for pair in zip(given, truth))
    pairs = lambda counts: sum(count * (count - 1) / 2 for count in counts.values())
    same, same_given, same_truth = map(pairs, (both, by_given, by_truth))
    chance = share(same_given * same_truth, len(truth) * (len(truth) - 1) / 2)
    most = (same_given + same_truth) / 2
    rand = (same - chance) / (most - chance) if most != chance else 1.0
    return {'b3_f1': f1(precision, recall), 'b3_precision': precision, 'b3_recall': recall, 'ari': rand,
            'groups': sum(kind == 'group' for kind, _ in by_given)}


def groups(options):
    truth = json.loads(read(options.truth))
    given = {page_name(row['page']): row.get('group') for row in rows(options.groups)}
    return grouping([given.get(page) for page in truth], list(truth.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = parser.add_subparsers(dest='measure', required=True)
    for measure, given in (content, '--texts'), (fields, '--rows'), (examples, '--rows'), (records, '--rows'), (groups, '--groups'):
        of_measure = measures.add_parser(measure.__name__)
        of_measure.add_argument(given, required=True)
        of_measure.add_argument('--truth', required=True)
        of_measure.set_defaults(measure=measure)
    measures.choices['content'].add_argument('--words', action='store_true')
    measures.choices['fields'].add_argument('--top', type=int, default=20)
    measures.choices['examples'].add_argument('--learned-from', nargs='+', default=[])
    measures.choices['records'].add_argument('--top-patterns', type=int, default=3)
    options = parser.parse_args()
    print(json.dumps({name: round(figure, 4) for name, figure in options.measure(options).items()}))


if __name__ == '__main__':
    main()
