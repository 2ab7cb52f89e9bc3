// The page as a whole: what is shown where, and what the keys do.

import { state, get, post, on, tell, step, watch } from '/server.js';
import { h, own, byId, counted, attempt, ask, say } from '/elements.js';
import { showPage, showLook, showSource, showJudge, pageHead, nextValue, nextDoubt, judgeByKey, goToValue } from '/page.js';
import { showTable, showField } from '/tables.js';
import { showFields, keys } from '/fields.js';
import { showPicked, close as closePicked } from '/picked.js';
import { showLists, showListTable } from '/lists.js';
import { showDeclared } from '/declared.js';
import { showPictures, showCheck } from '/check.js';

const PAGES = 100;
const TABS = ['page', 'look', 'source', 'table', 'field', 'list'];
const SIDES = ['fields', 'lists', 'declared', 'check', 'pictures'];
const EXPORTS = [['csv', 'CSV', 'a row per page'], ['jsonl', 'JSON lines', 'with lists'], ['parquet', 'Parquet', 'typed columns'], ['mold', 'Mold', 'the rules, as JSON'], null,
  ['css', 'CSS', 'selectors'], ['xpath', 'XPath', 'expressions'], ['regex', 'Regex', 'expressions'], ['parsel', 'parsel', 'Python'], ['scrapy', 'Scrapy', 'a spider'],
  ['crawl4ai', 'crawl4ai', 'a schema'], ['ftr', 'Full-text RSS', 'a site file'], ['json-schema', 'JSON Schema', 'of the rows']];

// Groups and pages.

function showGroups() {
  const line = (group, at) => h('option', { value: String(at), selected: at === state.group }, `${group.name} (${counted(group.pages, 'page')})`);
  const others = state.others > 0 ? [h('option', { value: String(state.groups.length), selected: state.group === state.groups.length }, `fits no group (${state.others})`)] : [];
  byId('group').replaceChildren(...state.groups.map(line), ...others);
}

let listed = 0;
async function showPages(isMore = false) {
  const search = byId('search').value, group = state.group;
  const from = isMore ? listed : 0;
  const part = await attempt(() => get(`/api/pages?group=${group}&from=${from}&count=${PAGES}&search=${encodeURIComponent(search)}`));
  if (!part || group !== state.group || search !== byId('search').value) return;
  listed = from + part.items.length;
  const lines = part.items.map(page => h('li', {}, h('button', {
    class: 'page-line', 'data-page': String(page.page), 'aria-current': page.page === state.page ? 'true' : undefined, onclick: () => turnTo(page.page, page.hit),
  }, own(page.title ?? page.name, { class: 'page-title' }), h('span', { class: 'page-id' }, own(page.name),
    page.doubts > 0 && h('span', { class: 'flag', title: `${page.doubts} values in doubt` }, ` ⚠ ${page.doubts}`),
    page.error && h('span', { class: 'flag' }, ' could not be read')))));
  if (isMore) byId('page-list').append(...lines); else byId('page-list').replaceChildren(...lines);
  byId('page-count').textContent = counted(part.total, 'page');
  byId('more-pages').hidden = listed >= part.total;
  return part;
}

// Opens a page: at the value that was sought, else at the field that is looked at.
function turnTo(page, hit) {
  document.body.classList.remove('pages-open');
  if (hit !== null && hit !== undefined) { goToValue(page, hit); return; }
  state.page = page;
  if (['table', 'field', 'list'].includes(state.tab)) state.tab = 'page';
  document.body.dataset.pane = 'view';
  tell('page');
}

async function turn(step) {
  const all = () => [...document.querySelectorAll('.page-line')];
  const at = all().findIndex(button => +button.dataset.page === state.page);
  if (at + step >= all().length && !byId('more-pages').hidden) await showPages(true);
  const next = all()[at + step];
  if (next) {
    next.scrollIntoView({ block: 'nearest' });
    turnTo(+next.dataset.page);
  }
}

// What is in the middle and on the right.

async function loadRules() {
  state.rules = state.group < state.groups.length ? await attempt(() => get(`/api/group/${state.group}?count=${100 + (state.moreFields ?? 0)}`)) ?? state.rules : null;
}

async function loadPage() {
  state.view = state.page === null ? null : await attempt(() => get(`/api/page/${state.page}`)) ?? null;
}

// The middle; pages stay where they were scrolled to if a place is given.
function showMiddle(place) {
  const panel = byId('panel');
  byId('why').hidden = true;
  panel.onscroll = null;
  if (place === undefined) panel.scrollTop = 0;
  panel.dataset.tab = state.tab;
  pageHead(byId('page-head'));
  showJudge();
  for (const tab of TABS) {
    const button = byId(`tab-${tab}`);
    button.setAttribute('aria-selected', String(tab === state.tab));
    button.tabIndex = tab === state.tab ? 0 : -1;
  }
  panel.setAttribute('aria-labelledby', `tab-${state.tab}`);
  noteAddress();
  const tables = { table: showTable, field: showField, list: showListTable };
  if (tables[state.tab]) return tables[state.tab](panel);
  if (state.page === null) return panel.replaceChildren(h('p', { class: 'empty' }, state.pages ? 'Choose a page.' : 'There are no pages: these are the rules alone. Start the viewer with pages to see what they find.'));
  return ({ page: showPage, look: showLook, source: showSource })[state.tab](panel, place);
}

function showSide() {
  state.lit = [];
  tell('lit');
  for (const side of SIDES) {
    const button = byId(`tab-${side}`);
    button.setAttribute('aria-selected', String(side === state.side));
    button.tabIndex = side === state.side ? 0 : -1;
  }
  byId('side').setAttribute('aria-labelledby', `tab-${state.side}`);
  noteAddress();
  return ({ fields: showFields, lists: showLists, declared: showDeclared, pictures: showPictures, check: showCheck })[state.side](byId('side'));
}

// Group, page and view are in the address: a reload, and whoever is sent it, has the same before them.
function noteAddress() {
  if (!document.body.dataset.ready) return;
  const place = new URLSearchParams({ group: state.group, ...(state.page === null ? {} : { page: state.page }), tab: state.tab, side: state.side, ...(state.tab === 'field' ? { field: state.field } : {}), ...(state.tab === 'list' ? { list: state.list } : {}) });
  history.replaceState(null, '', `#${place}`);
}

function placeInAddress() {
  const place = new URLSearchParams(location.hash.slice(1));
  const number = (name, most) => { const value = place.get(name); return value !== null && /^\d+$/.test(value) && +value < most ? +value : undefined; };
  if (TABS.includes(place.get('tab'))) state.tab = place.get('tab');
  if (SIDES.includes(place.get('side'))) state.side = place.get('side');
  state.field = number('field', Infinity) ?? 0;
  state.list = number('list', Infinity) ?? 0;
  const group = number('group', state.groups.length + 1);
  return group === undefined ? null : { group, page: number('page', state.pages) };
}

function showStanding() {
  byId('undo').disabled = !state.canUndo;
  byId('redo').disabled = !state.canRedo;
  const isKept = state.isSaved && state.hasSaved;
  byId('save').textContent = isKept ? 'Saved' : 'Save';
  byId('save').classList.toggle('primary', !isKept);
  byId('save').title = state.saveTo ? `Save to ${state.saveTo} (Ctrl+S)` : 'Keep the mold as a file (Ctrl+S)';
}

on('state', async () => {
  if (state.group > state.groups.length) state.group = 0;
  showGroups();
  showStanding();
  await Promise.all([loadRules(), loadPage(), showPages()]);
  // Whoever changes something goes on where it was.
  const place = byId('panel').scrollTop;
  showSide();
  await showMiddle(place);
});
on('standing', showStanding);
on('page', async () => {
  switched = performance.now();
  document.querySelectorAll('.page-line').forEach(button => {
    if (+button.dataset.page === state.page) button.setAttribute('aria-current', 'true'); else button.removeAttribute('aria-current');
  });
  await loadPage();
  showSide();
  await showMiddle();
});
on('tab', () => { document.body.dataset.pane = 'view'; return showMiddle(); });
on('side', showSide);
on('rules', async () => { await loadRules(); showSide(); });

// The program has ended, or was started again: all that is shown is old.
const banner = text => { byId('banner').hidden = text === null; byId('banner-text').textContent = text ?? ''; };
on('stopped', () => banner('The program has stopped. Nothing that you change is kept: start it again, and open the address that it prints.'));
on('anew', () => banner('The program was started again. Open the address that it printed: this window belongs to the one before.'));
on('answers', () => banner(null));

// How long it took until a page could be read: for the curious, and for the tests.
let switched = null;
on('shown', () => {
  document.body.dataset.whole ??= String(Math.round(performance.now()));
  if (switched === null) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.body.dataset.switched = String(Math.round(performance.now() - switched));
    switched = null;
  }));
});

async function chooseGroup(group, page) {
  state.group = group;
  state.field = 0;
  const [part] = await Promise.all([showPages(), loadRules()]);
  state.page = page ?? part?.items[0]?.page ?? null;
  await loadPage();
  showPages();
  showSide();
  await showMiddle();
}

// Keeping.

async function save() {
  if (!state.saveTo) { location.assign('/export/mold'); return; }
  const write = replace => post('/api/save', { replace });
  await attempt(async () => {
    let standing;
    try { standing = await write(false); } catch (problem) {
      if (!problem.exists) throw problem;
      const answer = await ask('Replace the file?', `${problem.message}. Its rules are replaced by those that you see.`,
        [[false, 'Keep it as it is'], [true, 'Replace it', 'primary']]);
      if (!answer) return;
      standing = await write(true);
    }
    Object.assign(state, standing, { hasSaved: true });
    showStanding();
    say(`saved to ${state.saveTo}`);
  });
}


// Wiring.

const typing = target => target.closest?.('input:not([type=checkbox]), select, textarea, dialog');
function onKey(event) {
  const control = event.ctrlKey || event.metaKey;
  if (event.key === 'Escape') { closeSomething(event); return; }
  if (control && event.key.toLowerCase() === 'z' && !typing(event.target)) { event.preventDefault(); attempt(() => step(event.shiftKey ? '/api/redo' : '/api/undo')); return; }
  if (control && event.key === 's') { event.preventDefault(); save(); return; }
  if (control || event.altKey || typing(event.target)) return;
  const acts = {
    '[': () => turn(-1), ']': () => turn(1), '?': keys,
    n: () => nextValue(1), N: () => nextValue(-1), d: () => nextDoubt(1), D: () => nextDoubt(-1),
    y: () => judgeByKey('right'), x: () => judgeByKey('wrong'), i: () => { event.preventDefault(); judgeByKey('replace'); },
    '/': () => { event.preventDefault(); document.body.dataset.pane = 'pages'; document.body.classList.add('pages-open'); byId('search').focus(); },
    f: () => sideTab('fields'), l: () => sideTab('lists'), e: () => sideTab('declared'), p: () => sideTab('pictures'), c: () => sideTab('check'),
  };
  TABS.forEach((tab, at) => { acts[at + 1] = () => middleTab(tab); });
  acts[event.key]?.();
}

// Esc closes what was opened last: a menu, the pages that lie over the view, an exchange of values, what was clicked at.
function closeSomething(event) {
  if (byId('dialog').open) return;
  const menu = document.querySelector('.menu[open]');
  byId('why').hidden = true;
  if (menu) { menu.open = false; menu.querySelector('summary').focus(); }
  else if (document.body.classList.contains('pages-open')) { document.body.classList.remove('pages-open'); byId('show-pages').focus(); }
  else if (state.replacing !== null) { state.replacing = null; showJudge(); byId('replace')?.focus(); }
  else if (state.picked) { closePicked(); document.querySelector('.page-host')?.shadowRoot.querySelector('.top').focus({ preventScroll: true }); document.body.dataset.pane = 'view'; }
  else if (typing(event.target)) event.target.blur();
}

function middleTab(tab) { state.tab = tab; tell('tab'); }
function sideTab(side) { state.side = side; document.body.dataset.pane = 'side'; showSide(); }

// Arrow keys go from tab to tab, as people who use them expect.
function tabKeys(list, choose) {
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...list.querySelectorAll('[role=tab]')];
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
  list.addEventListener('click', event => { const tab = event.target.closest('[role=tab]'); if (tab) choose(tab); });
}

function wire() {
  byId('group').addEventListener('change', event => chooseGroup(+event.target.value));
  byId('search').addEventListener('input', () => showPages());
  byId('show-pages').addEventListener('click', () => { document.body.classList.toggle('pages-open'); byId('search').focus(); });
  byId('fold-side').addEventListener('click', event => { const isFolded = document.body.classList.toggle('side-folded'); event.currentTarget.setAttribute('aria-expanded', String(!isFolded)); });
  byId('more-pages').addEventListener('click', () => showPages(true));
  byId('undo').addEventListener('click', () => attempt(() => step('/api/undo')));
  byId('redo').addEventListener('click', () => attempt(() => step('/api/redo')));
  byId('save').addEventListener('click', save);
  byId('help').addEventListener('click', keys);
  const [middle, side] = document.querySelectorAll('.tabs');
  tabKeys(middle, tab => middleTab(tab.dataset.tab));
  tabKeys(side, tab => sideTab(tab.dataset.side));
  document.querySelectorAll('.switcher button').forEach(button => button.addEventListener('click', () => { document.body.dataset.pane = button.dataset.pane; }));
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', event => document.querySelectorAll('.menu[open]').forEach(menu => { if (!menu.contains(event.target)) menu.open = false; }));
  const link = (format, name, words) => h('a', { href: `/export/${format}`, download: '', 'data-format': format, onclick: () => { byId('export').open = false; } }, h('b', {}, name), h('span', {}, words));
  byId('export-items').append(...EXPORTS.map(item => item ? link(...item) : h('hr')));
  addEventListener('beforeunload', event => { if (!state.isSaved) event.preventDefault(); });
}

function hint() {
  const box = byId('hint');
  box.hidden = document.cookie.includes('unmold-hint=seen');
  byId('hint-close').addEventListener('click', () => {
    document.cookie = 'unmold-hint=seen; max-age=31536000; SameSite=Strict; path=/';
    box.hidden = true;
  });
}

async function start() {
  wire();
  hint();
  const answer = await attempt(() => get('/api/state'));
  if (!answer) return;
  Object.assign(state, answer);
  showGroups();
  showStanding();
  showPicked(byId('picked'));
  const largest = state.groups.reduce((best, group, at) => group.pages > (state.groups[best]?.pages ?? -1) ? at : best, 0);
  const { group, page } = placeInAddress() ?? state.opensAt ?? { group: largest };
  state.group = group;
  showGroups();
  await chooseGroup(group, page);
  document.querySelector('.page-line[aria-current]')?.scrollIntoView({ block: 'nearest' });
  document.body.dataset.ready = 'true';
  noteAddress();
  watch();
}

start();
