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

const tab = crypto.randomUUID();
const running = new Map();

async function request(route, options) {
  try {
    return await fetch(route, options);
  } catch (error) {
    if (error.name === "AbortError") throw new Superseded();
    throw new Refusal(0, {
      error: "the command does not answer: was it ended?",
      hint: "start it again, and open its new address",
    });
  }
}

async function content(answer) {
  try {
    return await answer.text();
  } catch (error) {
    if (error.name === "AbortError") throw new Superseded();
    throw new Refusal(0, { error: "the command ended while it answered" });
  }
}

function problem(answer, text) {
  const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
  return isJSON ? JSON.parse(text) : { error: `the command answers with status ${answer.status}` };
}

async function read(answer) {
  const text = await content(answer);
  if (answer.ok) return text;
  throw answer.status === 409 ? new Superseded() : new Refusal(answer.status, problem(answer, text));
}

/** The `captures`, or the `keys` of their values. */
export async function get(route) {
  return JSON.parse(await read(await request(route)));
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
  const answer = await request(route, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...question, session: `${tab}${kind}`.slice(0, 64) }),
    signal: controller.signal,
  });
  const text = await read(answer);
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
  await request("end", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ session: tab }),
  });
}
