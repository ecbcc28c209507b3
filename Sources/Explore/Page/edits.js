// Every single edit of the account after the changes, by effect or by cost, with what labels say of each.

import { button, commandText, element, form, hidden, note, number, replace } from "./element.js";
import { barEnd, figure, scale, shortened, table, twoSided } from "./table.js";
import { counted, grouped } from "./text.js";

// The number of edits that are shown at first.
const SHOWN = 15;

/** The column of the buttons that apply edits. */
export const ACTION = figure(hidden("action"));

/** A button that adds commands to the changes. */
export function applying(commands, page) {
  const text = commands.join("; ");
  const apply = () => {
    page.closeDialog();
    page.addAll(commands);
  };
  return button("Apply", apply, { class: "apply", "aria-label": `Apply ${text}`, "data-name": `apply ${text}` });
}

/** The order that the command is asked for; the page itself finds those that turn fewest. */
export function asked(order) {
  return order === "fewest" ? "edit" : order;
}

function turned(edit) {
  return edit["newly-rejected"].devices + edit["newly-accepted"].devices;
}

// Edits that turn no verdict are the last.
function rank(edit) {
  return turned(edit) || Number.POSITIVE_INFINITY;
}

function isNoted(edit) {
  return turned(edit) > 0 || edit["token-fetches-per-mille"] !== 1000;
}

function times(perMille) {
  if (perMille === 1000) return "";
  return `${(Math.floor(perMille / 10) / 100).toFixed(2)}×`;
}

// A difference from now, worse in one direction and better in the other.
function difference(count, isWorse) {
  if (count === 0) return element("span", { class: "muted" }, "±0");
  return element("b", { class: isWorse ? "worse" : "better" }, `${count > 0 ? "+" : "−"}${grouped(Math.abs(count))}`);
}

function labelCells({ labels: { bad, good } }, now) {
  const [caught, blocked] = [bad.caught - now.bad.caught, good.blocked - now.good.blocked];
  return [difference(caught, caught < 0), difference(blocked, blocked > 0)];
}

// Columns whose cells are all equal are left out.
function columnsOf({ labels }, edits, top, page) {
  const hasFetches = edits.some((edit) => edit["token-fetches-per-mille"] !== 1000);
  const isPriced = edits.some((edit) => edit.labels?.saves !== undefined);
  const column = (title, cell) => ({ title, kind: "n w", cell });
  // A second press of a heading gives the first order back.
  const sorted = (title, order, cell) => ({
    ...column(title, cell),
    sorted: page.order === order && "descending",
    sort: () => page.showEdits(page.order === order ? "fewest" : order),
  });
  const some = (count) => (count === 0 ? "" : grouped(count));
  return [
    {
      title: "edit",
      cell: ({ command, labels: label }) => [commandText(command), label?.efficient ? element("small", {}, "efficient") : ""],
    },
    sorted("newly accepted", "newly-accepted", (edit) => some(edit["newly-accepted"].devices)),
    {
      title: [scale(grouped(top), "")],
      kind: "b s",
      label: `as bars up to ${grouped(top)}`,
      cell: (edit) => twoSided(edit["newly-accepted"].devices, edit["newly-rejected"].devices, top),
    },
    sorted("newly rejected", "newly-rejected", (edit) => some(edit["newly-rejected"].devices)),
    ...(hasFetches ? [column("token fetches", (edit) => times(edit["token-fetches-per-mille"]))] : []),
    ...(labels
      ? [
          column("bad caught", (edit) => labelCells(edit, labels.account)[0]),
          column("good blocked", (edit) => labelCells(edit, labels.account)[1]),
        ]
      : []),
    ...(isPriced ? [sorted("saves", "cost", (edit) => String(edit.labels.saves))] : []),
  ];
}

function editTable(title, edits, answer, top, page) {
  const columns = columnsOf(answer, edits, top, page);
  const rows = edits.map((edit) => ({ cells: [...columns.map(({ cell }) => cell(edit)), applying([edit.command], page)] }));
  return table(title, [...columns, ACTION], rows, "stack");
}

// Bars end where the longest of the edits that turn fewest do: a preset that rejects everybody would hide the others.
function scaleOf(edits) {
  const counts = edits.map(turned).sort((one, other) => one - other);
  return barEnd(counts[Math.floor(0.6 * (counts.length - 1))] ?? 0);
}

// The cost by device and day of a bad device that is missed, and of a good one that is blocked.
function costs(page) {
  if (!page.captures.labels) return "";
  const cost = (name) => number({ "aria-label": `Cost of a ${name}` });
  const [missed, blocked] = [cost("missed bad device"), cost("blocked good device")];
  const weigh = () => page.showEdits("cost", `missed=${missed.value},blocked=${blocked.value}`);
  const words = ["Cost of a missed bad device", missed, "of a blocked good one", blocked];
  return form(weigh, { class: "bar" }, ...words, element("button", {}, "Weigh"));
}

/** Draws the edits; without `answer` a button that asks for them. */
export function drawEdits(node, answer, page) {
  const head = element("h2", {}, "All single edits");
  if (!answer) {
    const ask = button("Evaluate every single edit", () => page.wantEdits(), { "data-name": "edits" });
    return replace(node, head, note("What each single change would do after these changes."), ask);
  }
  const noted = answer.edits.filter(isNoted);
  const edits = page.order === "fewest" ? noted.toSorted((one, other) => rank(one) - rank(other)) : noted;
  const top = scaleOf(edits);
  const said = [
    `${grouped(noted.length)} of ${counted(answer.evaluated, "edit")} change something`,
    page.order === "fewest" ? "; those that turn fewest verdicts come first." : ".",
    answer.labels
      ? " Labelled devices are differences from now; no edit catches more for as few blocked as an efficient one."
      : "",
    edits.some((edit) => turned(edit) > top) ? ` A bar that is longer than ${grouped(top)} devices is cut.` : "",
  ];
  replace(
    node,
    head,
    note(said.join("")),
    costs(page),
    ...shortened(edits, SHOWN, "more edit", "more edits", page, (some, end) =>
      editTable(`Single edits${end}`, some, answer, top, page),
    ),
  );
}
