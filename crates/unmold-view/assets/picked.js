// What was clicked at: the fields that find it, and what it can be used for.

import { state, get, edit, step, on, tell } from '/server.js';
import { h, own, byId, counted, clipped, attempt, say } from '/elements.js';
import { goToValue } from '/page.js';
import { shownFirst, judge } from '/preview.js';
import { unfold } from '/fields.js';

const undo = () => attempt(() => step('/api/undo'));

// What was clicked at.
export function showPicked(box) {
  const { picked } = state;
  if (!picked) { box.replaceChildren(); return; }
  const on = state.examples;
  const name = h('input', { type: 'text', id: 'pick-name', placeholder: 'name of the field', 'aria-label': 'Name of the field' });
  name.value = picked.name ?? '';
  name.addEventListener('input', () => { picked.name = name.value; });
  const found = h('div', { 'aria-busy': 'true' }, h('p', { class: 'quiet' }, 'looking for fields that find it …'));
  const byExample = h('details', { class: 'by-example', ontoggle: event => { picked.learns = event.target.open; }, open: picked.learns || on.size > 1 || [...on.values()].some(values => values.size > 1) },
    h('summary', {}, 'Learn from examples'),
    h('p', { class: 'quiet' }, 'Ctrl-click on further values, here or on other pages, adds them; once more takes them away. Name all values that a page has.'),
    h('ul', { class: 'examples' }, [...on].flatMap(([page, values]) => [...values].map(value => h('li', {}, own(clipped(value, 60)),
      h('button', { class: 'icon', 'aria-label': `Take ${value} away`, onclick: () => exclude(page, value) }, '✕'))))),
    h('button', { id: 'learn', onclick: () => learn(name.value) }, 'Learn this field'));
  // What is being typed stays when the answer comes.
  picked.answered = answer => {
    picked.answer = answer;
    if (picked.name === undefined && document.activeElement !== name) name.value = answer.candidates[0]?.name ?? '';
    found.replaceChildren(...candidates(picked, name).filter(Boolean));
    found.removeAttribute('aria-busy');
    byExample.open ||= answer.candidates.length === 0;
  };
  box.replaceChildren(h('section', { class: 'picked', 'aria-label': 'What was clicked at' },
    h('div', { class: 'picked-head' }, h('h2', {}, '“', own(clipped(picked.text, 80)), '”'),
      h('button', { class: 'icon', 'aria-label': 'Close', onclick: close }, '✕')),
    h('label', { class: 'picked-name' }, h('span', {}, 'Call it'), name),
    found, rightValueOf(picked), byExample,
    !picked.isDatum && h('details', { class: 'region-choice', ontoggle: event => outline(event.target.open ? picked.block : null) },
      h('summary', {}, 'Ignore a region'),
      h('p', { class: 'quiet' }, 'What is outlined is taken for no content, and its fields leave the table.'),
      h('div', { class: 'row' },
        h('button', { onclick: () => outline(picked.region?.parentElement?.closest('[data-from]')) }, 'Wider'),
        h('button', { id: 'ignore', onclick: () => ignore(picked) }, 'Ignore it')))));
  if (picked.answer) picked.answered(picked.answer);
}

// A text that no field finds here may be what a field should find: the one that is looked at first.
function rightValueOf(picked) {
  const fields = (state.rules?.fields ?? []).filter(field => field.on && field.field !== +picked.field);
  if (!fields.length || state.view?.group !== state.group) return '';
  const looked = fields.find(field => field.name === state.focus);
  const use = async field => { if (await judge('instead', { field, page: picked.page, values: [picked.text] }) === 'take') close(); };
  return h('div', { class: 'row right-value' },
    looked && h('button', { id: 'use-for-focus', onclick: () => use(looked.field) }, 'Right value of ', own(looked.name)),
    h('select', { id: 'right-value-of', 'aria-label': 'This is the right value of', onchange: event => event.target.value && use(+event.target.value) },
      h('option', { value: '' }, looked ? 'or of …' : 'This is the right value of …'), fields.map(field => h('option', { value: String(field.field) }, field.name))));
}

function candidates(picked, name) {
  const found = picked.answer.candidates;
  if (!found.length) return [equal(picked), h('p', { class: 'quiet' }, 'No field of the mold finds this place. It may be learned from examples.')];
  return [equal(picked), h('ol', { class: 'candidates' }, found.map(candidate => h('li', { class: candidate.exact ? 'exact' : '' },
    h('div', { class: 'line' },
      h('span', { class: `name${candidate.on ? ` f${candidate.field % 8}` : ' off'}` }, own(candidate.name)),
      h('span', { class: 'reach' }, candidate.here > 1 ? `all like it: ${candidate.here} here` : candidate.exact ? 'this one' : 'this and more'),
      h('button', { class: 'use', onclick: () => use(candidate, name.value) }, candidate.on ? 'Name it' : 'Use')),
    h('p', { class: 'quiet' }, `on ${candidate.filled} of ${counted(candidate.looked, 'page')}`,
      candidate.samples.length > 0 && [': ', own(candidate.samples.map(sample => clipped(sample.value, 28)).join(' · '))]))))];
}

// The same value in another place is found by a field: it is said which.
const equal = picked => picked.answer.equals.length > 0 && h('p', { class: 'equal', id: 'equal' }, 'The same value, in another place, is ',
  picked.answer.equals.map((field, at) => [at > 0 && ', ', h('button', { class: 'link', onclick: () => goToValue(picked.page, field.field) }, own(field.name))]), '.');

async function use(candidate, wanted) {
  const name = wanted.trim() || candidate.name;
  const done = await attempt(async () => { await edit({ do: 'use', group: state.picked.answer.group, field: candidate.field, name }); return true; });
  if (!done) return;
  say(`${name} is in the table`, false, undo);
  unfold(name);
  close();
}

// What is learned from few values may be anything elsewhere: it is looked at first.
async function learn(wanted) {
  const name = wanted.trim();
  const examples = [...state.examples].map(([page, values]) => ({ page, values: [...values] }));
  const answer = await attempt(() => shownFirst({ do: 'example', group: state.group, name, on: examples }));
  if (answer !== 'take') return;
  say(`${name} was learned`, false, undo);
  unfold(name);
  close();
}

async function ignore(picked) {
  const { from, to } = picked.region?.dataset ?? { from: picked.start, to: picked.end };
  const done = await attempt(async () => { await edit({ do: 'ignore', page: picked.page, start: +from, end: +to }); return true; });
  if (!done) return;
  say('the region is ignored', false, undo);
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

export function close() {
  outline(null);
  state.picked = null;
  state.examples.clear();
  showPicked(byId('picked'));
}

on('picked', async () => {
  const { picked } = state;
  if (state.replacing !== null) {
    const field = state.replacing;
    state.picked = null;
    if (await judge('instead', { field, page: picked.page, values: [picked.text] }) === 'take') state.replacing = null;
    tell('shown');
    return;
  }
  const values = state.examples.get(picked.page) ?? new Set();
  if (!picked.adds) state.examples.clear();
  else if (values.has(picked.text)) { exclude(picked.page, picked.text); return; }
  const set = picked.adds ? values : new Set();
  set.add(picked.text);
  state.examples.set(picked.page, set);
  picked.block = picked.isDatum ? null : picked.element.closest('[data-from]');
  document.body.dataset.pane = 'side';
  showPicked(byId('picked'));
  const answer = await attempt(() => get(`/api/page/${picked.page}/pick?start=${picked.start}&end=${picked.end}&text=${picked.isDatum || picked.isPart ? encodeURIComponent(picked.text) : ''}`));
  if (state.picked !== picked || !answer) return;
  picked.answered(answer);
  byId('picked').scrollIntoView({ block: 'nearest' });
});

