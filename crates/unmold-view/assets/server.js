// What the server is asked, and what all parts of the page share.

export const state = {
  token: '', version: 0, pages: 0, groups: [], others: 0, saveTo: null,
  group: 0, page: null, tab: 'page', side: 'fields', field: 0, list: 0,
  view: null,      // the page that is shown
  rules: null,     // the fields and lists of the group
  picked: null,    // what was clicked at
  focus: null,     // the field whose value is looked at, by name
  goal: null,      // where the page is scrolled to once it is there: a field, or a byte
  replacing: null, // the field that the next click gives a value
  examples: new Map(), // values by page, for learning by example
};

// Whoever tells something can wait until all who listen have done what they do.
const listeners = new Map();
export const on = (name, act) => { listeners.set(name, [...listeners.get(name) ?? [], act]); };
export const tell = name => Promise.all((listeners.get(name) ?? []).map(act => act()));

export class Problem extends Error {
  constructor(message, exists) { super(message); this.exists = exists; }
}

async function answered(response) {
  if (response.ok) return response.json();
  let said = {};
  try { said = await response.json(); } catch { /* a refusal is plain text */ }
  throw new Problem(said.problem || `the viewer said ${response.status}`, said.exists);
}

// A request that nobody answers means that the program has stopped: all of the page is told.
async function sent(path, options) {
  try { return await fetch(path, options); } catch {
    tell('stopped');
    throw new Problem('the viewer does not answer: the program has stopped');
  }
}

export const get = async path => answered(await sent(path, { headers: { accept: 'application/json' } }));

export const post = async (path, body) => answered(await sent(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-unmold-token': state.token },
  body: JSON.stringify(body ?? {}),
}));

// Changes come one after the other; after each, everything that is shown is asked for again.
let turn = Promise.resolve();
function inTurn(act) {
  const mine = turn.then(act);
  turn = mine.catch(() => {});
  return mine;
}

async function took(answer) {
  Object.assign(state, answer);
  await tell('state');
}

// Whatever was refused, the controls show what there is: perhaps another window changed it.
async function shownAsItIs(problem) {
  try {
    Object.assign(state, await get('/api/state'));
    await tell('state');
  } catch { await tell('side'); }
  throw problem;
}

// An edit means the mold that was looked at: if another came before, it is refused.
export function edit(change) {
  const { version } = state;
  return inTurn(async () => {
    const answer = await post('/api/edit', { version, edit: change }).catch(shownAsItIs);
    await took(answer);
  });
}

// What an edit would change, and taking what was looked at.
export const preview = change => post('/api/preview', { version: state.version, edit: change });
export const take = id => inTurn(async () => took(await post('/api/take', { preview: id }).catch(shownAsItIs)));
export const step = path => inTurn(async () => took(await post(path)));

// Every window shows what there is, though another one changed it; and says so if nobody answers.
const EVERY = 1500;
export async function watch() {
  const isIdle = document.hidden || document.body.classList.contains('busy');
  if (!isIdle) await look();
  setTimeout(watch, EVERY);
}

async function look() {
  let standing;
  try {
    const response = await fetch('/api/version');
    if (response.status === 403) { tell('anew'); return; }
    standing = await response.json();
  } catch { tell('stopped'); return; }
  tell('answers');
  if (standing.version !== state.version) await inTurn(async () => took(await get('/api/state')));
  else if (standing.isSaved !== state.isSaved) { Object.assign(state, standing); tell('standing'); }
}
