// The page: as elements to click at, as it looks, and as source.

import { state, get, on, tell } from '/server.js';
import { h, byId, counted, percent, joined, attempt } from '/elements.js';

// The server sends no other names; this says so once more.
const NAMES = new Set(('abbr address article aside b bdi bdo blockquote br caption cite code dd del div dl dt em figcaption figure ' +
  'footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small span strong sub sup table ' +
  'tbody td tfoot th thead time tr u ul var ruby').split(' '));
const LAYOUT = new Set(['colspan', 'dir', 'lang', 'reversed', 'rowspan', 'start']);
const COLOURS = 8;

const name = field => state.rules?.fields[field]?.name ?? '';

export function showPage(panel) {
  const host = h('div', { class: 'page-host' });
  const root = host.attachShadow({ mode: 'open' });
  const top = h('div', { class: 'top', tabindex: '0', role: 'document', 'aria-label': 'The page. Arrow keys go from text to text, Enter picks.' });
  root.append(h('link', { rel: 'stylesheet', href: '/page.css' }), top);
  panel.replaceChildren(host);
  listen(top);
  const page = { top, elements: new Map(), named: new Set(), id: state.page };
  return pieces(panel, from => get(`/api/page/${state.page}/nodes?from=${from}`), shown => add(page, shown.nodes));
}

// Asks for one piece after the other, the next when the end comes into sight.
async function pieces(panel, ask, show) {
  const asked = state.page, tab = state.tab;
  const end = h('p', { class: 'end' });
  panel.append(end);
  let from = 0, isBusy = false;
  const isCurrent = () => state.page === asked && state.tab === tab && end.isConnected;
  const more = async () => {
    if (isBusy || from === null || !isCurrent()) return;
    isBusy = true;
    end.textContent = 'loading …';
    const piece = await attempt(() => ask(from));
    if (piece && isCurrent()) {
      show(piece);
      from = piece.next ?? null;
      end.textContent = from !== null ? 'more below' : state.view?.cut ? 'the page was cut here' : '';
      tell('shown');
    } else {
      from = null;
      end.textContent = '';
    }
    isBusy = false;
  };
  const isNear = () => end.isConnected && end.getBoundingClientRect().top < panel.getBoundingClientRect().bottom + 800;
  panel.onscroll = () => { if (isNear()) more(); };
  do await more(); while (from !== null && isCurrent() && isNear());
}

function add(page, nodes) {
  const added = new DocumentFragment();
  for (const node of nodes) {
    const parent = page.elements.get(node.p) ?? (page.elements.size === 0 ? added : page.top);
    if (node.n === undefined) parent.append(text(page, node));
    else {
      const made = element(page, node);
      page.elements.set(node.s, made);
      parent.append(made);
    }
  }
  page.top.append(added);
}

function element(page, node) {
  const made = document.createElement(NAMES.has(node.n) ? node.n : 'span');
  for (const [key, value] of Object.entries(node.a ?? {})) if (LAYOUT.has(key)) made.setAttribute(key, value);
  made.dataset.from = node.s;
  made.dataset.to = node.e;
  if (node.k) made.classList.add(node.k);
  if (node.r !== undefined) {
    made.classList.add('record');
    made.dataset.record = node.r + 1;
  }
  if (node.t !== undefined) made.append(node.t);
  if (node.f) mark(page, made, node);
  return made;
}

function text(page, node) {
  if (node.e === node.s) return document.createTextNode(node.t);
  const piece = document.createElement('span');
  piece.className = node.c ? 'piece content' : 'piece template';
  piece.dataset.s = node.s;
  piece.dataset.e = node.e;
  piece.append(node.t);
  if (!node.f) return piece;
  const value = document.createElement('mark');
  value.append(piece);
  mark(page, value, node);
  return value;
}

function mark(page, made, node) {
  const field = node.f[0];
  made.classList.add('field', `f${field % COLOURS}`);
  made.dataset.field = field;
  made.dataset.s = node.s;
  made.dataset.e = node.e;
  // A list of values is named once.
  if (!page.named.has(field)) {
    page.named.add(field);
    made.dataset.name = node.f.map(name).join(', ');
  }
  made.setAttribute('aria-label', `${name(field)}: ${made.textContent}`);
}

function pieceOf(target) {
  const piece = target?.closest?.('[data-s]');
  return piece && { start: +piece.dataset.s, end: +piece.dataset.e, text: piece.textContent.trim(), element: piece,
    field: piece.closest('[data-field]')?.dataset.field };
}

function pick(piece, adds) {
  if (!piece || !piece.text) return;
  state.picked = { page: state.page, ...piece, adds };
  tell('picked');
}

function listen(top) {
  top.addEventListener('click', event => pick(pieceOf(event.target), event.ctrlKey || event.metaKey));
  top.addEventListener('mouseover', event => explain(pieceOf(event.target)));
  top.addEventListener('mouseleave', () => explain(null));
  top.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) {
      event.preventDefault();
      go(top, step);
    } else if (event.key === 'Enter') {
      const current = top.querySelector('.cursor');
      if (current) pick(pieceOf(current), event.ctrlKey || event.metaKey);
    }
  });
}

// Moves the cursor from text to text.
function go(top, step) {
  const all = [...top.querySelectorAll('.piece')];
  const at = all.findIndex(piece => piece.classList.contains('cursor'));
  const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  all[at]?.classList.remove('cursor');
  next?.classList.add('cursor');
  next?.scrollIntoView({ block: 'nearest' });
  explain(pieceOf(next));
}

const reasons = new Map();
let waiting;
async function explain(piece) {
  clearTimeout(waiting);
  const box = byId('why');
  if (!piece || piece.field === undefined) { box.hidden = true; return; }
  waiting = setTimeout(async () => {
    const key = `${state.version}/${state.page}/${piece.field}`;
    try {
      if (!reasons.has(key)) reasons.set(key, await get(`/api/page/${state.page}/why/${piece.field}`));
    } catch { return; }
    if (!piece.element.isConnected) return;
    box.replaceChildren(...why(+piece.field, reasons.get(key)));
    place(box, piece.element.getBoundingClientRect());
  }, 120);
}

function place(box, by) {
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(8, Math.min(by.left, innerWidth - width - 8));
  const below = by.bottom + 8;
  box.style.left = `${left}px`;
  box.style.top = `${below + height < innerHeight ? below : Math.max(8, by.top - height - 8)}px`;
}

function why(field, votes) {
  const rule = state.rules?.fields[field];
  const value = state.view?.values[field];
  const agreeing = votes.filter(vote => vote.agrees).length;
  const pages = rule?.filled ?? null;
  return [
    h('strong', { class: `name f${field % COLOURS}` }, name(field)),
    h('p', {}, `${agreeing} of ${counted(votes.length, 'way')} to find it agree (${percent(value?.agreement ?? 0)} of the votes)` +
      (pages === null ? '' : `; found on ${pages} of ${counted(state.groups[state.group]?.pages ?? 0, 'page')}`)),
    value?.doubt && h('p', { class: 'doubt' }, `⚠ In doubt: ${value.doubt}`),
    h('ul', {}, votes.slice(0, 7).map(vote => h('li', { class: vote.agrees ? 'yes' : 'no' }, vote.words))),
    votes.length > 7 && h('p', { class: 'rest' }, `and ${votes.length - 7} more`),
  ].filter(Boolean);
}

export function showLook(panel) {
  // No script, no origin, nothing that loads: the frame has no rights at all.
  panel.replaceChildren(h('iframe', { class: 'look', sandbox: '', referrerpolicy: 'no-referrer', title: 'The page as it looks', src: `/frame/${state.page}` }));
}

export function showSource(panel) {
  const code = h('pre', { class: 'source', tabindex: '0' });
  panel.replaceChildren(code);
  const line = piece => {
    const field = piece.f?.[0];
    const made = h('span', { class: field === undefined ? (piece.c ? 'content' : 'template') : `field f${field % COLOURS}` }, piece.t);
    if (field !== undefined) {
      made.dataset.name = piece.f.map(name).join(', ');
      made.title = made.dataset.name;
    }
    return made;
  };
  return pieces(panel, from => get(`/api/page/${state.page}/source?from=${from}`), shown => code.append(...shown.pieces.map(line)));
}

const megabytes = bytes => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

// What stands above a page: its name, whether it was cut, and the values that no reader sees.
export function pageHead(head) {
  const { view } = state;
  if (!view || state.tab === 'table' || state.tab === 'field') { head.replaceChildren(); return; }
  const unseen = view.values.filter(value => !value.visible && value.texts.length);
  head.replaceChildren(...[
    h('span', { class: 'page-name', title: view.url ?? view.name }, view.name),
    h('span', { class: 'page-facts' }, view.fits ? counted(view.records, 'record') : 'fits no group; found by the nearest rules'),
    view.cut && h('span', { class: 'page-cut' }, `⚠ cut short: only its first ${megabytes(view.bytes)} were read`),
    unseen.length > 0 && h('details', { class: 'unseen' },
      h('summary', {}, `${counted(unseen.length, 'value')} not visible`),
      h('ul', {}, unseen.map(value => h('li', {},
        h('b', { class: `name f${value.field % COLOURS}` }, name(value.field)), ' ', joined(value.texts, value.more))))),
  ].filter(Boolean));
}

on('pick-region', () => {
  const root = document.querySelector('.page-host')?.shadowRoot;
  root?.querySelectorAll('.region').forEach(old => old.classList.remove('region'));
  state.picked?.region?.classList.add('region');
});
