// The devices that the changes turn, by what they have in common. Each name narrows everything to its devices.

import { button, element, note, pick, replace } from "./element.js";
import { labelled } from "./labels.js";
import { thousandths } from "./plot.js";
import { bar, barEnd, figure, scale, shortened, table } from "./table.js";
import { counted, grouped, percentage, perMille } from "./text.js";

/** The keys by whose values the devices are counted. */
export const COUNTED = { "os-version": "system", model: "model", "app-version": "app version", locale: "language" };
// The number of values that are shown at first.
const SHOWN = 6;

/** The kinds of change: the list of values in an answer, the tone of bars, and words. */
export const KINDS = {
  "newly-rejected": {
    list: "values",
    tone: "worse",
    name: "Newly rejected",
    why: "Why they would fail",
    reasons: "would fail for",
    flag: ["rejects", "rejected"],
  },
  "newly-accepted": {
    list: "accepted-values",
    tone: "better",
    name: "Newly accepted",
    why: "Why they failed",
    reasons: "fails today for",
    flag: ["accepts", "accepted"],
  },
};

/** Draws the choice between the two kinds of change, where there are devices of both. */
export function drawKinds(node, report, page) {
  node.hidden = Object.keys(KINDS).some((kind) => report.changes[kind].devices === 0);
  const kinds = Object.entries(KINDS).map(([kind, { name }]) =>
    button(`${name} (${grouped(report.changes[kind].devices)})`, () => page.showKind(kind), {
      "aria-pressed": String(kind === page.kind),
      "data-name": kind,
    }),
  );
  replace(node, ...(node.hidden ? [] : kinds));
}

function sorted(values, kind, order) {
  const rank = { count: (one) => one[kind], rate: (one) => perMille(one[kind], one.devices) }[order];
  return values.toSorted((one, other) => rank(other) - rank(one));
}

function valueTable({ key, values, different }, { kind, top, average }, page) {
  const order = page.valueOrder;
  const column = (title, name) => ({
    ...figure(title),
    sorted: order === name && "descending",
    sort: () => page.sortValues(name),
  });
  const columns = [
    COUNTED[key],
    column("newly", "count"),
    figure("of"),
    column("rate", "rate"),
    { title: scale(thousandths(top)), kind: "b", label: `rate as a bar up to ${thousandths(top)}` },
  ];
  const row = (one) => ({
    cells: [
      [
        pick(one.value, () => page.narrow([{ key, value: one.value }]), { "data-name": `${key} ${one.value}` }),
        labelled(page, ({ changes }) => {
          const list = changes[KINDS[kind].list].find((other) => other.key === key);
          return list.values.find(({ value }) => value === one.value)?.[kind];
        }),
      ],
      grouped(one[kind]),
      grouped(one.devices),
      percentage(one[kind], one.devices),
      bar(perMille(one[kind], one.devices), top, KINDS[kind].tone, average),
    ],
  });
  const rows = sorted(values, kind, order).map(row);
  const others = different > values.length ? note(`And ${counted(different - values.length, "other value")}.`) : "";
  const list = (some, end) => [table(`By ${key}${end}`, columns, some), end && others];
  return element("div", {}, ...shortened(rows, SHOWN, "more value", `more of ${key}`, page, list));
}

// The groups of values that are rejected more often, as `diff --who` finds them.
function groupTable({ groups, tried }, page) {
  const head = note(`${counted(tried, "combination")} were tried.`);
  if (groups.length === 0) return [head, element("p", {}, "No group is newly rejected more often than chance explains.")];
  const figure = (value) => (value === null ? "–" : `${Number(value.toPrecision(3))}×`);
  const rows = groups.map((group) => ({
    cells: [
      pick(group.condition, () => page.narrow(group.values)),
      grouped(group["newly-rejected"]),
      grouped(group.devices),
      percentage(group["newly-rejected"], group.devices),
      figure(group.ratio),
      `${figure(group.lower)} to ${figure(group.upper)}`,
    ],
  }));
  const figures = ["newly", "of", "rate", "times the rest"].map(figure);
  const columns = ["group", ...figures, { title: "95 %", kind: "n ww" }];
  return [head, table("Groups that are newly rejected more often", columns, rows, "stack")];
}

function combinations(groups, page) {
  const find = () => button("Find groups that are rejected more often", () => page.findGroups(), { "data-name": "groups" });
  return element(
    "div",
    { "aria-live": "polite" },
    element("h3", {}, "Combinations"),
    ...(groups ? groupTable(groups, page) : [find()]),
  );
}

/** Draws the groups of one kind of change. `values` are those of the keys, `null` while they are counted. */
export function drawHit(node, { report, values, groups }, page) {
  const { kind } = page;
  const change = report.changes[kind];
  node.hidden = change.devices === 0;
  if (node.hidden) return replace(node);
  const average = perMille(change.devices, report.changes.devices);
  const rates = (values ?? []).flatMap((one) => one.values.map((value) => perMille(value[kind], value.devices)));
  const top = barEnd(Math.max(average, ...rates));
  // A value that all devices have says nothing.
  const telling = (values ?? []).filter(({ different }) => different > 1);
  const tables = telling.map((one) => valueTable(one, { kind, top, average }, page));
  replace(
    node,
    element("h2", {}, "Who they are"),
    note(
      "A name narrows everything to its devices. One scale for all bars; the line marks all devices, ",
      `${percentage(change.devices, report.changes.devices)}.`,
    ),
    element("div", { class: "two" }, ...tables),
    kind === "newly-rejected" ? combinations(groups, page) : "",
  );
}
