#!/usr/bin/env python3
"""The measures of docs/eval.md, in Python and from their definitions: a check on `unmold eval` that shares no code with it.

  eval/scoring.py content  --texts ROWS [--words] --truth FOLDER
  eval/scoring.py fields   --rows ROWS --truth FILE [--top N]
  eval/scoring.py examples --rows ROWS --truth FILE --learned-from PAGE...
  eval/scoring.py records  --rows ROWS --truth FOLDER [--top-patterns N]
  eval/scoring.py groups   --groups ROWS --truth FILE

ROWS is what `clean`, `extract`, `records` or `group` wrote with -f jsonl. Prints a JSON object of figures. Standard library only.
The other scripts import their measures from here: there is no second implementation in Python.
"""
import argparse, collections, html, json, os, re

# In scripts that are written without spaces, each letter counts as a word.
UNSPACED = '\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff'
WORD = re.compile(r'\w+')
WORD_OR_CHARACTER = re.compile(rf'[{UNSPACED}]|[^\W{UNSPACED}]+')
SHINGLE = 4
# A record is found if another has this share of its words (docs/eval.md).
SHARED_WORDS = 0.8
# A true record with fewer words is left out: it cannot be told from others.
FEWEST_WORDS = 2
# A label has no more letters.
LONGEST_LABEL = 40


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


def bag_f1(given, truth):
    every = given.total() + truth.total()
    return 2 * (given & truth).total() / every if every else 1.0


def word_f1(given, truth):
    return bag_f1(words(given), words(truth))


def trigram_f1(given, truth):
    return bag_f1(trigrams(given), trigrams(truth))


def trigrams(text):
    words = WORD_OR_CHARACTER.findall(text.lower())
    return collections.Counter(zip(words, words[1:], words[2:]))


def content(given, truth):
    """Figures of the texts of pages; a page that is not given has no text."""
    return figures([overlap(given.get(page, ''), text) for page, text in truth.items()])


def texts(rows):
    return {page_name(row['page']): row.get('text') or '' for row in rows}


# Fields.

def values(cell):
    cell = cell if isinstance(cell, list) else [] if cell is None else [cell]
    return {folded(value) for value in cell if folded(value)}


def is_label(text, column):
    """Whether what precedes a value in a true one is its label: it ends with a colon, or is what the column is called."""
    text = text.strip()
    words = text.rstrip(':\uff1a').strip().lower()
    return 0 < len(text) <= LONGEST_LABEL and (text[-1] in ':\uff1a' or words == column.replace('_', ' ').lower())


def are_true(found, want, column):
    """Whether all values that a column gives on a page are true, with their label or without it: the column has it for its name."""
    return bool(want) and all(value in want or any(true.endswith(value) and is_label(true[:len(true) - len(value)], column) for true in want)
                              for value in found)


def column_f1(name, want, got):
    """Over pages: right where a column has values and all of them are true."""
    right = sum(are_true(found, want[page], name) for page, found in got.items())
    return f1(share(right, len(got)), share(right, sum(map(bool, want.values()))))


def best_columns(rows, truth, top=20):
    """For each attribute that the pages have: its best column with its F1, the F1 of the best among the first columns, and the
    share of the pages with the attribute on which some column has exactly its values."""
    given = {page_name(row['page']): row['fields'] for row in rows}
    given = {page: cells for page, cells in given.items() if page in truth['pages']}
    names = list(dict.fromkeys(name for cells in given.values() for name in cells))
    columns = [{page: values(cells.get(name)) for page, cells in given.items() if values(cells.get(name))} for name in names]
    best = {}
    for attribute in truth['fields']:
        want = {page: values(truth['pages'][page].get(attribute)) for page in given}
        has = [page for page in want if want[page]]
        if has:
            scores = [column_f1(name, want, column) for name, column in zip(names, columns)]
            highest = max(scores, default=0.0)
            recall = max((mean(column.get(page) == want[page] for page in has) for column in columns), default=0.0)
            best[attribute] = {'column': names[scores.index(highest)] if highest else None, 'f1': highest,
                               'f1_top': max(scores[:top], default=0.0), 'wrapper_recall': recall}
    return best, len(names)


def fields(rows, truth, top=20):
    best, columns = best_columns(rows, truth, top)
    return {**{figure: mean(column[figure] for column in best.values()) for figure in ('f1', 'f1_top', 'wrapper_recall')}, 'columns': columns}


def examples(rows, truth, learned_from):
    """Figures of fields that go by the names of the attributes, on pages that were not learned from."""
    left_out = {page_name(page) for page in learned_from}
    given = {page_name(row['page']): row for row in rows}
    pages = [page for page in truth['pages'] if page in given and page not in left_out]
    counts, scores = collections.Counter(), []
    for attribute in truth['fields']:
        want = {page: values(truth['pages'][page].get(attribute)) for page in pages}
        got = {page: values(given[page]['fields'].get(attribute)) for page in pages}
        for page in pages:
            if got[page]:
                is_right, is_doubted = are_true(got[page], want[page], attribute), attribute in (given[page].get('doubts') or ())
                counts[is_right, is_doubted] += 1
        if any(want.values()):
            scores.append(column_f1(attribute, want, {page: found for page, found in got.items() if found}))
    wrong, right = (counts[is_right, True] + counts[is_right, False] for is_right in (False, True))
    return {'f1': mean(scores), 'wrong': wrong, 'right': right, 'silently': share(counts[False, False], wrong),
            'silent': counts[False, False], 'alarms': share(counts[True, True], right)}


# Records.

def tokens(text):
    return WORD_OR_CHARACTER.findall(folded(text))


def paired(truth, given):
    """How many true records can be paired with a given one each, in the order of both, and the sum of the shares of their words that
    these have."""
    best = [(0, 0)] * (len(given) + 1)
    for record in truth:
        before, best = best, [(0, 0)]
        for at, other in enumerate(given):
            shared = (record & other).total()
            pair = (before[at][0] + 1, before[at][1] + shared / record.total())
            best.append(max(before[at + 1], best[at], pair if shared >= SHARED_WORDS * record.total() else (0, 0)))
    return best[-1]


def records(rows, truths, top_patterns=3):
    """Figures of the best of the first lists of each page. `truths` are the true records of each page as JSON."""
    given = {page_name(row['page']): row['patterns'] for row in rows}
    retrieval, accuracy, matching = [], [], []
    for page, text in truths.items():
        truth = [collections.Counter(tokens(record)) for record in json.loads(text)['records'] if len(tokens(record)) >= FEWEST_WORDS]
        if not truth:
            continue
        lists = [[collections.Counter(tokens(record['text'])) for record in found['occurrences']] for found in given.get(page, [])[:top_patterns]]
        # The list with most true records; of several, the shortest.
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


def groups(rows, labels):
    given = {page_name(row['page']): row.get('group') for row in rows}
    return grouping([given.get(page) for page in labels], list(labels.values()))


def measured(options):
    """The figures that the command line asks for."""
    given = rows(options.rows)
    if options.measure == 'content':
        given, truth = texts(given), truths(options.truth, '.txt')
        if options.words:
            return {'f1': mean(word_f1(given.get(page, ''), text) for page, text in truth.items()), 'pages': len(truth)}
        return {**dict(zip(('f1', 'precision', 'recall'), content(given, truth))), 'pages': len(truth)}
    if options.measure == 'records':
        return records(given, truths(options.truth, '.json'), options.top_patterns)
    truth = json.loads(read(options.truth))
    if options.measure == 'fields':
        return fields(given, truth, options.top)
    if options.measure == 'examples':
        return examples(given, truth, options.learned_from)
    return groups(given, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = parser.add_subparsers(dest='measure', required=True)
    for measure, given in ('content', '--texts'), ('fields', '--rows'), ('examples', '--rows'), ('records', '--rows'), ('groups', '--groups'):
        of_measure = measures.add_parser(measure)
        of_measure.add_argument(given, dest='rows', required=True)
        of_measure.add_argument('--truth', required=True)
    measures.choices['content'].add_argument('--words', action='store_true')
    measures.choices['fields'].add_argument('--top', type=int, default=20)
    measures.choices['examples'].add_argument('--learned-from', nargs='+', default=[])
    measures.choices['records'].add_argument('--top-patterns', type=int, default=3)
    print(json.dumps({name: round(figure, 4) for name, figure in measured(parser.parse_args()).items()}))


if __name__ == '__main__':
    main()
