// The page: as elements to click at, as it looks, and as source.

import { state, get, on, tell } from '/server.js';
import { h, own, byId, counted, percent, joined, attempt, say } from '/elements.js';
import { judge } from '/preview.js';

// The server sends no other names; this says so once more.
const NAMES = new Set(('abbr address article aside b bdi bdo blockquote br caption cite code dd del div dl dt em figcaption figure ' +
  'footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small span strong sub sup table ' +
  'tbody td tfoot th thead time tr u ul var ruby').split(' '));
// Headings, landmarks and lists of a page under inspection are not those of the viewer: whoever goes from heading to
// heading must not land in them. They are plain elements that look the same, with the name as a class.
const PLAIN = new Set(('address article aside dd dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main nav ol section th ul').split(' '));
const LAYOUT = new Set(['colspan', 'dir', 'lang', 'reversed', 'rowspan', 'start']);
const COLOURS = 8;

const name = field => state.rules?.fields[field]?.name ?? '';
let shown = null; // the page that is in the panel, as far as it was sent

export function showPage(panel, place) {
  const host = h('div', { class: 'page-host' });
  const root = host.attachShadow({ mode: 'open' });
  const top = h('div', { class: 'top', tabindex: '0', role: 'application', 'aria-label': 'The page. Arrow keys go from text to text, n to the next value, Enter picks.' });
  root.append(h('link', { rel: 'stylesheet', href: '/page.css' }), top);
  panel.replaceChildren(host);
  listen(top);
  const page = { top, elements: new Map(), named: new Set(), id: state.page, upTo: 0 };
  shown = page;
  const sent = pieces(panel, from => get(`/api/page/${state.page}/nodes?from=${from}`), piece => { add(page, piece.nodes); page.upTo = piece.next ?? Infinity; });
  page.more = sent.more;
  return sent.first.then(() => {
    if (shown !== page) return;
    if (place === undefined) reach(); else panel.scrollTop = place;
    markFocus();
  });
}

// Where the page is opened: at the field that is looked at, else at its first value that a reader sees.
function goalOf(view) {
  const { goal } = state;
  state.goal = null;
  if (goal?.at !== undefined) return goal.at;
  const seen = view.values.filter(value => value.visible);
  const wanted = goal?.field ?? seen.find(value => name(value.field) === state.focus)?.field;
  return (wanted === undefined ? seen[0] : seen.find(value => value.field === wanted))?.at;
}

// Scrolls to the goal, though it is in a piece that was not sent yet, and lights it up.
async function reach() {
  const page = shown, { view, goal } = state;
  if (!page || !view || page.id !== view.page) return;
  const isAsked = goal !== null, at = goalOf(view);
  if (at === undefined || at === null) {
    if (goal?.field !== undefined) showUnseen(goal.field);
    return;
  }
  while (page.upTo <= at && page === shown) if (!await page.more()) break;
  if (page !== shown) return;
  const found = page.top.querySelector(`[data-s="${at}"]`) ?? page.elements.get(at) ?? last(page.top, at);
  if (!found) return;
  await styled(page);
  found.scrollIntoView({ block: isFar(found) ? 'center' : 'nearest' });
  if (isAsked) glow(found);
  markFocus();
}

// Until its style is there, everything is somewhere else.
const styled = page => { const link = page.top.getRootNode().querySelector('link'); return link.sheet ? null : new Promise(done => { link.addEventListener('load', done); link.addEventListener('error', done); }); };
const isFar = element => { const box = element.getBoundingClientRect(), panel = byId('panel').getBoundingClientRect(); return box.top < panel.top + 8 || box.bottom > panel.bottom - 24; };
const last = (top, at) => [...top.querySelectorAll('.piece')].findLast(piece => +piece.dataset.s <= at);

function glow(element) {
  shown.top.querySelectorAll('.glow').forEach(old => old.classList.remove('glow'));
  // The class must be gone for a picture before the light goes on again.
  void element.offsetWidth;
  element.classList.add('glow');
}

// A value that no reader sees is above the page.
function showUnseen(field) {
  const unseen = document.querySelector('.unseen');
  if (!unseen) return;
  unseen.open = true;
  unseen.querySelector(`[data-field="${field}"]`)?.scrollIntoView({ block: 'nearest' });
}

on('goal', () => {
  if (state.tab === 'page' && shown?.id === state.page && shown.top.isConnected) return reach();
  return tell('tab');
});

function markFocus() {
  shown?.top.querySelectorAll('.looked-at').forEach(old => old.classList.remove('looked-at'));
  const field = state.view?.values.find(value => name(value.field) === state.focus)?.field;
  if (field !== undefined) shown?.top.querySelectorAll(`[data-field="${field}"]`).forEach(value => value.classList.add('looked-at'));
}

// Records that are pointed at in a table beside the page.
on('lit', () => {
  if (!shown) return;
  shown.top.querySelectorAll('.lit').forEach(old => old.classList.remove('lit'));
  for (const row of state.lit ?? []) (shown.elements.get(row.s) ?? last(shown.top, row.s))?.classList.add('lit');
});

// The field that is looked at, and what may be said of its value here.
export function look(field) {
  state.focus = field === null ? null : name(field);
  state.replacing = null;
  markFocus();
  showJudge();
}

// From value to value of the page.
export function nextValue(step) {
  const values = [...shown?.top.querySelectorAll('.field[data-field]') ?? []];
  if (!values.length) return;
  const at = values.findIndex(value => value.classList.contains('at'));
  const next = values[at < 0 ? (step > 0 ? 0 : values.length - 1) : (at + step + values.length) % values.length];
  values[at]?.classList.remove('at');
  next.classList.add('at');
  next.scrollIntoView({ block: isFar(next) ? 'center' : 'nearest' });
  glow(next);
  look(+next.dataset.field);
  byId('spoken').textContent = `${name(+next.dataset.field)}: ${next.textContent}`;
}

// From doubt to doubt, over all pages of the group.
let doubts = { version: -1, group: -1, items: [] };
export async function nextDoubt(step) {
  if (doubts.version !== state.version || doubts.group !== state.group) {
    const part = await attempt(() => get(`/api/group/${state.group}/doubts?count=500`));
    if (!part) return;
    doubts = { version: state.version, group: state.group, items: part.items, total: part.total };
  }
  const { items } = doubts;
  if (!items.length) { say('nothing is in doubt on these pages'); return; }
  const rank = doubt => doubt.page * 1e6 + doubt.field;
  const field = state.rules?.fields.find(field => field.name === state.focus)?.field ?? -1;
  const here = rank({ page: state.page ?? 0, field });
  const after = items.findIndex(doubt => rank(doubt) > here);
  const before = items.findLastIndex(doubt => rank(doubt) < here);
  const next = items[step > 0 ? (after < 0 ? 0 : after) : (before < 0 ? items.length - 1 : before)];
  await goToValue(next.page, next.field);
}

// Shows the value of a field on a page.
export async function goToValue(page, field) {
  state.focus = name(field);
  state.replacing = null;
  state.goal = { field };
  state.tab = 'page';
  document.body.dataset.pane = 'view';
  if (page !== state.page) { state.page = page; await tell('page'); } else await tell('goal');
  showJudge();
}

export function showJudge() {
  const bar = byId('judge'), { view } = state;
  const value = view?.values.find(value => name(value.field) === state.focus);
  const isShown = value && ['page', 'look', 'source'].includes(state.tab) && view.page === state.page && view.group === state.group;
  bar.hidden = !isShown;
  if (!isShown) return;
  const about = { field: value.field, values: value.texts };
  const isSettled = view.settled.includes(value.field);
  const isReplacing = state.replacing === value.field;
  const text = h('input', { type: 'text', id: 'instead', dir: 'auto', 'aria-label': `Right value of ${name(value.field)}`, value: value.texts.join(' | ') });
  // What is being typed stays when more of the page arrives.
  const typed = byId('instead');
  if (typed && typed.dataset.field === String(value.field)) text.value = typed.value;
  text.dataset.field = value.field;
  const hadFocus = typed !== null && document.activeElement === typed;
  const instead = () => judge('instead', { field: value.field, values: text.value.split(' | ').map(part => part.trim()).filter(Boolean) }).then(done);
  text.addEventListener('keydown', event => { if (event.key === 'Enter') instead(); });
  bar.replaceChildren(
    h('div', { class: 'judge-value' }, h('b', { class: `name f${value.field % COLOURS}` }, own(name(value.field))), ' ',
      value.texts.length ? own(joined(value.texts, value.more), { class: 'judged' }) : h('span', { class: 'none' }, 'nothing here'),
      value.doubt && !isSettled && h('span', { class: 'flag' }, `⚠ ${value.doubt}`), isSettled && h('span', { class: 'settled' }, '✓ settled')),
    h('div', { class: 'row' },
      h('button', { id: 'right', title: 'Right (y)', disabled: !value.texts.length, onclick: () => judge('right', about).then(done) }, '✓ Right'),
      h('button', { id: 'wrong', title: 'Wrong (x)', disabled: !value.texts.length, onclick: () => judge('wrong', about).then(done) }, '✗ Wrong'),
      h('button', { id: 'replace', title: 'Use something else (i)', 'aria-pressed': String(isReplacing), onclick: () => replace(value.field) }, 'Use instead …'),
      h('button', { id: 'next-doubt', title: 'Next doubt (d)', onclick: () => nextDoubt(1) }, 'Next doubt')),
    isReplacing && h('div', { class: 'row instead' }, h('span', { class: 'quiet' }, 'Click the right text on the page, or the right datum under Declared; or write it:'), text, h('button', { class: 'primary', id: 'use-instead', onclick: instead }, 'Use this')) || '');
  if (hadFocus) byId('instead')?.focus();
}

function done(answer) {
  if (answer === 'take') state.replacing = null;
  showJudge();
}

function replace(field) {
  state.replacing = state.replacing === field ? null : field;
  showJudge();
  byId('instead')?.select();
}

// What keys say of the value that is looked at.
export const judgeByKey = id => byId('judge').hidden || byId(id)?.click();

on('shown', showJudge);

// Asks for one piece after the other, the next when the end comes into sight.
function pieces(panel, ask, show) {
  const asked = state.page, tab = state.tab;
  const end = h('p', { class: 'end' });
  panel.append(end);
  let from = 0, underway = null;
  const isCurrent = () => state.page === asked && state.tab === tab && end.isConnected;
  const load = async () => {
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
    underway = null;
  };
  // Gives whether there may be more.
  const more = async () => {
    if (from === null || !isCurrent()) return false;
    await (underway ??= load());
    return from !== null;
  };
  const isNear = () => end.isConnected && end.getBoundingClientRect().top < panel.getBoundingClientRect().bottom + 800;
  panel.onscroll = () => { if (isNear()) more(); };
  const first = (async () => { while (await more() && isNear()); })();
  return { first, more };
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
  const made = document.createElement(!NAMES.has(node.n) ? 'span' : PLAIN.has(node.n) ? node.n === 'th' ? 'td' : 'div' : node.n);
  if (PLAIN.has(node.n)) made.classList.add(node.n);
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
}

function pieceOf(target) {
  const piece = target?.closest?.('[data-s]');
  return piece && { start: +piece.dataset.s, end: +piece.dataset.e, text: piece.textContent.trim(), element: piece,
    field: piece.closest('[data-field]')?.dataset.field };
}

function pick(piece, adds) {
  if (!piece || !piece.text) return;
  if (state.replacing !== null) { judge('instead', { field: state.replacing, values: [piece.text] }).then(done); return; }
  if (piece.field !== undefined) look(+piece.field);
  state.picked = { page: state.page, ...piece, adds };
  tell('picked');
}

function listen(top) {
  top.addEventListener('click', event => {
    const piece = pieceOf(event.target), part = selected(top);
    // A part of a text that is marked with the mouse is meant, and not all of it.
    if (piece && part && part !== piece.text && piece.text.includes(part)) Object.assign(piece, { text: part, isPart: true });
    if (event.shiftKey && state.focus !== null && piece) { judge('instead', { field: state.rules.fields.findIndex(field => field.name === state.focus), values: [piece.text] }).then(done); return; }
    pick(piece, event.ctrlKey || event.metaKey);
  });
  top.addEventListener('mousedown', event => { if (event.shiftKey) event.preventDefault(); });
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

function selected(top) {
  const root = top.getRootNode(), selection = root.getSelection?.() ?? document.getSelection();
  return selection?.toString().trim();
}

// Moves the cursor from text to text.
function go(top, step) {
  const all = [...top.querySelectorAll('.piece')];
  const at = all.findIndex(piece => piece.classList.contains('cursor'));
  const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  all[at]?.classList.remove('cursor');
  next?.classList.add('cursor');
  next?.scrollIntoView({ block: 'nearest' });
  byId('spoken').textContent = next?.textContent ?? '';
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
  // It stays over the page, and covers no form beside it.
  const view = byId('panel').getBoundingClientRect();
  const left = Math.max(view.left + 8, Math.min(by.left, view.right - width - 8));
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
    h('strong', { class: `name f${field % COLOURS}` }, own(name(field))),
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
  const code = h('pre', { class: 'code', tabindex: '0', 'aria-label': 'Source' });
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
  return pieces(panel, from => get(`/api/page/${state.page}/source?from=${from}`), shown => code.append(...shown.pieces.map(line))).first;
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
      h('ul', {}, unseen.map(value => h('li', { 'data-field': String(value.field) },
        h('button', { class: 'value', onclick: () => look(value.field) }, h('b', { class: `name f${value.field % COLOURS}` }, own(name(value.field)))), ' ', own(joined(value.texts, value.more)))))),
  ].filter(Boolean));
}

on('pick-region', () => {
  const root = document.querySelector('.page-host')?.shadowRoot;
  root?.querySelectorAll('.region').forEach(old => old.classList.remove('region'));
  state.picked?.region?.classList.add('region');
});
