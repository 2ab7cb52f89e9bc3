"""Drives a headless Chromium by its debugging pipe: no package is needed, and no port is opened."""
import base64, collections, itertools, json, os, select, shutil, struct, subprocess, sys, tempfile, time, zlib


def found():
    """The browser; on Debian it is installed if it is missing."""
    names = ['chromium', 'chromium-browser', 'google-chrome']
    path = next(filter(None, map(shutil.which, names)), None)
    if path:
        return path
    if shutil.which('apt-get') and os.geteuid() == 0:
        subprocess.run(['apt-get', 'update', '-q'], check=True, stdout=subprocess.DEVNULL)
        install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL, env={**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'})
        return shutil.which('chromium')
    sys.exit('Chromium is needed for this test (on Debian: apt-get install chromium).')


def small_png(png):
    """A picture of the screen with 256 colours instead of millions: a third of the bytes."""
    chunks, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack('>I4s', png[at:at + 8])
        chunks[kind] = chunks.get(kind, b'') + png[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colour = struct.unpack('>IIBB', chunks[b'IHDR'][:10])
    step = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(chunks[b'IDAT']), [], bytearray(width * step)
    for y in range(height):
        kind, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for x in range(len(line)) if kind else ():
            left, up = line[x - step] if x >= step else 0, before[x]
            if kind == 4:
                corner = before[x - step] if x >= step else 0
                by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                guess = left if by_left <= by_up and by_left <= by_corner else up if by_up <= by_corner else corner
            else:
                guess = left if kind == 1 else up if kind == 2 else (left + up) // 2
            line[x] = line[x] + guess & 255
        rows.append(line)
        before = line
    pixels = [list(zip(row[0::step], row[1::step], row[2::step])) for row in rows]
    palette = [colour for colour, _ in collections.Counter(itertools.chain.from_iterable(pixels)).most_common(256)]
    number = {colour: at for at, colour in enumerate(palette)}
    near = {}
    for colour in set(itertools.chain.from_iterable(pixels)) - number.keys():
        rough = tuple(part >> 3 for part in colour)
        if rough not in near:
            near[rough] = min(range(len(palette)), key=lambda at: sum((a - b) ** 2 for a, b in zip(palette[at], colour)))
        number[colour] = near[rough]
    lines = b''.join(b'\0' + bytes(map(number.__getitem__, row)) for row in pixels)
    chunk = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    header = struct.pack('>IIBBBBB', width, height, 8, 3, 0, 0, 0)
    return png[:8] + chunk(b'IHDR', header) + chunk(b'PLTE', bytes(itertools.chain.from_iterable(palette))) + chunk(b'IDAT', zlib.compress(lines, 9)) + chunk(b'IEND', b'')


class Browser:
    """A browser with one page. What goes over the pipe is JSON, each message ended by a zero byte."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix='unmold-browser-')
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def give_pipes():
            # The browser expects its pipes under these numbers; the first copies keep them from overwriting each other.
            read, write = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup(read), os.dup(write)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        command = [
            found(), '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run', '--hide-scrollbars',
            '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', f'--user-data-dir={self.profile}', 'about:blank']
        self.process = subprocess.Popen(command, pass_fds=(3, 4), preexec_fn=give_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events, self.session = b'', 0, [], None
        target = self.send('Target.createTarget', url='about:blank')['targetId']
        self.session = self.send('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ['Page', 'Runtime', 'Network', 'Log']:
            self.send(f'{domain}.enable')

    def message(self, until):
        while b'\0' not in self.buffer:
            if not select.select([self.inp], [], [], max(0, until - time.time()))[0]:
                raise TimeoutError('the browser does not answer')
            read = os.read(self.inp, 1 << 20)
            if not read:
                raise EOFError('the browser has ended')
            self.buffer += read
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        until = time.time() + 60
        while True:
            answer = self.message(until)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer['result']
            self.note(answer)

    def note(self, event):
        self.events.append(event)
        if event.get('method') == 'Page.javascriptDialogOpening':
            os.write(self.out, json.dumps({'id': 0, 'sessionId': self.session, 'method': 'Page.handleJavaScriptDialog', 'params': {'accept': True}}).encode() + b'\0')

    def run(self, script):
        """The value of an expression in the page, which may be a promise."""
        answer = self.send('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer['result'].get('value')

    def wait(self, script, seconds=30, what=None):
        """Waits until an expression is true, and gives it back."""
        until = time.time() + seconds
        while time.time() < until:
            try:
                value = self.run(f'(value => value instanceof Node ? true : value)({script})')
            except RuntimeError:
                value = None
            if value:
                return value
            time.sleep(0.03)
        said = self.run("document.getElementById('status')?.textContent")
        raise AssertionError(f'waited in vain for {what or script}; the viewer says {said!r}')

    def open(self, url):
        self.send('Page.navigate', url=url)

    def click(self, element, modifiers=0):
        """Clicks with the mouse in the middle of the element that an expression gives, once it keeps its place."""
        place = f'''(async () => {{
            const shown = () => new Promise(requestAnimationFrame);
            let before, still = 0;
            while (still < 4) {{
                const element = {element};
                element.scrollIntoView({{block: 'center', inline: 'center'}});
                const box = element.getBoundingClientRect(), here = [box.x + box.width / 2, box.y + box.height / 2];
                still = !document.body.classList.contains('busy') && String(here) === String(before) ? still + 1 : 0;
                before = here;
                await shown();
            }}
            return before }})()'''
        x, y = self.run(place)
        for kind in ['mouseMoved', 'mousePressed', 'mouseReleased']:
            self.send('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='none' if kind == 'mouseMoved' else 'left', clickCount=1, modifiers=modifiers)

    def key(self, key, modifiers=0):
        codes = {'Enter': 13, 'ArrowDown': 40, 'Escape': 27, 'Home': 36}
        text = {} if modifiers else {'text': '\r' if key == 'Enter' else key} if len(key) == 1 or key == 'Enter' else {}
        for kind in ['keyDown', 'keyUp']:
            self.send('Input.dispatchKeyEvent', type=kind, key=key, windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())), modifiers=modifiers, **(text if kind == 'keyDown' else {}))

    def type_into(self, element, text):
        self.run(f'(() => {{ const field = {element}; field.focus(); field.select() }})()')
        self.send('Input.insertText', text=text)

    def look(self, width, height, scheme, path):
        """Keeps a picture of the page."""
        self.send('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 700)
        self.send('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}, {'name': 'prefers-reduced-motion', 'value': 'reduce'}])
        time.sleep(0.4)
        data = self.send('Page.captureScreenshot', format='png')['data']
        with open(path, 'wb') as file:
            file.write(small_png(base64.b64decode(data)))

    def close(self):
        try:
            session, self.session = self.session, None
            self.send('Browser.close')
        except (EOFError, OSError, TimeoutError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)
