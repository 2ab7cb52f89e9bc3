// How the rules do on these pages, and how the papers' methods see them.

import { state, get, edit, step } from '/server.js';
import { h, own, counted, clipped, attempt, ask, say } from '/elements.js';
import { nextDoubt } from '/page.js';

const PICTURES = [
  ['histogram', 'Strings by the share of pages they are on', 'Strings on nearly all pages are template; the line is where the thesis cuts.'],
  ['amplification', 'F(f) and G(f)', 'How often strings occur that occur f times. Peaks are multiples of the number of pages.'],
  ['landscape', 'Alternation counts by (n, a)', 'Each point cuts the pages into template and content. The red path is the walk to the optimal cut point.'],
];

export function showPictures(side) {
  const path = name => `/api/group/${state.group}/picture/${name}`;
  const large = (name, title) => ask(title, [h('div', { class: 'picture large' }, h('img', { src: path(name), alt: title }))], [[true, 'Close', 'primary']], 'widest');
  side.replaceChildren(...PICTURES.map(([name, title, words]) => h('figure', { class: 'picture' },
    h('figcaption', {}, h('strong', {}, title), ' ', words),
    h('button', { class: 'enlarge', 'aria-label': `${title}, large`, onclick: () => large(name, title) }, h('img', { src: path(name), alt: title, loading: 'lazy' })))));
}

// Values that fields had, and values that they have: what is wrong comes first.
const MARKS = { healthy: '✓', drifted: '⚠', broken: '✗', unseen: '–' };
const ORDER = ['broken', 'drifted', 'unseen', 'healthy'];

export async function showCheck(side) {
  const asked = state.version;
  if (!side.querySelector('.check-head')) side.replaceChildren(h('p', { class: 'quiet' }, 'comparing these pages with those that the mold was learned from …'));
  const report = await attempt(() => get('/api/check'));
  const group = report?.groups[state.group];
  if (!group || state.side !== 'check' || asked !== state.version) return;
  const verdict = what => h('span', { class: `verdict ${what}` }, `${MARKS[what]} ${what}`);
  const values = texts => texts.length ? texts.slice(0, 3).map(text => h('li', {}, own(clipped(text, 60)))) : h('li', { class: 'quiet' }, 'none');
  const doubts = new Map((state.rules?.fields ?? []).map(field => [field.name, field.doubtful]));
  const inDoubt = field => doubts.get(field.name) > 0 && h('button', { class: 'flag link', onclick: () => { state.focus = null; nextDoubt(1); } }, `⚠ ${doubts.get(field.name)} in doubt`);
  const line = field => h('li', {},
    h('div', { class: 'line' }, h('span', { class: 'name' }, own(field.name)), inDoubt(field), verdict(field.verdict)),
    field.reasons.map(reason => h('p', { class: 'quiet' }, reason)),
    field.verdict !== 'healthy' && h('div', { class: 'then-and-now' },
      h('div', {}, h('b', {}, 'then'), h('ul', {}, values(field.before))), h('div', {}, h('b', {}, 'now'), h('ul', {}, values(field.now)))));
  const isFine = field => field.verdict === 'healthy' && !doubts.get(field.name);
  const wrong = group.fields.filter(field => !isFine(field)).sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  const fine = group.fields.filter(isFine);
  const repair = () => attempt(async () => { await edit({ do: 'repair' }); say('repaired: the fields are found in the ways that work on these pages', false, () => attempt(() => step('/api/undo'))); });
  side.replaceChildren(
    h('div', { class: 'line check-head' }, h('strong', {}, counted(group.pages, 'page')), verdict(group.verdict)),
    ...group.reasons.map(reason => h('p', { class: 'quiet' }, reason)),
    h('p', { class: 'quiet' }, 'Learned from the same pages, all is healthy; open other pages with --mold to see what has changed.'),
    ...(group.verdict === 'drifted' || group.verdict === 'broken' ? [h('button', { class: 'primary', id: 'repair', onclick: repair }, 'Repair')] : []),
    wrong.length ? h('ol', { class: 'patterns', id: 'checked' }, wrong.map(line)) : '',
    fine.length ? h('details', { class: 'fine' }, h('summary', {}, `${counted(fine.length, 'field')} healthy and without a doubt`), h('ul', {}, fine.map(field => h('li', { class: 'name' }, own(field.name))))) : '');
}
