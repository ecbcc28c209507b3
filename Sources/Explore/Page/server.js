// Questions to the command. A newer question of the same kind ends the older one, here and there.

/** The command refused a question; it says why. */
export class Refusal extends Error {
  constructor(status, { error, hint, field, column }) {
    super(error);
    Object.assign(this, { status, hint, field, column });
  }
}

/** A newer question took the place of this one. */
export class Superseded extends Error {}

/** True if the command says that something that was typed is wrong. */
export function isFault(error) {
  return error instanceof Refusal && error.status === 422;
}

const tab = crypto.randomUUID();
const running = new Map();

// The answer, and its text.
async function request(route, options) {
  try {
    const answer = await fetch(route, options);
    return [answer, await answer.text()];
  } catch (error) {
    if (error.name === "AbortError") throw new Superseded();
    throw new Refusal(0, {
      error: "the command does not answer: was it ended?",
      hint: "start it again, and open its new address",
    });
  }
}

function problem(answer, text) {
  const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
  return isJSON ? JSON.parse(text) : { error: `the command answers with status ${answer.status}` };
}

async function read(route, options) {
  const [answer, text] = await request(route, options);
  if (answer.ok) return { answer, text };
  throw answer.status === 409 ? new Superseded() : new Refusal(answer.status, problem(answer, text));
}

// A question as a request.
function post(question, more) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), ...more };
}

/** The `captures`, or the `keys` of their values. */
export async function get(route) {
  return JSON.parse((await read(route)).text);
}

/** Asks a question. `kind` tells questions of one route apart that do not end one another.
 *
 *  @returns The answer as a text, and its warnings.
 *  @throws Refusal, or Superseded. */
export async function askText(route, question, kind = "") {
  const key = `${route}-${kind}`;
  running.get(key)?.abort();
  const controller = new AbortController();
  running.set(key, controller);
  const asked = { ...question, session: `${tab}${kind}`.slice(0, 64) };
  const { answer, text } = await read(route, post(asked, { signal: controller.signal }));
  if (running.get(key) === controller) running.delete(key);
  const messages = answer.headers.get("Explore-Messages");
  return { text, messages: messages === null ? [] : JSON.parse(messages) };
}

/** Asks a question whose answer is JSON. */
export async function ask(route, question, kind) {
  const { text, messages } = await askText(route, question, kind);
  return { body: JSON.parse(text), messages };
}

/** Ends all questions, here and there. */
export async function endAll() {
  for (const controller of running.values()) controller.abort();
  running.clear();
  await request("end", post({ session: tab }));
}
