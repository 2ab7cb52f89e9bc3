// The table that would be written, and one field on all pages side by side.

import { state, get, edit, step, tell } from '/server.js';
import { h, own, byId, counted, percent, clipped, joined, attempt, ask, say } from '/elements.js';
import { goToValue } from '/page.js';

const COUNT = 100;
const undo = () => attempt(() => step('/api/undo'));
const change = (what, said) => attempt(async () => { await edit(what); say(said, false, undo); });

// Rows come as they are needed.
async function rows(panel, path, body, line, count) {
  const version = state.version, tab = state.tab;
  let from = 0;
  const more = h('button', { class: 'more' }, 'Show more');
  const next = async () => {
    const part = await attempt(() => get(`${path}?from=${from}&count=${COUNT}`));
    if (!part || version !== state.version || tab !== state.tab || !body.isConnected) return;
    body.append(...part.items.map(line));
    from += part.items.length;
    count(part.total);
    if (from >= part.total) more.remove();
  };
  more.addEventListener('click', next);
  panel.append(more);
  await next();
}

const cell = (value, many, show) => h('td', { onclick: show, class: value.doubt ? 'doubt' : value.values.length ? '' : 'missing', title: value.doubt ?? '' },
  value.doubt && h('span', { class: 'flag', 'aria-label': `in doubt: ${value.doubt}` }, '⚠ '),
  value.values.length ? own(joined(value.values, value.more, many ? ' · ' : ' ')) : h('span', { class: 'none' }, '—'));

export async function showTable(panel) {
  const fields = (state.rules?.fields ?? []).filter(field => field.on);
  const body = h('tbody');
  const count = h('p', { class: 'table-count' });
  const header = h('tr', {}, h('th', { scope: 'col' }, 'page'),
    fields.map(field => h('th', { scope: 'col' }, columnMenu(field, fields.length))));
  panel.replaceChildren(count, h('div', { class: 'scroll' }, h('table', { class: 'rows', id: 'rows' }, h('thead', {}, header), body)));
  const line = row => h('tr', {},
    h('th', { scope: 'row' }, h('button', { class: 'link', onclick: () => goToValue(row.page, 0) }, own(row.name))),
    row.cells.map((value, at) => cell(value, fields[at]?.many, () => goToValue(row.page, at))));
  await rows(panel, `/api/group/${state.group}/table`, body, line, total => {
    count.textContent = `${counted(total, 'row')}, ${counted(fields.length, 'column')}`;
  });
}

// What can be done with a column where it stands.
function columnMenu(field, count) {
  const about = { group: state.group, field: field.field };
  const act = (words, run, disabled = false) => h('button', { disabled, onclick: event => { event.currentTarget.closest('details').open = false; run(); } }, words);
  const to = (place, words) => () => change({ do: 'move', ...about, to: place }, `${field.name} ${words}`);
  return h('details', { class: 'menu column-menu', name: 'column' },
    h('summary', { class: `column f${field.field % 8}` }, own(field.name)),
    h('div', { class: 'menu-items' },
      act('On all pages', () => { state.field = field.field; state.tab = 'field'; tell('tab'); }),
      act('Rename …', () => rename(field)),
      act('First', to(0, 'is first'), field.field === 0), act('To the left', to(field.field - 1, 'moved'), field.field === 0), act('To the right', to(field.field + 1, 'moved'), field.field + 1 >= count),
      act('Drop', () => change({ do: 'tick', ...about, on: false }, `${field.name} dropped`))));
}

async function rename(field) {
  const name = h('input', { type: 'text', id: 'column-name', 'aria-label': 'Name', value: field.name, dir: 'auto', onkeydown: event => { if (event.key === 'Enter') { event.preventDefault(); byId('dialog').querySelector('.primary').click(); } } });
  if (!await ask('Rename the column', [name], [[false, 'Cancel'], [true, 'Rename', 'primary']])) return;
  const wanted = name.value.trim();
  if (wanted && wanted !== field.name) change({ do: 'rename', group: state.group, field: field.field, name: wanted }, `renamed to ${wanted}`);
}

export async function showField(panel) {
  const fields = (state.rules?.fields ?? []).filter(field => field.on);
  const field = fields[state.field] ?? fields[0];
  if (!field) { panel.replaceChildren(h('p', { class: 'empty' }, 'No field is in the table.')); return; }
  state.field = field.field;
  const choice = h('select', { id: 'one-field', onchange: event => { state.field = +event.target.value; tell('tab'); } },
    fields.map(other => h('option', { value: String(other.field), selected: other.field === field.field }, other.name)));
  const count = h('p', { class: 'table-count' });
  const body = h('tbody');
  panel.replaceChildren(
    h('div', { class: 'field-head' }, h('label', {}, 'Field ', choice), count,
      field.samples.length > 0 && h('p', { class: 'table-count' }, 'learned from values like ', own(field.samples.map(sample => `“${clipped(sample, 40)}”`).join(', ')))),
    h('div', { class: 'scroll' }, h('table', { class: 'side-by-side', id: 'side-by-side' },
      h('thead', {}, h('tr', {}, ['Value', 'Agreement', 'Page'].map(title => h('th', { scope: 'col' }, title)))), body)));
  const line = row => {
    const [value] = row.cells;
    const show = () => goToValue(row.page, field.field);
    return h('tr', {}, cell(value, field.many, show),
      h('td', { class: 'agreement' }, value.values.length ? [h('meter', { min: 0, max: 1, value: value.agreement, 'aria-label': 'agreement' }), ` ${percent(value.agreement)}`] : 'missing',
        value.doubt && h('span', { class: 'reason' }, value.doubt)),
      h('td', {}, h('button', { class: 'link', onclick: show }, own(row.name))));
  };
  await rows(panel, `/api/group/${state.group}/field/${field.field}`, body, line, total => {
    const missing = total - (field.filled ?? 0);
    count.textContent = `on ${field.filled} of ${counted(total, 'page')}; ${field.doubtful} in doubt, ${missing} missing` +
      (field.doubtful + missing ? ': these come first' : '');
  });
}
