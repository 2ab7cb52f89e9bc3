// Elements are made one by one and filled with text: nothing that a page says is ever read as markup.

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') element.className = value;
    else if (key in element && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = id => document.getElementById(id);
export const percent = share => `${Math.round(100 * share)} %`;
export const counted = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
export const clipped = (text, most) => text.length > most ? `${text.slice(0, most)}…` : text;
// The values of a page, as far as they were sent.
export const joined = (values, more, between = ' · ') => values.join(between) + (more ? ` and ${more.toLocaleString('en')} more` : '');

// A text of a page, in whatever script: its direction is its own.
export const own = (text, attributes = {}) => h('span', { dir: 'auto', ...attributes }, text);

// What was done, for a moment; with a button where it can be undone.
let quiet;
export function say(text, isBad = false, undo) {
  const status = byId('status');
  status.replaceChildren(own(text), ...(undo ? [h('button', { id: 'undo-this', onclick: () => { status.classList.remove('shown'); undo(); } }, 'Undo')] : []));
  status.classList.toggle('bad', isBad);
  status.classList.add('shown');
  clearTimeout(quiet);
  quiet = setTimeout(() => status.classList.remove('shown'), isBad || undo ? 8000 : 3000);
}

// Does something, and says so if it cannot be done.
let underway = 0;
function count(by) {
  underway += by;
  document.body.classList.toggle('busy', underway > 0);
}
export async function attempt(act) {
  count(1);
  try { return await act(); } catch (problem) { say(problem.message, true); } finally { count(-1); }
}

// Asks a question; gives the answer that was chosen, or nothing.
export function ask(title, text, answers, kind = '') {
  const dialog = byId('dialog');
  // Nothing is done while somebody thinks.
  const held = underway;
  count(-held);
  return new Promise(answered => {
    const resolve = answer => { count(held); answered(answer); };
    const choose = answer => () => { dialog.close(); resolve(answer); };
    dialog.className = kind;
    dialog.replaceChildren(
      h('h2', { id: 'dialog-title' }, title), ...(Array.isArray(text) ? text : [h('p', {}, text)]),
      h('div', { class: 'answers' }, answers.map(([answer, words, kind, isFirst]) =>
        h('button', { class: kind, autofocus: isFirst, onclick: choose(answer) }, words))));
    dialog.oncancel = () => resolve(undefined);
    dialog.showModal();
  });
}
