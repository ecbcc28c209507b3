// Every single edit of the account after the changes, by effect or by cost, with the frontier where devices have labels.

import { button, element, replace, table } from "./element.js";
import { dotPlot } from "./plot.js";
import { counted, grouped } from "./text.js";

// The number of edits that are shown at first.
const SHOWN = 25;

const ORDERS = {
  "newly-rejected": "most newly rejected first",
  "newly-accepted": "most newly accepted first",
  "token-fetches": "most token fetches first",
  cost: "largest saving first",
  edit: "as in the account",
};

function times(perMille) {
  return `${grouped(Math.floor(perMille / 1000))}.${String(Math.floor((perMille % 1000) / 10)).padStart(2, "0")}×`;
}

function changesSomething(edit) {
  return edit["newly-rejected"].devices + edit["newly-accepted"].devices > 0 || edit["token-fetches-per-mille"] !== 1000;
}

function editTable(edits, page) {
  const isLabelled = edits.some(({ labels }) => labels);
  const isPriced = edits.some(({ labels }) => labels?.saves !== undefined);
  const columns = ["edit", "#newly rejected", "#newly accepted", "#token fetches"];
  if (isLabelled) columns.push("#bad caught", "#good blocked");
  if (isPriced) columns.push("#saves");
  const rows = edits.map((edit) => [
    button(edit.command, () => page.add(edit.command), { class: "link" }),
    grouped(edit["newly-rejected"].devices),
    grouped(edit["newly-accepted"].devices),
    times(edit["token-fetches-per-mille"]),
    ...(isLabelled ? [grouped(edit.labels.bad.caught), grouped(edit.labels.good.blocked)] : []),
    ...(isPriced ? [String(edit.labels.saves)] : []),
  ]);
  return table("Single edits", columns, rows);
}

function frontier(edits, page) {
  const labelled = edits.filter(({ labels }) => labels);
  if (labelled.length === 0) return "";
  const dots = labelled.map(({ command, labels }) => ({
    x: labels.good.blocked,
    y: labels.bad.caught,
    name: `${command}: ${grouped(labels.bad.caught)} bad caught, ${grouped(labels.good.blocked)} good blocked`,
    marked: labels.efficient,
    act: () => page.add(command),
  }));
  return element(
    "figure",
    {},
    dotPlot("Bad devices caught by good devices blocked", "good devices blocked", dots),
    element(
      "figcaption",
      { class: "hint" },
      "Sideways good devices blocked, upwards bad devices caught. Large dots are the efficient edits: no other catches as many for fewer blocked.",
    ),
  );
}

// The cost by device and day of a bad device that is missed, and of a good one that is blocked.
function costs(page) {
  if (!page.captures.labels) return "";
  const field = (name) => element("input", { type: "number", min: 0, required: true, "aria-label": `Cost of a ${name}` });
  const [missed, blocked] = [field("missed bad device"), field("blocked good device")];
  const weigh = (event) => {
    event.preventDefault();
    page.showEdits("cost", `missed=${missed.value},blocked=${blocked.value}`);
  };
  const form = { class: "bar", onsubmit: weigh };
  return element(
    "form",
    form,
    "Cost of a missed bad device",
    missed,
    "of a blocked good one",
    blocked,
    element("button", {}, "Weigh"),
  );
}

/** Draws the edits; without `answer` a button that asks for them. */
export function drawEdits(node, answer, page) {
  const head = element("h2", {}, "All single edits");
  if (!answer) {
    const ask = button("Evaluate every single edit", () => page.showEdits(page.order), { "data-name": "edits" });
    return replace(node, head, element("p", { class: "hint" }, "What each single change would do after these commands."), ask);
  }
  const changing = answer.edits.filter(changesSomething);
  const orders = Object.entries(ORDERS).filter(([order]) => order !== "cost" || page.cost);
  const order = element(
    "select",
    { "aria-label": "Order", "data-name": "order", onchange: (event) => page.showEdits(event.target.value) },
    ...orders.map(([name, title]) => element("option", { value: name, selected: name === page.order }, title)),
  );
  replace(
    node,
    head,
    element(
      "div",
      { class: "bar" },
      element("p", {}, `${grouped(changing.length)} of ${counted(answer.evaluated, "edit")} change something.`),
      order,
    ),
    costs(page),
    frontier(answer.edits, page),
    editTable(changing.slice(0, SHOWN), page),
    changing.length > SHOWN
      ? page.folded("more edits", counted(changing.length - SHOWN, "more edit"), () => editTable(changing.slice(SHOWN), page))
      : "",
  );
}
