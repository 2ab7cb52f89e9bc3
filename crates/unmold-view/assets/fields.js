// The fields of a group: those in the table first, then those that are left out.

import { state, get, edit, step, tell } from '/server.js';
import { h, own, byId, percent, clipped, joined, attempt, ask, say } from '/elements.js';
import { goToValue } from '/page.js';
import { shownFirst } from '/preview.js';

const TYPES = ['text', 'number', 'money', 'date', 'time', 'url', 'email', 'id'];
const undo = () => attempt(() => step('/api/undo'));
const change = (what, said) => attempt(async () => { await edit(what); if (said) say(said, false, undo); });
const about = field => ({ group: state.group, field: field.field });

let open = null; // the field that is unfolded, by name
export const unfold = name => { open = name; showFields(byId('side')); };

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
// What is being typed stays, and the focus where it was; where its field has gone, the next one has it.
function focusIn(side) {
  const card = document.activeElement?.closest?.('.card');
  if (!card || !side.contains(card)) return null;
  const controls = card => [...card?.querySelectorAll('button, input, select') ?? []];
  const all = [...side.querySelectorAll('#chosen .card')];
  const { name } = card.dataset, at = controls(card).indexOf(document.activeElement), place = all.indexOf(card);
  const typed = document.activeElement.matches('.rename') ? document.activeElement.value : null;
  return () => {
    const others = [...side.querySelectorAll('#chosen .card')];
    const same = side.querySelector(`.card[data-name="${CSS.escape(name)}"]`);
    const isHidden = same?.closest('details:not([open])');
    const target = !same || isHidden ? controls(others[Math.min(Math.max(place, 0), others.length - 1)])[0] : controls(same)[at];
    target?.focus({ preventScroll: true });
    if (typed !== null && target?.matches('.rename')) target.value = typed;
  };
}

function card(field) {
  const isOpen = open === field.name;
  const shown = state.view?.group === state.group ? state.view?.values[field.field] : null;
  const here = field.on && shown?.texts.length ? joined(shown.texts, shown.more) : field.samples[0] ?? '';
  const pages = state.groups[state.group]?.pages ?? 0;
  const fill = field.filled ?? Math.round(field.fill * pages);
  const unfoldIt = () => {
    open = isOpen ? null : field.name;
    showFields(byId('side'));
    if (!isOpen && field.on && state.page !== null) show(field);
  };
  return h('li', { class: `card${isOpen ? ' open' : ''}${field.name === state.focus ? ' focused' : ''}`, 'data-name': field.name, ...(field.on ? dragged(field) : {}) },
    h('div', { class: 'line' },
      h('input', { type: 'checkbox', checked: field.on, 'aria-label': `${field.name} in the table`,
        onchange: event => change({ do: 'tick', ...about(field), on: event.target.checked }, event.target.checked ? `${field.name} taken` : `${field.name} dropped`) }),
      h('button', { class: 'unfold', 'aria-expanded': String(isOpen), title: here, onclick: unfoldIt, onkeydown: event => moveByKey(event, field) },
        h('span', { class: `name f${field.field % 8}${field.on ? '' : ' off'}` }, own(field.name)),
        own(clipped(here, 110), { class: 'sample' }),
        h('span', { class: 'fill' }, field.doubtful > 0 && h('span', { class: 'flag', title: `${field.doubtful} in doubt` }, `⚠ ${field.doubtful} `), pages ? `${fill}/${pages}` : percent(field.fill)))),
    isOpen && details(field, fill, pages));
}

// Its value on the page, without taking the focus from the list.
function show(field) {
  const { pane } = document.body.dataset;
  goToValue(state.page, field.field);
  document.body.dataset.pane = pane;
}

const move = (field, to) => to >= 0 && to < state.rules.wanted && to !== field.field &&
  change({ do: 'move', ...about(field), to }, `${field.name} is ${to === 0 ? 'first' : `number ${to + 1}`}`);

// By the keys: Alt with arrows, Home and End.
function moveByKey(event, field) {
  if (!event.altKey || !field.on) return;
  const to = { ArrowUp: field.field - 1, ArrowDown: field.field + 1, Home: 0, End: state.rules.wanted - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  move(field, to);
}

// By dragging: a field takes the place of the one that it is dropped on.
let taken = null;
const dragged = field => ({
  draggable: 'true',
  ondragstart: event => { taken = field; event.dataTransfer.effectAllowed = 'move'; event.dataTransfer.setData('text/plain', field.name); },
  ondragover: event => { if (taken && taken !== field) { event.preventDefault(); event.currentTarget.classList.add('over'); } },
  ondragleave: event => event.currentTarget.classList.remove('over'),
  ondrop: event => { event.preventDefault(); event.currentTarget.classList.remove('over'); if (taken) move(taken, field.field); taken = null; },
  ondragend: () => { taken = null; },
});

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
  const type = h('select', { 'aria-label': 'Type', onchange: event => change({ do: 'type', ...about(field), kind: event.target.value }, `${field.name} is ${event.target.value} now`) },
    TYPES.map(kind => h('option', { value: kind, selected: kind === field.type }, kind)));
  const others = state.rules.fields.filter(other => other.field !== field.field).slice(0, 200);
  const merge = h('select', { 'aria-label': 'Merge with', onchange: event => event.target.value && mergeWith(field, +event.target.value) },
    h('option', { value: '' }, 'merge with …'), others.map(other => h('option', { value: String(other.field) }, other.name)));
  return h('div', { class: 'details' },
    h('div', { class: 'row' }, name, h('button', { onclick: rename }, 'Rename')),
    h('div', { class: 'row' }, type,
      h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: field.many, onchange: event => change({ do: 'many', ...about(field), on: event.target.checked }, event.target.checked ? `${field.name} is a list now` : `${field.name} is no list now`) }), 'list'),
      merge),
    h('dl', { class: 'facts' },
      h('dt', {}, 'pages'), h('dd', {}, `${fill} of ${pages}`),
      h('dt', {}, 'agreement'), h('dd', {}, percent(field.agreement)),
      field.held_out !== null && [h('dt', {}, 'set aside'), h('dd', {}, `found on ${percent(field.held_out)}`)],
      h('dt', {}, 'ways'), h('dd', {}, String(field.views)),
      field.label && [h('dt', {}, 'label'), h('dd', {}, field.label)]),
    h('div', { class: 'row' },
      field.on && h('button', { class: 'primary', onclick: () => { state.field = field.field; state.tab = 'field'; document.body.dataset.pane = 'view'; tell('tab'); } }, 'On all pages'),
      field.on && h('button', { class: 'icon', 'aria-label': 'To the top', title: 'To the top (Alt+Home)', disabled: field.field === 0, onclick: () => move(field, 0) }, '⤒'),
      field.on && h('button', { class: 'icon', 'aria-label': 'Move up', title: 'Move up (Alt+↑)', disabled: field.field === 0, onclick: () => move(field, field.field - 1) }, '↑'),
      field.on && h('button', { class: 'icon', 'aria-label': 'Move down', title: 'Move down (Alt+↓)', disabled: field.field + 1 >= chosen.length, onclick: () => move(field, field.field + 1) }, '↓'),
      field.on && h('button', { class: 'as-rule', onclick: event => showRules(field, event.target) }, 'As CSS, XPath'),
      h('button', { onclick: () => change({ do: 'tick', ...about(field), on: !field.on }, field.on ? `${field.name} dropped` : `${field.name} taken`) }, field.on ? 'Drop' : 'Take')));
}

const mergeWith = (field, other) => attempt(async () => {
  const answer = await shownFirst({ do: 'merge', ...about(field), with: other });
  if (answer === 'take') say('merged', false, undo); else showFields(byId('side'));
});

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

// What stands in a dialog of keys.
export const keys = () => ask('Keys', [h('dl', { class: 'keys' }, [
  ['[ and ]', 'the page before, the next page'], ['n, Shift+N', 'the next value, the one before'], ['d, Shift+D', 'the next doubt, the one before'],
  ['y, x, i', 'the value is right, is wrong, use another instead'], ['/', 'search'], ['1 to 6', 'page, look, source, table, one field, one list'],
  ['f, l, e, c, p', 'fields, lists, declared, check, pictures'], ['arrows, Enter', 'on the page: from text to text, pick it'],
  ['Shift+click', 'this is the right value of the field that is looked at'],
  ['Ctrl+Enter, Ctrl+click', 'add an example, or take it away'], ['Alt+↑, Alt+↓, Alt+Home', 'on a field: move it'], ['Esc', 'close what is open'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['Ctrl+S', 'save the mold'], ['?', 'this'],
].map(([key, words]) => [h('dt', {}, key), h('dd', {}, words)]))], [[true, 'Close', 'primary']]);
