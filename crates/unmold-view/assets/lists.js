// The lists of a page and of its template, as tables: beside the page, and over all pages.

import { state, get, edit, step, tell } from '/server.js';
import { h, own, byId, counted, percent, clipped, attempt, say } from '/elements.js';

const undo = () => attempt(() => step('/api/undo'));
const change = (what, said) => attempt(async () => { await edit(what); say(said, false, undo); });
const FORMATS = [['csv', 'CSV'], ['jsonl', 'JSONL'], ['parquet', 'Parquet']];
const METHODS = [['regions', 'By the tree of the page'], ['iepad', 'By IEPAD, as in the paper']];

// What a pattern must have to be shown in full: the thresholds of the paper.
const limits = { records: 2, regularity: 10, density: 0, coverage: 0 };
const LIMITS = [['records', 'records, at least', 1], ['regularity', 'regularity, at most', 0.1], ['density', 'density, at least', 0.1], ['coverage', 'coverage, at least', 0.01]];
const outside = pattern => LIMITS.filter(([name]) => name === 'regularity' ? pattern[name] > limits[name] : pattern[name] < limits[name])
  .map(([name]) => `${name} ${pattern[name].toFixed(name === 'records' ? 0 : 2)}`);

// Records light up on the page when their list is pointed at; a click goes to the first.
const light = rows => ({
  onmouseenter: () => { state.lit = rows; tell('lit'); },
  onmouseleave: () => { state.lit = []; tell('lit'); },
  onfocusin: () => { state.lit = rows; tell('lit'); },
});
const goTo = row => { state.goal = { at: row.s }; state.tab = 'page'; document.body.dataset.pane = 'view'; tell('goal'); };

export async function showLists(side) {
  const asked = state.page;
  if (asked === null) { side.replaceChildren(h('p', { class: 'empty' }, 'No page is shown.')); return; }
  const found = await attempt(() => get(`/api/page/${asked}/lists`));
  if (!found || state.side !== 'lists' || asked !== state.page) return;
  const names = state.rules?.lists ?? [];
  const here = new Map(found.own.filter(list => list.number !== null).map(list => [list.number, list]));
  const absent = names.map((_, at) => at).filter(at => !here.has(at));
  side.replaceChildren(
    h('h2', {}, 'Lists of the group ', h('span', { class: 'number' }, names.length)),
    names.length ? h('ol', { class: 'patterns', id: 'own-lists' }, names.map((list, at) => ownList(list, at, here.get(at)))) : h('p', { class: 'quiet' }, 'None. Add one of those below.'),
    absent.length && absent.length < names.length ? h('p', { class: 'quiet' }, `${counted(absent.length, 'list')} of them not on this page`) : '',
    h('h2', {}, 'Lists of this page'),
    h('details', { class: 'limits', open: state.limitsOpen, ontoggle: event => { state.limitsOpen = event.target.open; } },
      h('summary', {}, 'Show only lists with …'), LIMITS.map(([name, words, by]) => h('label', {}, h('span', {}, words),
        h('input', { type: 'number', step: String(by), min: '0', value: String(limits[name]), onchange: event => { limits[name] = +event.target.value; showPatterns(found); } })))),
    h('div', { id: 'patterns' }),
    names.length > 0 && h('button', { class: 'more', onclick: () => change({ do: 'drop-lists', group: state.group }, 'the group has no list now') }, 'No list on these pages') || '');
  showPatterns(found);
}

function showPatterns(found) {
  byId('patterns').replaceChildren(...METHODS.flatMap(([method, title]) => {
    const patterns = found.patterns.filter(pattern => pattern.method === method);
    const shown = patterns.filter(pattern => !outside(pattern).length);
    const others = patterns.filter(pattern => outside(pattern).length);
    return [h('h3', {}, title, ' ', h('span', { class: 'number' }, shown.length)),
      shown.length ? h('ol', { class: 'patterns' }, shown.map(patternLine)) : h('p', { class: 'quiet' }, 'none'),
      others.length ? h('ul', { class: 'left-out' }, others.map(pattern => h('li', {}, `${counted(pattern.records, 'record')} left out: ${outside(pattern).join(', ')}`))) : ''];
  }));
}

const measures = of => h('dl', { class: 'measures' }, ['regularity', 'density', 'coverage'].map(name => [h('dt', {}, name), h('dd', {}, of[name].toFixed(2))]));

// The records of the page; columns that none of them has are left out.
function rows(table, name) {
  const used = table.columns.map((_, at) => at).filter(at => table.rows.some(row => row.cells[at]));
  const line = (row, number) => h('tr', { ...light([row]), onclick: () => goTo(row) },
    h('th', { scope: 'row' }, h('button', { class: 'link', 'aria-label': `Go to record ${number + 1}`, onclick: () => goTo(row) }, number + 1)),
    used.map(at => h('td', { title: row.cells[at], dir: 'auto' }, row.cells[at])));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Records of ${name}` }, h('table', { class: 'rows records' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, '#'), used.map(at => h('th', { scope: 'col' }, own(table.columns[at]))))),
    h('tbody', {}, table.rows.map(line))));
}

const unfolded = new Set();
function folding(key, table, name) {
  const count = table.total > table.rows.length ? `the first ${table.rows.length} of ${counted(table.total, 'record')}` : counted(table.total, 'record');
  const box = h('details', { class: 'of-list', open: unfolded.has(key) }, h('summary', {}, count));
  const fill = () => {
    if (box.open) unfolded.add(key); else unfolded.delete(key);
    if (box.open && !box.querySelector('table')) box.append(rows(table, name));
  };
  box.addEventListener('toggle', fill);
  if (unfolded.has(key)) fill();
  return box;
}

function ownList(list, at, here) {
  const about = { group: state.group, list: at };
  const name = h('input', { type: 'text', class: 'rename', 'aria-label': `Name of list ${at + 1}`, value: list.name, dir: 'auto' });
  const rename = () => { const wanted = name.value.trim(); if (wanted && wanted !== list.name) change({ do: 'rename-list', ...about, name: wanted }, `renamed to ${wanted}`); };
  name.addEventListener('change', rename);
  const open = event => { const box = event.currentTarget.querySelector('.of-list'); if (box && !event.target.closest('input, button, table')) box.open = !box.open; };
  return h('li', { class: 'list chosen', 'data-list': list.name, ...light(here?.table.rows ?? []), ondblclick: open },
    h('div', { class: 'row' }, name,
      h('button', { class: 'icon', 'aria-label': `${list.name} to the top`, title: 'To the top: these are the records of the group', disabled: at === 0, onclick: () => change({ do: 'move-list', ...about, to: 0 }, `${list.name} is first`) }, '⤒'),
      h('button', { class: 'icon drop', 'aria-label': `Drop ${list.name}`, title: 'Drop', onclick: () => change({ do: 'drop-list', ...about }, `${list.name} dropped`) }, '✕')),
    h('p', { class: 'quiet' }, `on ${percent(list.fill)} of the pages`),
    here ? [measures(here), h('code', { class: 'notation', title: here.notation }, clipped(here.notation, 90)), folding(`own ${at}`, here.table, list.name)] : h('p', { class: 'quiet' }, 'not on this page'),
    h('div', { class: 'row' },
      here?.table.rows.length > 0 && h('button', { onclick: () => goTo(here.table.rows[0]) }, 'Show'),
      h('button', { class: 'on-all', onclick: () => { state.list = at; state.tab = 'list'; tell('tab'); } }, 'On all pages'), downloads(at)));
}

const downloads = list => FORMATS.map(([format, words]) => h('a', { class: 'download', href: `/export/list/${state.group}/${list}/${format}`, download: '', 'data-format': format }, words));

function patternLine(pattern) {
  const about = { page: state.page, method: pattern.method, pattern: pattern.number };
  const name = state.rules?.lists[pattern.list]?.name;
  const open = event => { const box = event.currentTarget.querySelector('.of-list'); if (!event.target.closest('button, table')) box.open = !box.open; };
  return h('li', { class: `list${name === undefined ? '' : ' chosen'}`, ...light(pattern.table.rows), ondblclick: open },
    h('div', { class: 'line' },
      h('strong', {}, counted(pattern.records, 'record')),
      name !== undefined ? h('span', { class: 'reach' }, `✓ ${name}`) : h('span', { class: 'row' },
        h('button', { class: 'add', onclick: () => change({ do: 'add-list', ...about }, 'the list was added') }, 'Add'),
        h('button', { class: 'choose', onclick: () => change({ do: 'list', ...about }, 'these are the records now, and there is no other list') }, 'Only this'))),
    measures(pattern),
    h('code', { class: 'notation', title: pattern.notation }, clipped(pattern.notation, 90)),
    folding(`${pattern.method} ${pattern.number}`, pattern.table, 'this list'),
    h('div', { class: 'row' }, pattern.table.rows.length > 0 && h('button', { class: 'show', onclick: () => goTo(pattern.table.rows[0]) }, 'Show')));
}

// A list on all pages, as it is written.
const COUNT = 100;
export async function showListTable(panel) {
  const lists = state.rules?.lists ?? [];
  if (!lists.length) { panel.replaceChildren(h('p', { class: 'empty' }, 'The group has no list. Lists that a page has are on the right side, under Lists.')); return; }
  state.list = Math.min(state.list, lists.length - 1);
  const { list, version } = state;
  const choice = h('select', { id: 'one-list', onchange: event => { state.list = +event.target.value; tell('tab'); } },
    lists.map((other, at) => h('option', { value: String(at), selected: at === list }, other.name)));
  const count = h('p', { class: 'table-count' }), head = h('tr'), body = h('tbody'), more = h('button', { class: 'more' }, 'Show more');
  panel.replaceChildren(h('div', { class: 'field-head' }, h('label', {}, 'List ', choice), count, h('span', { class: 'downloads' }, 'Download ', downloads(list))),
    h('div', { class: 'scroll' }, h('table', { class: 'rows', id: 'list-rows' }, h('thead', {}, head), body)), more);
  let from = 0;
  const next = async () => {
    const part = await attempt(() => get(`/api/group/${state.group}/list/${list}?from=${from}&count=${COUNT}`));
    if (!part || version !== state.version || state.tab !== 'list' || !body.isConnected) return;
    if (from === 0) head.append(...part.columns.map(name => h('th', { scope: 'col' }, own(name))));
    const open = row => { state.page = row.page; state.tab = 'page'; state.goal = { at: row.at }; tell('page'); };
    body.append(...part.items.map(row => h('tr', {}, row.cells.map((cell, at) => at === 0
      ? h('th', { scope: 'row' }, h('button', { class: 'link', onclick: () => open(row) }, own(cell.join(' '))))
      : h('td', { dir: 'auto', title: cell.join(' · '), onclick: () => open(row) }, cell.join(' · '))))));
    from += part.items.length;
    count.textContent = `${counted(part.total, 'record')}, ${counted(part.columns.length, 'column')}`;
    if (from >= part.total) more.remove();
  };
  more.addEventListener('click', next);
  await next();
}
