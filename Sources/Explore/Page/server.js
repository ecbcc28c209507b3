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
    return answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : await answer.text();
  } catch (error) {
    if (error.name === "AbortError") throw new Superseded();
    throw new Refusal(0, { error: "the command ended while it answered" });
  }
}

async function read(answer) {
  const body = await content(answer);
  if (answer.ok) return body;
  if (answer.status === 409) throw new Superseded();
  const problem = typeof body === "object" ? body : { error: `the command answers with status ${answer.status}` };
  throw new Refusal(answer.status, problem);
}

/** What was read at the start. */
export async function captures() {
  return read(await request("captures"));
}

/** Asks a question. `kind` tells questions of one route apart that do not end one another.
 *
 *  @returns The body of the answer, and its warnings.
 *  @throws Refusal, or Superseded. */
export async function ask(route, question, kind = "") {
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
  const body = await read(answer);
  if (running.get(key) === controller) running.delete(key);
  const messages = answer.headers.get("Explore-Messages");
  return { body, messages: messages === null ? [] : JSON.parse(messages) };
}
