// The decision on one device, step by step, and the single edits that would turn it.

import { button, element } from "./element.js";
import { counted, minute } from "./text.js";

// The number of attestations that are shown at once.
const SHOWN = 20;

function flips({ flips: commands }, page) {
  if (commands.length === 0) return element("p", { class: "muted" }, "No single edit turns the verdict.");
  return element(
    "ul",
    { class: "commands" },
    ...commands.map((list) =>
      element(
        "li",
        {},
        element("code", {}, list.join("; ")),
        button(
          "Add",
          () => {
            page.closeDialog();
            page.addAll(list);
          },
          { "aria-label": `Add ${list.join("; ")}` },
        ),
      ),
    ),
  );
}

function attestation(explanation, page) {
  const tone = explanation.verdict === "fail" ? "worse" : "better";
  return element(
    "section",
    {},
    element(
      "h3",
      {},
      `${minute(explanation.time)}: `,
      element("span", { class: tone }, explanation.verdict),
      ` under ${explanation.policy}`,
    ),
    element("p", {}, "Each of these edits alone turns the verdict:"),
    flips(explanation, page),
    element(
      "details",
      {},
      element("summary", {}, "Steps"),
      element(
        "ol",
        {},
        ...explanation.steps.map(({ name, number, lines }) =>
          element("li", { value: number }, element("strong", {}, name), ": ", lines.join("; ")),
        ),
      ),
    ),
  );
}

/** What the dialog about a device holds. */
export function explanationOf({ explanations }, page) {
  const more = explanations.length - SHOWN;
  return [
    element("p", {}, `${counted(explanations.length, "attestation")} under the account after the changes.`),
    ...explanations.slice(0, SHOWN).map((one) => attestation(one, page)),
    more > 0 ? element("p", { class: "muted" }, `And ${counted(more, "later attestation")}; scenario explain shows all.`) : "",
  ];
}
