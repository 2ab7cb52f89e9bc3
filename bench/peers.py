"""What others have made, from PyPI into target/peers, called the same way."""
import json, os, subprocess, sys, tempfile, venv

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, '..', 'target', 'peers')
# AutoScraper finds nothing, without a word, with newer versions of Beautiful Soup.
PACKAGES = ['beautifulsoup4==4.12.3', 'resiliparse==1.1.0', 'fastwarc==1.1.0', 'turbohtml==1.15.4', 'lxml_html_clean==0.4.6', 'trafilatura==2.3.1', 'readability-lxml==0.9', 'sluicer==0.10.0',
            'autoscraper==1.1.14', 'scrapely==0.14.1', 'drain3==0.9.11', 'pydivsufsort', 'html5lib', 'markdown-it-py']


def enter_environment():
    """Goes on in an environment that has the packages. Those that cannot be installed are named in its file `missing`."""
    python = os.path.join(FOLDER, 'bin', 'python')
    if not os.path.exists(os.path.join(FOLDER, 'missing')):
        venv.create(FOLDER, with_pip=True)
        install = lambda package: subprocess.run([python, '-m', 'pip', 'install', '-q', package], capture_output=True)
        failed = [package for package in PACKAGES if install(package).returncode]
        with open(os.path.join(FOLDER, 'missing'), 'w') as out:
            out.write('\n'.join(failed))
    if os.path.realpath(sys.prefix) != os.path.realpath(FOLDER):
        os.execv(python, [python, *sys.argv])


def missing():
    with open(os.path.join(FOLDER, 'missing')) as file:
        return file.read().split()


def read(site):
    """The pages of a site as text, by their file names."""
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    pages = {}
    for name in sorted(os.listdir(os.path.join(site, 'pages'))):
        with open(os.path.join(site, 'pages', name), 'rb') as file:
            raw = file.read()
        try:
            pages[name] = raw.decode('utf8')
        except UnicodeDecodeError:
            pages[name] = bytes_to_str(raw, detect_encoding(raw))
    return pages


def truths(folder):
    """The true texts of a folder's pages, by their file names."""
    names = sorted(name[:-4] for name in os.listdir(os.path.join(folder, 'truth')) if name.endswith('.txt'))
    read = lambda name: open(os.path.join(folder, 'truth', name + '.txt'), encoding='utf8', errors='replace').read()
    return {name + '.html': read(name) for name in names}


def cleaned(unmold, pages):
    """The texts of pages that unmold cleans together, by their file names."""
    with tempfile.NamedTemporaryFile('r', suffix='.jsonl') as out:
        subprocess.run([unmold, 'clean', '-q', '-f', 'jsonl', '--overwrite', '-o', out.name, *pages], check=True)
        rows = [json.loads(line) for line in open(out.name, encoding='utf8')]
    return {os.path.basename(row['page']): row.get('text') or '' for row in rows}


def content():
    """From a page to its main content, by who finds it."""
    import readability, sluicer, trafilatura, turbohtml
    from lxml.html import fromstring
    from resiliparse.extract.html2text import extract_plain_text

    def by_readability(page):
        about = readability.Document(page)
        return f'{about.short_title()}\n{fromstring(about.summary()).text_content()}'

    def by_trafilatura(page):
        return trafilatura.extract(page, include_comments=False) or ''

    def with_title(page):
        text, about = by_trafilatura(page), trafilatura.extract_metadata(page)
        title = about.title if about and about.title else ''
        return text if title in text else f'{title}\n{text}'

    found = {
        'trafilatura': by_trafilatura,
        'trafilatura, with its title': with_title,
        'resiliparse': lambda page: extract_plain_text(page, main_content=True),
        'turbohtml': lambda page: turbohtml.parse(page).main_text(),
        'readability-lxml': by_readability,
        'sluicer': lambda page: sluicer.to_markdown(page),
    }
    return {name: or_nothing(extract) for name, extract in found.items()}


def or_nothing(extract):
    """A page on which somebody fails has no text by them."""
    def of_page(page):
        try:
            return extract(page)
        except Exception:
            return ''
    return of_page


def drained(pages):
    """The lines of pages that are left without those whose log template is on more than half of the pages, by Drain3."""
    from drain3 import TemplateMiner
    from drain3.template_miner_config import TemplateMinerConfig
    from resiliparse.extract.html2text import extract_plain_text
    miner, on_pages, lines = TemplateMiner(config=TemplateMinerConfig()), {}, {}
    for name, page in pages.items():
        lines[name] = []
        for line in filter(None, map(str.strip, extract_plain_text(page, main_content=False).splitlines())):
            cluster = miner.add_log_message(line)['cluster_id']
            on_pages.setdefault(cluster, set()).add(name)
            lines[name].append((cluster, line))
    is_own = lambda cluster: 2 * len(on_pages[cluster]) <= len(pages)
    return {name: '\n'.join(line for cluster, line in of_page if is_own(cluster)) for name, of_page in lines.items()}
