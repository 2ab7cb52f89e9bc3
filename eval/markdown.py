"""What of a page's content survives as Markdown? The measure of `eval/beside markdown`.

Pages are parsed by html5lib, as a browser does, and an element counts only if its text stands in the truth; so all programs are asked
for the same things. Markdown is read by markdown-it, as GitHub would, and compared:

  code      listings, byte for byte as a browser's textContent but for a line break at the end; columns of line numbers are none
  headings  of any level, by their text; h1: as headings of level 1
  items     of lists; cells of tables of two rows and columns at least, by their text
  links     by text and address, of paragraphs, items and cells whose text stands in the truth
  images    that stand between the first and the last paragraph of the content, by address; `others`: all other images given
  rules     <hr> between the first and the last paragraph; sub, sup: by text
"""
import collections, html, re, urllib.parse

import html5lib, markdown_it

HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
BLOCKS = ['p', 'li', 'dd', 'dt', 'td', 'th', 'blockquote', 'pre'] + HEADINGS
APART = {'nav', 'footer', 'aside', 'noscript', 'template', 'button', 'select', 'svg'}


def name(element):
    return element.tag if isinstance(element.tag, str) else ''


def text_of(element):
    """A browser's textContent, without scripts and what is no text."""
    if name(element) in ('script', 'style', 'button') or not name(element):
        return ''
    return (element.text or '') + ''.join(text_of(child) + (child.tail or '') for child in element)


def squeezed(text):
    return ''.join(text.split())


def address(written):
    return urllib.parse.unquote(html.unescape(written.strip()))


class Wanted:
    """What a page has that its truth says is content."""

    def __init__(self, page, truth):
        self.tree = html5lib.parse(page, treebuilder='etree', namespaceHTMLElements=False)
        self.parents = {child: parent for parent in self.tree.iter() for child in parent}
        self.truth = squeezed(truth)
        self.texts = {}
        self.order = {element: at for at, element in enumerate(self.tree.iter())}
        self.find()

    def text(self, element):
        if element not in self.texts:
            self.texts[element] = squeezed(text_of(element))
        return self.texts[element]

    def outward(self, element):
        while element in self.parents:
            element = self.parents[element]
            yield element

    def is_content(self, element, least=1):
        return len(self.text(element)) >= least and self.text(element) in self.truth and self.is_free(element)

    def is_free(self, element):
        return not any(name(outer) in APART for outer in self.outward(element))

    def all(self, *names):
        return [element for element in self.tree.iter() if name(element) in names]

    def is_in_block(self, element):
        block = next((outer for outer in self.outward(element) if name(outer) in BLOCKS), None)
        return block is not None and self.is_content(block, 25)

    def is_inside(self, element):
        """Whether an element stands between the first and the last paragraph, in an element that holds both."""
        return self.first < self.order[element] < self.last and self.body in set(self.outward(element)) and self.is_free(element)

    def find(self):
        blocks = [element for element in self.all(*BLOCKS) if self.is_content(element, 40)]
        self.first, self.last = ((self.order[blocks[0]], self.order[blocks[-1]]) if blocks else (0, 0))
        chains = [list(self.outward(block))[::-1] for block in blocks]
        shared = [outer for outer in (chains[0] if chains else []) if all(outer in chain for chain in map(set, chains))]
        self.body = shared[-1] if shared else None
        leaf = lambda element, *names: not any(name(inner) in names for inner in element.iter() if inner is not element)
        code = [text_of(e).removesuffix('\n') for e in self.all('pre') if self.is_content(e)]
        self.code = [text for text in code if not counts_lines(text)]
        self.headings = [self.text(e) for e in self.all(*HEADINGS) if self.is_content(e, 4)]
        self.h1 = [self.text(e) for e in self.all('h1') if self.is_content(e, 4)]
        self.items = [self.text(e) for e in self.all('li') if leaf(e, 'li') and self.is_content(e, 15)]
        self.cells = [self.text(c) for t in self.all('table') if leaf(t, 'table') for c in self.cells_of(t)]
        links = [a for a in self.all('a') if a.get('href', '').split(':')[0] not in ('javascript', 'data', '') and self.text(a)]
        self.links = [(self.text(a), address(a.get('href'))) for a in links if self.is_in_block(a) and self.is_content(a)]
        self.images = [found for e in self.all('img') if (found := sources(e)) and self.is_inside(e)]
        self.rules = [e for e in self.all('hr') if self.is_inside(e)]
        self.scripts = [(name(e), self.text(e)) for e in self.all('sub', 'sup') if self.text(e) and self.is_in_block(e)]

    def cells_of(self, table):
        rows = [[c for c in row if name(c) in ('td', 'th')] for row in table.iter() if name(row) == 'tr']
        cells = [cell for row in rows for cell in row if self.text(cell)]
        is_table = sum(bool(row) for row in rows) > 1 and max(map(len, rows), default=0) > 1
        is_wanted = is_table and sum(self.is_content(cell) for cell in cells) == len(cells) and self.text(table) in self.truth
        return cells if is_wanted else []


def counts_lines(text):
    """Whether a listing is nothing but the numbers of another's lines."""
    numbers = text.split()
    return all(number.isdigit() for number in numbers) and [int(n) - int(numbers[0]) for n in numbers] == list(range(len(numbers)))


def sources(image):
    """The addresses that an image may be known by."""
    sides = [re.sub('px$', '', image.get(side, '').strip()) for side in ('width', 'height')]
    if any(side.isdigit() and int(side) <= 32 for side in sides):
        return set()
    found = {image.get(key, '').strip() for key in ('src', 'data-src', 'data-lazy-src', 'data-original')}
    for key in ('srcset', 'data-srcset', 'data-lazy-srcset'):
        found |= {part.strip().split()[0] for part in image.get(key, '').split(', ') if part.strip()}
    return {address(source.rstrip(',')) for source in found if source and not source.startswith('data:')}


class Given:
    """What Markdown says."""

    def __init__(self, markdown):
        self.source = markdown
        self.code, self.headings, self.h1, self.items = [], [], [], []
        self.cells, self.links, self.images, self.rules = [], [], [], 0
        reader = markdown_it.MarkdownIt('commonmark').enable(['table', 'strikethrough'])
        self.read(reader.parse(markdown or ''))

    def read(self, tokens):
        inside, items = [], []
        for token in tokens:
            if token.type in ('fence', 'code_block'):
                self.code.append(token.content.removesuffix('\n'))
            if token.type == 'hr':
                self.rules += 1
            if token.type == 'list_item_open':
                items.append([])
            if token.type == 'list_item_close':
                self.items.append(squeezed(''.join(items.pop())))
            if token.nesting > 0:
                inside.append(token.tag)
            if token.type == 'inline':
                text = self.inline(token.children)
                if items:
                    items[-1].append(text)
                kind = inside[-1] if inside else ''
                if kind in HEADINGS:
                    self.headings.append(squeezed(text))
                    if kind == 'h1':
                        self.h1.append(squeezed(text))
                if kind in ('td', 'th'):
                    self.cells.append(squeezed(text))
            if token.nesting < 0:
                inside.pop()

    def inline(self, tokens):
        text, link, start = '', None, 0
        for token in tokens:
            if token.type in ('text', 'code_inline'):
                text += token.content
            if token.type in ('softbreak', 'hardbreak'):
                text += ' '
            if token.type == 'image':
                self.images.append(address(token.attrs['src']))
            if token.type == 'link_open':
                link, start = token.attrs['href'], len(text)
            if token.type == 'link_close' and link is not None:
                self.links.append((squeezed(text[start:]), address(link)))
        return text


def kept(wanted, given):
    """How much of each kind there is, and how much of it was kept."""
    counts = {}
    for kind in ('code', 'headings', 'h1', 'items', 'cells', 'links'):
        there = collections.Counter(getattr(wanted, kind))
        counts[kind] = sum(there.values()), sum((there & collections.Counter(getattr(given, kind))).values())
    images = [any(source in given.images for source in sources) for sources in wanted.images]
    counts['images'] = len(images), sum(images)
    others = set(given.images) - set().union(*wanted.images)
    counts['others'] = len(others), len(others)
    counts['rules'] = len(wanted.rules), min(len(wanted.rules), given.rules)
    flat = squeezed((given.source or '').replace('\\', ''))
    forms = lambda kind, text: (f'<{kind}>{text}</{kind}>', f'~{text}~' if kind == 'sub' else f'^{text}^')
    scripts = [any(form in flat for form in forms(kind, text)) for kind, text in wanted.scripts]
    counts['sub, sup'] = len(scripts), sum(scripts)
    return counts
