"""Pages changed the way sites change, to see what a rule depends on."""
import hashlib, os, re

BODY = re.compile(r'(<body\b[^>]*>)', re.I)
BODY_END = re.compile(r'(</body\s*>)', re.I)
ATTRIBUTE_VALUE = r'''("[^"]*"|'[^']*'|[^\s>"']+)'''
CLASS = re.compile(rf'\s+class\s*=\s*{ATTRIBUTE_VALUE}', re.I)
ID = re.compile(rf'\s+id\s*=\s*{ATTRIBUTE_VALUE}', re.I)
CLASS_OR_ID = re.compile(rf'(?<=\s)(class|id)\s*=\s*{ATTRIBUTE_VALUE}', re.I)
TAG = re.compile(r'''<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>''', re.I)


def hashed(names, prefix):
    """Other names, the same everywhere."""
    return ' '.join(prefix + hashlib.md5(name.encode('utf8', 'surrogateescape')).hexdigest()[:8] for name in names.split())


def banner(page):
    return BODY.sub(r'\1<div class="banner"><p>We use <a href="/cookies">cookies</a>.</p><span>OK</span></div>', page, count=1)


def renamed_classes(page):
    pattern = r'''(\bclass\s*=\s*)(["'])([^"'<>]+)\2'''
    return re.sub(pattern, lambda found: f"{found[1]}{found[2]}{hashed(found[3], 'x')}{found[2]}", page, flags=re.I)


def wrapped_body(page):
    return BODY_END.sub(r'</div>\1', BODY.sub(r'\1<div class="page">', page, count=1), count=1)


def extra_rows(page):
    page = re.sub(r'(<(?:ul|ol)\b[^>]*>)', r'\1<li>New</li>', page, flags=re.I)
    return re.sub(r'(<table\b[^>]*>(?:\s*<tbody\b[^>]*>)?)', r'\1<tr><td>New</td><td>row</td></tr>', page, flags=re.I)


def without_colons(page):
    return re.sub(r':(\s*(?:&nbsp;|\s)*<)', r'\1', page)


def in_tags(change):
    """A change of pages, from a change of each of their tags."""
    return lambda page: TAG.sub(lambda tag: change(tag[0]), page)


# What fields are tried with. eval/src/checking.rs makes the same changes.
OF_FIELDS = {'banner': banner, 'classes': renamed_classes, 'wrap': wrapped_body, 'rows': extra_rows, 'colons': without_colons}

# What lists are tried with.
OF_LISTS = {
    'classes': in_tags(lambda tag: CLASS.sub('', tag)),
    'ids': in_tags(lambda tag: ID.sub('', tag)),
    'names': in_tags(lambda tag: CLASS_OR_ID.sub(lambda found: f'{found[1]}="{hashed(found[2].strip(chr(34) + chr(39)), "n")}"', tag)),
    'wrappers': lambda page: re.sub(r'(</?)div\b', r'\1section', page, flags=re.I),
}


def write_changed(files, folder, change):
    """Writes changed copies of pages into a new folder, byte for byte but for the change."""
    os.makedirs(folder)
    for file in files:
        with open(file, encoding='utf8', errors='surrogateescape', newline='') as page:
            text = change(page.read())
        with open(os.path.join(folder, os.path.basename(file)), 'w', encoding='utf8', errors='surrogateescape', newline='') as out:
            out.write(text)
    return folder
