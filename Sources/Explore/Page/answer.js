// The sentence that decides, and what the answer rests on.

import { element, replace } from "./element.js";
import { counted, grouped, percentage } from "./text.js";

function unknownFlags({ before, after }) {
  const names = { ...before["unknown-flags"], ...after["unknown-flags"] };
  return Object.entries(names).map(
    ([name, count]) => `${name}: ${counted(count, "attestation")} with this flag, which no policy knows`,
  );
}

// The limits of the answer, a sentence each.
function limits(report, messages) {
  const { changes } = report;
  const rules = changes["decided-rules"].map(
    (rule) => `This answer rests on ${rule.rule ?? rule}, which the manual leaves open.`,
  );
  const reasons = Object.entries(changes.judged.unjudged.reasons).map(
    ([reason, count]) => `${counted(count, "device")} not evaluated: ${reason}`,
  );
  return [...messages, ...reasons, ...changes.unjudged, ...unknownFlags(report), ...rules];
}

function facts(report) {
  const { changes, before } = report;
  const { agreed, compared } = before.reproduced ?? { agreed: 0, compared: 0 };
  const { answer } = changes.certainty;
  return [
    `${counted(changes.attestations, "attestation")} of ${counted(changes.devices, "device")}`,
    answer === "exact" ? "exact" : `not exact: ${answer}`,
    `${counted(changes.judged.unjudged.devices, "device")} not evaluated`,
    ...(compared > 0
      ? [`${grouped(agreed)} of ${counted(compared, "captured verdict")} reproduced (${percentage(agreed, compared)})`]
      : []),
    changes["decided-rules"].length === 0
      ? "no rule that the manual leaves open"
      : `${counted(changes["decided-rules"].length, "rule")} that the manual leaves open`,
  ];
}

/** Draws the answer. */
export function drawAnswer(node, { body: report, messages }, page) {
  const [worse, better] = [report.changes["newly-rejected"].devices, report.changes["newly-accepted"].devices];
  node.className = `card ${worse > 0 ? "worse" : better > 0 ? "better" : ""}`;
  const words = node.querySelector("#sentence");
  // A screen reader reads what is replaced, so nothing is replaced by the same.
  if (words.textContent !== report.sentence) words.textContent = report.sentence;
  const listed = limits(report, messages);
  replace(
    node.querySelector("#basis"),
    element("p", { class: "hint", id: "facts" }, facts(report).join(" · ")),
    listed.length === 0
      ? ""
      : page.folded("limits", `${counted(listed.length, "limit")} of this answer`, () =>
          element("ul", { class: "hint" }, ...listed.map((line) => element("li", {}, line))),
        ),
  );
}
