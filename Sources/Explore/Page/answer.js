// The sentence that decides, what labels say of it, and what it rests on.

import { element, hidden, replace } from "./element.js";
import { counted, grouped, percentage } from "./text.js";

function unknownFlags({ before, after }) {
  const names = { ...before["unknown-flags"], ...after["unknown-flags"] };
  return Object.entries(names).map(
    ([name, count]) => `${name}: ${counted(count, "attestation")} with this flag, which no policy knows`,
  );
}

// The facts to know before relying on the answer, a sentence each.
function caveats(report, messages) {
  const { changes } = report;
  const rules = changes["decided-rules"].map(
    (rule) => `This answer rests on ${rule.rule ?? rule}, which the manual leaves open.`,
  );
  const reasons = Object.entries(changes.judged.unjudged.reasons).map(
    ([reason, count]) => `${counted(count, "device")} not evaluated: ${reason}`,
  );
  return [...messages, ...reasons, ...changes.unjudged, ...unknownFlags(report), ...rules];
}

function facts({ changes, before }, whole) {
  const { agreed, compared } = before.reproduced ?? { agreed: 0, compared: 0 };
  const { answer } = changes.certainty;
  const unjudged = changes.judged.unjudged.devices;
  const isPart = changes.attestations !== whole.attestations;
  return [
    `${counted(changes.attestations, "attestation")} of ${counted(changes.devices, "device")}` +
      (isPart ? `, of ${grouped(whole.devices)} devices in all` : ""),
    `${answer === "exact" ? "exact" : `not exact: ${answer}`}, ` +
      (unjudged === 0 ? "all evaluated" : `${counted(unjudged, "device")} not evaluated`),
    ...(compared > 0 ? [`${percentage(agreed, compared)} of captured verdicts reproduced`] : []),
  ];
}

function presentSentence({ changes: { devices: all } }, { devices: fail }) {
  return `Today ${grouped(fail)} of ${counted(all, "device")} fail${fail === 1 ? "s" : ""}; ${percentage(fail, all)} of these`;
}

// `5.2 % of these, 4.3–6.3 % of all devices (95 %)` for `5.2 %, 95 %: 4.3–6.3 %`.
function certainty(share, such) {
  const [, here, level, range] = share.match(/^(?:(.+?), )?([\d.]+ %): (.+)$/) ?? [];
  const all = `${range} of all ${such}devices (${level})`;
  if (!range) return `${share} of these`;
  return here ? `${here} of these, ${all}` : all.replace(/^a/, "A");
}

// The first clause is the answer. Its share in brackets is shown in front of the other clauses; for those who hear the sentence, it
// keeps its place.
function sentenceParts(sentence, such) {
  const [, first, share, effect, rest] = sentence.match(/^(.*?)(?: \(([^)]*)\)(.*?))?(?:; (.*))?$/s);
  const words = share ? [first, hidden(` (${share})`), effect] : [first];
  const initial = element("span", { class: "initial" }, rest?.slice(0, 1));
  return [
    element("span", { class: "says" }, ...words),
    ...(rest
      ? [
          hidden("; "),
          element("span", { class: "sub", "data-share": share && `${certainty(share, such)}. ` }, initial, rest.slice(1)),
        ]
      : []),
  ];
}

const strong = (words) => element("b", {}, words);

function pair({ good, bad }) {
  const some = (count, noun) => (count === 0 ? `no ${noun}` : `${grouped(count)} ${noun}`);
  return strong(`${some(good, "good")}, ${some(bad, "bad")}`);
}

// The labelled devices among those that the sentence is about.
function labelled(report, isToday) {
  const { labels } = report.changes;
  if (!labels) return [];
  const { good, bad, ...more } = labels.after;
  if (isToday) {
    const [caught, blocked] = [`${bad.caught} of ${bad.devices} bad`, `${good.blocked} of ${good.devices} good`];
    return ["Of the labelled ones ", strong(caught), " are caught, ", strong(blocked), " are blocked."];
  }
  const { "newly-rejected": rejected, "no-longer-rejected": accepted } = more;
  const [stop, start] = [report.changes["newly-rejected"].devices > 0, report.changes["newly-accepted"].devices > 0];
  if (!stop && !start) return [];
  const parts = [...(stop ? [pair(rejected), start ? " would stop" : ""] : []), stop && start ? "; " : ""];
  return ["Of the labelled ones ", ...parts, ...(start ? [pair(accepted), stop ? " would start" : ""] : []), "."];
}

/** Draws the answer. */
export function drawAnswer(node, { body: report, messages }, page) {
  const isToday = page.isPresent;
  const words = node.querySelector("#sentence");
  const sentence = isToday ? presentSentence(report, page.failing) : report.sentence;
  // A screen reader reads what is replaced, so nothing is replaced by the same.
  if (words.textContent !== sentence) words.replaceChildren(...sentenceParts(sentence, page.isNarrowed ? "such " : ""));
  replace(node.querySelector("#labelled"), ...labelled(report, isToday));
  const listed = caveats(report, messages);
  replace(
    node.querySelector("#basis"),
    element("span", { id: "facts" }, facts(report, page.captures).join(" · ")),
    listed.length === 0
      ? ""
      : page.folded("caveats", counted(listed.length, "caveat"), () =>
          element("ul", {}, ...listed.map((line) => element("li", {}, line))),
        ),
  );
}
