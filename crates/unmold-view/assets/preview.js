// What a rule would change on all pages, shown before it is taken.

import { state, edit, preview, take, step } from '/server.js';
import { h, own, counted, clipped, attempt, ask, say } from '/elements.js';

const said = values => values.length ? own(clipped(values.join(' · '), 120)) : h('span', { class: 'none' }, '—');

function figures(shown) {
  const line = (name, of) => h('tr', {}, h('th', { scope: 'row' }, name),
    !shown.isNew && h('td', {}, shown.before[of].toLocaleString('en')), h('td', {}, shown.after[of].toLocaleString('en')));
  return h('table', { class: 'figures' },
    h('thead', {}, h('tr', {}, h('td', {}), ...(shown.isNew ? ['it would be'] : ['now', 'after']).map(title => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, line(`pages of ${shown.pages} with a value`, 'filled'), line('different values', 'distinct'), line('in doubt', 'doubtful')));
}

function rows(shown) {
  const line = row => h('tr', { class: row.changes ? 'changes' : 'stays' },
    h('th', { scope: 'row' }, own(row.name)),
    !shown.isNew && h('td', {}, said(row.before)),
    h('td', {}, row.doubt && h('span', { class: 'flag', title: row.doubt }, '⚠ '), row.changes || shown.isNew ? said(row.after) : h('span', { class: 'none' }, 'the same')));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Values on pages' }, h('table', { class: 'side-by-side', id: 'preview-rows' },
    h('thead', {}, h('tr', {}, ['Page', ...(shown.isNew ? ['Value'] : ['Now', 'After'])].map(title => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, shown.rows.map(line))));
}

// Shows what an edit would do; gives whether it was taken. `keep` is what else can be done, by its words.
export async function shownFirst(change, keep) {
  for (let way = 0; ;) {
    const shown = await preview(change.do === 'correct' ? { ...change, way } : change);
    const { field, warnings, ways } = shown;
    const title = shown.isNew ? `New field ${field}` : shown.changed ? `${field}: ${counted(shown.changed, 'page')} would change` : `${field}: no value would change`;
    // Where something speaks against it, Enter takes nothing.
    const [first, last] = warnings.length ? [true, false] : [false, true];
    const answers = [[undefined, 'Cancel', '', first], ...(keep ? [['keep', keep]] : []),
      ...(ways > 1 ? [['other', `Another way (${shown.way + 1} of ${ways})`]] : []), ['take', 'Take it', 'primary', last]];
    const body = [
      ...(warnings.length ? [h('ul', { class: 'warnings', id: 'warnings' }, warnings.map(warning => h('li', {}, h('span', { 'aria-hidden': 'true' }, '⚠ '), own(warning))))] : []),
      figures(shown), rows(shown)];
    const answer = await ask(title, body, answers, 'wide');
    if (answer === 'other') { way = (shown.way + 1) % ways; continue; }
    if (answer !== 'take') return answer;
    await take(shown.id);
    return answer;
  }
}

const undo = () => attempt(() => step('/api/undo'));

// Says that a value is right, wrong, or what it should be.
export async function judge(verdict, { field, page = state.page, values }) {
  const about = { group: state.group, field, page, verdict, values };
  if (verdict === 'right') {
    return attempt(async () => {
      await edit({ do: 'settle', ...about });
      say('noted as right', false, undo);
      return 'take';
    });
  }
  return attempt(async () => {
    try {
      const answer = await shownFirst({ do: 'correct', ...about }, verdict === 'wrong' ? 'Only note it' : undefined);
      if (answer === 'take') say(`${state.rules?.fields[field]?.name ?? 'the field'} was learned again`, false, undo);
      if (answer !== 'keep') return answer;
    } catch (problem) {
      if (verdict !== 'wrong') throw problem;
    }
    await edit({ do: 'settle', ...about });
    say('noted as wrong: no rule that is known does better', false, undo);
    return 'take';
  });
}
