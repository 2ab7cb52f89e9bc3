// The right side: fields and lists, best first, what was clicked at, and the papers' pictures.

import { state, get, edit, on, tell } from '/server.js';
import { h, byId, counted, percent, clipped, joined, attempt, ask, say } from '/elements.js';

const TYPES = ['text', 'number', 'money', 'date', 'time', 'url', 'email', 'id'];
const change = (what, said) => attempt(async () => { await edit(what); if (said) say(said); });
const about = field => ({ group: state.group, field: field.field });

let open = null; // the field that is unfolded, by name

export function showFields(side) {
  const { rules } = state;
  if (!rules) return;
  const chosen = rules.fields.filter(field => field.on);
  const others = rules.fields.filter(field => !field.on);
  const focused = focusIn(side);
  side.replaceChildren(
    h('section', { class: 'fields' },
      h('h2', {}, `In the table `, h('span', { class: 'number' }, chosen.length)),
      h('ol', { class: 'field-list', id: 'chosen' }, chosen.map(card))),
    h('details', { class: 'others', id: 'others', open: state.othersOpen, ontoggle: event => { state.othersOpen = event.target.open; } },
      h('summary', {}, `Left out `, h('span', { class: 'number' }, rules.total - chosen.length)),
      h('ol', { class: 'field-list' }, others.map(card)),
      rules.fields.length < rules.total && h('button', { class: 'more', onclick: () => { state.moreFields = (state.moreFields ?? 0) + 100; tell('rules'); } }, 'Show more')));
  focused?.();
}

// Whoever works with the keys goes on where it was: at the same control of the same field.
function focusIn(side) {
  const card = document.activeElement?.closest?.('.card');
  if (!card || !side.contains(card)) return null;
  const controls = card => [...card?.querySelectorAll('button, input, select') ?? []];
  const { name } = card.dataset, at = controls(card).indexOf(document.activeElement);
  return () => controls(side.querySelector(`.card[data-name="${CSS.escape(name)}"]`))[at]?.focus({ preventScroll: true });
}

function card(field) {
  const isOpen = open === field.name;
  const shown = state.view?.group === state.group ? state.view?.values[field.field] : null;
  const here = field.on && shown?.texts.length ? joined(shown.texts, shown.more) : field.samples[0] ?? '';
  const pages = state.groups[state.group]?.pages ?? 0;
  const fill = field.filled ?? Math.round(field.fill * pages);
  return h('li', { class: `card${isOpen ? ' open' : ''}`, 'data-name': field.name },
    h('div', { class: 'line' },
      h('input', { type: 'checkbox', checked: field.on, 'aria-label': `${field.name} in the table`,
        onchange: event => change({ do: 'tick', ...about(field), on: event.target.checked }) }),
      h('button', { class: 'unfold', 'aria-expanded': String(isOpen), onclick: () => { open = isOpen ? null : field.name; showFields(byId('side')); } },
        h('span', { class: `name f${field.field % 8}${field.on ? '' : ' off'}` }, field.name),
        h('span', { class: 'fill' }, field.doubtful > 0 && h('span', { class: 'flag', title: `${field.doubtful} in doubt` }, `⚠ ${field.doubtful} `), pages ? `${fill}/${pages}` : percent(field.fill)))),
    h('p', { class: 'sample' }, clipped(here, 110)),
    isOpen && details(field, fill, pages));
}

function details(field, fill, pages) {
  const chosen = state.rules.fields.filter(other => other.on);
  const name = h('input', { type: 'text', value: field.name, 'aria-label': 'Name', class: 'rename' });
  name.value = field.name;
  const rename = async () => {
    const wanted = name.value.trim();
    if (!wanted || wanted === field.name) return;
    open = wanted;
    await change({ do: 'rename', ...about(field), name: wanted }, `renamed to ${wanted}`);
  };
  name.addEventListener('keydown', event => { if (event.key === 'Enter') rename(); });
  const type = h('select', { 'aria-label': 'Type', onchange: event => change({ do: 'type', ...about(field), kind: event.target.value }) },
    TYPES.map(kind => h('option', { value: kind, selected: kind === field.type }, kind)));
  const others = state.rules.fields.filter(other => other.field !== field.field).slice(0, 200);
  const merge = h('select', { 'aria-label': 'Merge with', onchange: event => event.target.value && change({ do: 'merge', ...about(field), with: +event.target.value }, 'merged: look at it on all pages') },
    h('option', { value: '' }, 'merge with …'), others.map(other => h('option', { value: String(other.field) }, other.name)));
  return h('div', { class: 'details' },
    h('div', { class: 'row' }, name, h('button', { onclick: rename }, 'Rename')),
    h('div', { class: 'row' }, type,
      h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: field.many, onchange: event => change({ do: 'many', ...about(field), on: event.target.checked }) }), 'list'),
      merge),
    h('dl', { class: 'facts' },
      h('dt', {}, 'pages'), h('dd', {}, `${fill} of ${pages}`),
      h('dt', {}, 'agreement'), h('dd', {}, percent(field.agreement)),
      field.held_out !== null && [h('dt', {}, 'set aside'), h('dd', {}, `found on ${percent(field.held_out)}`)],
      h('dt', {}, 'ways'), h('dd', {}, String(field.views)),
      field.label && [h('dt', {}, 'label'), h('dd', {}, field.label)]),
    h('div', { class: 'row' },
      field.on && h('button', { class: 'primary', onclick: () => { state.field = field.field; state.tab = 'field'; tell('tab'); } }, 'On all pages'),
      field.on && h('button', { class: 'icon', 'aria-label': 'Move up', title: 'Move up', disabled: field.field === 0, onclick: () => change({ do: 'move', ...about(field), to: field.field - 1 }) }, '↑'),
      field.on && h('button', { class: 'icon', 'aria-label': 'Move down', title: 'Move down', disabled: field.field + 1 >= chosen.length, onclick: () => change({ do: 'move', ...about(field), to: field.field + 1 }) }, '↓'),
      field.on && h('button', { class: 'as-rule', onclick: event => showRules(field, event.target) }, 'As CSS, XPath'),
      h('button', { onclick: () => change({ do: 'tick', ...about(field), on: !field.on }, field.on ? `${field.name} dropped` : `${field.name} taken`) }, field.on ? 'Drop' : 'Take')));
}

// The field as other tools would find it, to copy.
async function showRules(field, button) {
  const rules = await attempt(() => get(`/api/group/${state.group}/field/${field.field}/rules`));
  if (!rules || !button.isConnected) return;
  const line = (name, rule) => h('div', { class: 'rules' },
    h('div', { class: 'line' }, h('b', {}, name), h('span', { class: 'quiet' }, rule?.remark ?? (rule ? 'the same on all sample pages' : 'has no rule')),
      rule?.rule && h('button', { onclick: () => attempt(async () => { await navigator.clipboard.writeText(rule.rule); say(`${name} copied`); }) }, 'Copy')),
    rule?.rule && h('code', { 'data-rule': name }, rule.rule));
  button.closest('.row').after(line('CSS', rules.css), line('XPath', rules.xpath));
  button.remove();
}

// What was clicked at.
export function showPicked(box) {
  const { picked } = state;
  if (!picked) { box.replaceChildren(); return; }
  const on = state.examples;
  const name = h('input', { type: 'text', id: 'pick-name', placeholder: 'name of the field', 'aria-label': 'Name of the field' });
  name.value = picked.name ?? '';
  name.addEventListener('input', () => { picked.name = name.value; });
  const found = h('div', { 'aria-busy': 'true' }, h('p', { class: 'quiet' }, 'looking for fields that find it …'));
  const byExample = h('details', { class: 'by-example', open: on.size > 1 || [...on.values()].some(values => values.size > 1) },
    h('summary', {}, 'Learn from examples'),
    h('p', { class: 'quiet' }, 'Ctrl-click on further values, here or on other pages, adds them; once more takes them away. Name all values that a page has.'),
    h('ul', { class: 'examples' }, [...on].flatMap(([page, values]) => [...values].map(value => h('li', {}, clipped(value, 60),
      h('button', { class: 'icon', 'aria-label': `Take ${value} away`, onclick: () => exclude(page, value) }, '✕'))))),
    h('button', { id: 'learn', onclick: () => learn(name.value) }, 'Learn this field'));
  // What is being typed stays when the answer comes.
  picked.answered = answer => {
    picked.answer = answer;
    if (picked.name === undefined && document.activeElement !== name) name.value = answer.candidates[0]?.name ?? '';
    found.replaceChildren(candidates(picked, name));
    found.removeAttribute('aria-busy');
    byExample.open ||= answer.candidates.length === 0;
  };
  box.replaceChildren(h('section', { class: 'picked', 'aria-label': 'What was clicked at' },
    h('div', { class: 'picked-head' }, h('h2', {}, '“', clipped(picked.text, 80), '”'),
      h('button', { class: 'icon', 'aria-label': 'Close', onclick: close }, '✕')),
    h('label', { class: 'picked-name' }, h('span', {}, 'Call it'), name),
    found, byExample,
    h('details', { class: 'region-choice', ontoggle: event => outline(event.target.open ? picked.block : null) },
      h('summary', {}, 'Ignore a region'),
      h('p', { class: 'quiet' }, 'What is outlined is taken for no content, and its fields leave the table.'),
      h('div', { class: 'row' },
        h('button', { onclick: () => outline(picked.region?.parentElement?.closest('[data-from]')) }, 'Wider'),
        h('button', { id: 'ignore', onclick: () => ignore(picked) }, 'Ignore it')))));
  if (picked.answer) picked.answered(picked.answer);
}

function candidates(picked, name) {
  const found = picked.answer.candidates;
  if (!found.length) return h('p', { class: 'quiet' }, 'No field of the mold finds this. It may be learned from examples.');
  return h('ol', { class: 'candidates' }, found.map(candidate => h('li', { class: candidate.exact ? 'exact' : '' },
    h('div', { class: 'line' },
      h('span', { class: `name${candidate.on ? ` f${candidate.field % 8}` : ' off'}` }, candidate.name),
      h('span', { class: 'reach' }, candidate.here > 1 ? `all like it: ${candidate.here} here` : candidate.exact ? 'this one' : 'this and more'),
      h('button', { class: 'use', onclick: () => use(candidate, name.value) }, candidate.on ? 'Name it' : 'Use')),
    h('p', { class: 'quiet' }, `on ${candidate.filled} of ${counted(candidate.looked, 'page')}`,
      candidate.samples.length > 0 && `: ${candidate.samples.map(sample => clipped(sample.value, 28)).join(' · ')}`))));
}

async function use(candidate, wanted) {
  const name = wanted.trim() || candidate.name;
  open = name;
  await change({ do: 'use', group: state.picked.answer.group, field: candidate.field, name }, `${name} is in the table`);
  close();
}

async function learn(wanted) {
  const name = wanted.trim();
  const on = [...state.examples].map(([page, values]) => ({ page, values: [...values] }));
  const learned = await attempt(async () => { await edit({ do: 'example', group: state.group, name, on }); return true; });
  if (!learned) return;
  say(`${name} was learned`);
  open = name;
  close();
}

async function ignore(picked) {
  const { from, to } = picked.region?.dataset ?? { from: picked.start, to: picked.end };
  const done = await attempt(async () => { await edit({ do: 'ignore', page: picked.page, start: +from, end: +to }); return true; });
  if (!done) return;
  say('the region is ignored');
  close();
}

function outline(element) {
  if (!state.picked) return;
  state.picked.region = element ?? null;
  tell('pick-region');
}

function exclude(page, value) {
  state.examples.get(page)?.delete(value);
  if (!state.examples.get(page)?.size) state.examples.delete(page);
  showPicked(byId('picked'));
}

function close() {
  outline(null);
  state.picked = null;
  state.examples.clear();
  showPicked(byId('picked'));
}

on('picked', async () => {
  const { picked } = state;
  const values = state.examples.get(picked.page) ?? new Set();
  if (!picked.adds) state.examples.clear();
  else if (values.has(picked.text)) { exclude(picked.page, picked.text); return; }
  const set = picked.adds ? values : new Set();
  set.add(picked.text);
  state.examples.set(picked.page, set);
  picked.block = picked.element.closest('[data-from]');
  document.body.dataset.pane = 'side';
  showPicked(byId('picked'));
  const answer = await attempt(() => get(`/api/page/${picked.page}/pick?start=${picked.start}&end=${picked.end}`));
  if (state.picked !== picked || !answer) return;
  picked.answered(answer);
  byId('picked').scrollIntoView({ block: 'nearest' });
});

// Lists of the page, with the paper's measures.
export async function showLists(side) {
  const asked = state.page;
  if (asked === null) { side.replaceChildren(h('p', { class: 'empty' }, 'No page is shown.')); return; }
  side.replaceChildren(h('p', { class: 'quiet' }, 'looking for lists …'));
  const found = await attempt(() => get(`/api/page/${asked}/lists`));
  if (!found || state.side !== 'lists' || asked !== state.page) return;
  const of = method => found.filter(pattern => pattern.method === method);
  side.replaceChildren(
    h('p', { class: 'quiet' }, state.rules?.lists.length ? `The group has a list: ${state.rules.lists.map(list => `${list.name}, on ${percent(list.fill)} of the pages`).join('; ')}.` : 'The group has no list.'),
    h('h2', {}, 'By the tree of the page'), list(of('regions')),
    h('h2', {}, 'By IEPAD, as in the paper'), list(of('iepad')),
    state.rules?.lists.length > 0 && h('button', { onclick: () => change({ do: 'drop-lists', group: state.group }, 'the group has no list now') }, 'No list on these pages'));
}

const list = patterns => patterns.length === 0 ? h('p', { class: 'quiet' }, 'none') : h('ol', { class: 'patterns' }, patterns.map(pattern => h('li', { class: pattern.chosen ? 'chosen' : '' },
  h('div', { class: 'line' },
    h('strong', {}, counted(pattern.records, 'record')),
    pattern.chosen ? h('span', { class: 'reach' }, '✓ the records') : h('button', { class: 'choose', onclick: () => change({ do: 'list', page: state.page, method: pattern.method, pattern: pattern.number }, 'these are the records now') }, 'Choose')),
  h('dl', { class: 'measures' }, [['regularity', pattern.regularity], ['density', pattern.density], ['coverage', pattern.coverage]].map(([name, value]) =>
    [h('dt', {}, name), h('dd', {}, value.toFixed(2))])),
  h('code', { class: 'notation', title: pattern.notation }, clipped(pattern.notation, 90)),
  h('ul', { class: 'samples' }, pattern.samples.slice(0, 2).map(sample => h('li', {}, clipped(sample, 90)))))));

const PICTURES = [
  ['histogram', 'Strings by the share of pages they are on', 'Strings on nearly all pages are template; the line is where the thesis cuts.'],
  ['amplification', 'F(f) and G(f)', 'How often strings occur that occur f times. Peaks are multiples of the number of pages.'],
  ['landscape', 'Alternation counts by (n, a)', 'Each point cuts the pages into template and content. The red path is the walk to the optimal cut point.'],
];

export function showPictures(side) {
  side.replaceChildren(...PICTURES.map(([name, title, words]) => h('figure', { class: 'picture' },
    h('figcaption', {}, h('strong', {}, title), ' ', words),
    h('a', { href: `/api/group/${state.group}/picture/${name}`, target: '_blank', rel: 'noreferrer' },
      h('img', { src: `/api/group/${state.group}/picture/${name}`, alt: title, loading: 'lazy' })))));
}

// How the rules do on these pages: values that fields had, and values that they have.
const MARKS = { healthy: '✓', drifted: '⚠', broken: '✗', unseen: '–' };

export async function showCheck(side) {
  const asked = state.version;
  side.replaceChildren(h('p', { class: 'quiet' }, 'holding these pages against those that the mold was learned from …'));
  const report = await attempt(() => get('/api/check'));
  const group = report?.groups[state.group];
  if (!group || state.side !== 'check' || asked !== state.version) return;
  const verdict = what => h('span', { class: `verdict ${what}` }, `${MARKS[what]} ${what}`);
  const values = texts => texts.length ? texts.slice(0, 3).map(text => h('li', {}, clipped(text, 60))) : h('li', { class: 'quiet' }, 'none');
  const line = field => h('li', {},
    h('div', { class: 'line' }, h('span', { class: 'name' }, field.name), verdict(field.verdict)),
    field.reasons.map(reason => h('p', { class: 'quiet' }, reason)),
    field.verdict !== 'healthy' && h('div', { class: 'then-and-now' },
      h('div', {}, h('b', {}, 'then'), h('ul', {}, values(field.before))), h('div', {}, h('b', {}, 'now'), h('ul', {}, values(field.now)))));
  const order = ['broken', 'drifted', 'unseen', 'healthy'];
  const fields = [...group.fields].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  side.replaceChildren(
    h('div', { class: 'line check-head' }, h('strong', {}, counted(group.pages, 'page')), verdict(group.verdict)),
    ...group.reasons.map(reason => h('p', { class: 'quiet' }, reason)),
    h('p', { class: 'quiet' }, 'Learned from the same pages, all is healthy; open other pages with --mold to see what has changed.'),
    ...(group.verdict === 'drifted' || group.verdict === 'broken' ? [h('button', { class: 'primary', onclick: () => change({ do: 'repair' }, 'repaired: the fields are found in the ways that work on these pages') }, 'Repair')] : []),
    h('ol', { class: 'patterns', id: 'checked' }, fields.map(line)));
}

// What stands in a dialog of keys.
export const keys = () => ask('Keys', [h('dl', { class: 'keys' }, [
  ['[ and ]', 'the page before, the next page'], ['/', 'search'], ['1 to 5', 'page, look, source, table, one field'],
  ['f, l, p, c', 'fields, lists, pictures, check'], ['arrows, Enter', 'on the page: from text to text, pick it'],
  ['Ctrl+Enter, Ctrl+click', 'add an example, or take it away'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['Ctrl+S', 'save the mold'], ['?', 'this'],
].map(([key, words]) => [h('dt', {}, key), h('dd', {}, words)]))], [[true, 'Close', 'primary']]);
