// The decision on one device: what it is today and would be, the edits that turn it, and its steps.

import { ACTION, applying } from "./edits.js";
import { code, commandText, element, note } from "./element.js";
import { table } from "./table.js";
import { counted, minute } from "./text.js";

function reasons({ steps }) {
  const verdict = steps.find(({ name }) => name === "verdict")?.lines.join("; ") ?? "";
  return verdict.replace(/^fail: /, "");
}

function isFailing({ verdict }) {
  return verdict === "fail";
}

// `Passes today, would fail: rooted`.
function says(now, later) {
  const failing = (words, one) => (isFailing(one) ? [`${words} fail: `, code(reasons(one))] : [`${words} pass`]);
  const today = isFailing(now) ? ["Fails today: ", code(reasons(now))] : ["Passes today"];
  if (!later) return today;
  return [...today, ", ", ...failing(isFailing(now) === isFailing(later) ? "would still" : "would", later)];
}

function meanings(one, page) {
  const found = reasons(one)
    .split(/[,;] /)
    .map((name) => page.flag(name)?.meaning)
    .filter(Boolean);
  return found.map((meaning) => `${meaning}. `).join("");
}

function flips({ flips: lists, verdict }, page) {
  const aim = verdict === "fail" ? "pass" : "fail";
  if (lists.length === 0) return note(`No single edit lets it ${aim}.`);
  const rows = lists.map((list) => ({ cells: [commandText(list.join("; ")), applying(list, page)] }));
  return [element("h3", {}, `To let it ${aim}, any one of`), table(`Edits that let it ${aim}`, ["edit", ACTION], rows)];
}

function steps({ steps: all }, page) {
  const rows = all.map(({ name, number, lines }) => ({ cells: [`${number}`, name, lines.join("; ")] }));
  const columns = ["step", "name", "what it finds"];
  return page.folded("steps", `${counted(all.length, "step")} of the decision`, () =>
    table("Steps of the decision", columns, rows),
  );
}

/** What the dialog about a device holds: `now` by the account as it is, `later` after the changes. */
export function explanationOf(now, later, page) {
  const turned = later.findIndex((one, index) => one.verdict !== now[index]?.verdict);
  const index = Math.max(turned, 0);
  const one = later[index];
  return [
    element("p", { class: "says" }, ...says(now[index] ?? one, page.isPresent ? null : one)),
    note(`${meanings(isFailing(one) ? one : (now[index] ?? one), page)}${minute(one.time)} UTC, under ${one.policy}.`),
    ...[flips(one, page)].flat(),
    steps(one, page),
    later.length > 1
      ? note(`The first of ${counted(later.length, "attestation")} that tells; scenario explain shows all.`)
      : "",
  ];
}
