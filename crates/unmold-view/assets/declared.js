// What a page declares, as a tree beside it: each datum can be clicked at like a text of the page.

import { state, get, tell } from '/server.js';
import { h, own, counted, clipped, attempt } from '/elements.js';

const NAMES = { 'json-ld': 'JSON-LD', microdata: 'Microdata', rdfa: 'RDFa', 'open-graph': 'Open Graph', meta: 'Meta', state: 'State of the application' };

export async function showDeclared(side) {
  const asked = state.page;
  if (asked === null) { side.replaceChildren(h('p', { class: 'empty' }, 'No page is shown.')); return; }
  const found = await attempt(() => get(`/api/page/${asked}/declared`));
  if (!found || state.side !== 'declared' || asked !== state.page) return;
  const block = (thing, at) => h('details', { class: 'declared', open: at < 3 },
    h('summary', {}, h('b', {}, NAMES[thing.vocabulary] ?? thing.vocabulary), thing.name && [' ', own(thing.name)]),
    tree('', thing.data, 0));
  side.replaceChildren(
    h('p', { class: 'quiet' }, found.blocks.length ? 'What the page says to programs. Click a value as you would click a text of the page.' : 'This page declares nothing.'),
    ...found.blocks.map(block),
    ...(found.more ? [h('p', { class: 'quiet' }, `and ${counted(found.more, 'value')} more`)] : []),
    ...(found.flaws ? [h('p', { class: 'doubt' }, `⚠ ${counted(found.flaws, 'block')} could not be read`)] : []));
}

// Deep parts are made when they are opened.
function branch(name, count, depth, lines) {
  const box = h('div', { class: 'branch' });
  const fill = () => { if (!box.firstChild) box.append(...lines()); };
  if (depth < 2) fill();
  return h('details', { open: depth < 2, ontoggle: fill }, h('summary', {}, own(name || 'data'), h('span', { class: 'quiet' }, ` ${count}`)), box);
}

function tree(name, datum, depth) {
  if (datum.o) return depth === 0 ? h('div', { class: 'branch' }, datum.o.map(([key, value]) => tree(key, value, 1)))
    : branch(name, datum.o.length, depth, () => datum.o.map(([key, value]) => tree(key, value, depth + 1)));
  if (datum.l) return branch(name, datum.l.length, depth, () => datum.l.map((value, at) => tree(String(at + 1), value, depth + 1)));
  if (datum.v === undefined) return h('p', { class: 'datum' }, own(name), h('span', { class: 'none' }, ' nothing'));
  const field = datum.f?.[0];
  const pick = event => {
    state.picked = { page: state.page, text: datum.v, start: datum.s, end: datum.e, isDatum: true, field, element: event.currentTarget, adds: event.ctrlKey || event.metaKey };
    tell('picked');
  };
  return h('p', { class: 'datum' }, own(name, { class: 'quiet' }), ' ',
    h('button', { class: `value${field === undefined ? '' : ` field f${field % 8}`}`, onclick: pick }, own(clipped(datum.v, 160))),
    field !== undefined && h('span', { class: `name f${field % 8}` }, state.rules?.fields[field]?.name ?? ''));
}
