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

let quiet;
export function say(text, isBad = false) {
  const status = byId('status');
  status.textContent = text;
  status.classList.toggle('bad', isBad);
  status.classList.add('shown');
  clearTimeout(quiet);
  quiet = setTimeout(() => status.classList.remove('shown'), isBad ? 8000 : 3000);
}

// Does something, and says so if it cannot be done.
let underway = 0;
export async function attempt(act) {
  underway += 1;
  document.body.classList.add('busy');
  try { return await act(); } catch (problem) { say(problem.message, true); } finally {
    underway -= 1;
    document.body.classList.toggle('busy', underway > 0);
  }
}

// Asks a question; gives the answer that was chosen, or nothing.
export function ask(title, text, answers) {
  const dialog = byId('dialog');
  return new Promise(resolve => {
    const choose = answer => () => { dialog.close(); resolve(answer); };
    dialog.replaceChildren(
      h('h2', {}, title), ...(Array.isArray(text) ? text : [h('p', {}, text)]),
      h('div', { class: 'answers' }, answers.map(([answer, words, kind]) =>
        h('button', { class: kind, onclick: choose(answer) }, words))));
    dialog.oncancel = () => resolve(undefined);
    dialog.showModal();
  });
}
