// What the server is asked, and what all parts of the page share.

export const state = {
  token: '', version: 0, pages: 0, groups: [], others: 0, saveTo: null,
  group: 0, page: null, tab: 'page', side: 'fields', field: 0,
  view: null,      // the page that is shown
  rules: null,     // the fields and lists of the group
  picked: null,    // what was clicked at
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

export const get = async path => answered(await fetch(path, { headers: { accept: 'application/json' } }));

export const post = async (path, body) => answered(await fetch(path, {
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

// An edit means the mold that was looked at: if another came before, it is refused.
export function edit(change) {
  const { version } = state;
  return inTurn(async () => took(await post('/api/edit', { version, edit: change })));
}

export const step = path => inTurn(async () => took(await post(path)));
