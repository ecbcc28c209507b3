// The failing share of devices by time, before and after; a span of it can be selected.

import { element, form, note, replace } from "./element.js";
import { rowAt, sharePlot, slot } from "./plot.js";
import { figure, table } from "./table.js";
import { grouped, minute, percentage, perMille } from "./text.js";

const HOUR = 3_600_000;
// The greatest number of bars.
const LONGEST = 200;
// The greatest number of words below a plot.
const MARKS = 8;

function instant(milliseconds) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

// A row for each hour, or for each day of a longer capture, from the first to the last.
function rowsOf({ before, after }) {
  const hourly = before.windows.hourly.length <= LONGEST;
  const [kind, length] = hourly ? ["hourly", HOUR] : ["daily", 24 * HOUR];
  const byStart = (windows) => new Map(windows.map((window) => [window.start, window]));
  const afters = byStart(after.windows[kind]);
  return before.windows[kind].map((window) => {
    const later = afters.get(window.start) ?? window;
    const name = hourly ? minute(window.start) : window.start.slice(0, 10);
    return {
      name,
      mark: hourly && !name.endsWith(" 00:00") ? name.slice(-5) : name.slice(5, 10),
      from: window.start,
      to: instant(Date.parse(window.start) + length),
      passed: [window.pass, later.pass],
      failed: [window.fail, later.fail],
    };
  });
}

// The rows that are named below the plot: midnights of several days, or any.
function marksOf(rows) {
  const all = [...rows.keys()];
  const midnights = all.filter((index) => rows[index].name.endsWith(" 00:00"));
  const named = midnights.length > 1 ? midnights : all;
  return named.filter((_, place) => place % Math.ceil(named.length / MARKS) === 0);
}

// Makes a plot one on which a pointer selects rows.
function selectable(figure, rows, page) {
  const mark = element("div", { class: "span", hidden: true });
  let first = null;
  const row = (event) => {
    const box = figure.getBoundingClientRect();
    return rowAt((event.clientX - box.left) / box.width, rows.length);
  };
  const show = (one, other) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    const [start, end] = [slot(low, rows.length), slot(high, rows.length)];
    mark.hidden = false;
    mark.style.left = `${start.left}%`;
    mark.style.width = `${end.left + end.width - start.left}%`;
    return [rows[low].from, rows[high].to];
  };
  figure.append(mark);
  figure.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    figure.setPointerCapture(event.pointerId);
    first = row(event);
    show(first, first);
  });
  figure.addEventListener("pointermove", (event) => first !== null && show(first, row(event)));
  figure.addEventListener("pointerup", (event) => {
    if (first === null) return;
    const span = show(first, row(event));
    first = null;
    page.select(...span);
  });
  figure.addEventListener("pointercancel", () => {
    [first, mark.hidden] = [null, true];
  });
}

// The same selection by keyboard.
function fields(rows, page) {
  const choice = (name, side, chosen) =>
    element(
      "select",
      { "aria-label": name },
      ...rows.map((row, index) => element("option", { value: row[side], selected: index === chosen }, minute(row[side]))),
    );
  const [from, to] = [choice("From", "from", 0), choice("Until", "to", rows.length - 1)];
  const select = () => from.value < to.value && page.select(from.value, to.value);
  return form(select, { class: "bar" }, from, to, element("button", { "data-name": "select span" }, "Apply"));
}

function figures(rows, isToday) {
  const columns = [
    "time",
    ...(isToday ? ["pass", "fail", "share"] : ["fail today", "share", "would fail", "new share"]).map(figure),
  ];
  const cells = ({ name, passed: [pass, after], failed: [fail, would] }) => [
    name,
    ...(isToday ? [grouped(pass)] : []),
    grouped(fail),
    percentage(fail, fail + pass),
    ...(isToday ? [] : [grouped(would), percentage(would, would + after)]),
  ];
  return [
    table(
      "Failing share of devices by time",
      columns,
      rows.map((row) => ({ cells: cells(row) })),
    ),
    note("A device that passes and fails within one of these spans counts as both."),
  ];
}

function key(tone, words) {
  return element("span", { class: "key" }, element("span", { class: `swatch ${tone}` }), words);
}

function legend(rows, isToday) {
  if (isToday) return [];
  const more = rows.some((row) => row.after > row.before);
  const fewer = rows.some((row) => row.after < row.before);
  return [
    element("br"),
    key("neutral", "fail today as well"),
    more ? key("worse", "newly rejected, on top") : "",
    fewer ? key("better", "newly accepted, on top") : "",
  ];
}

/** Draws the plot, its selection and its table. */
export function drawTime(node, report, page) {
  const rows = rowsOf(report);
  const head = element("h2", {}, "When");
  if (rows.length === 0) return replace(node, head, note("There is no attestation."));
  const isToday = page.isPresent;
  const shares = rows.map((row) => ({
    ...row,
    before: perMille(row.failed[0], row.failed[0] + row.passed[0]),
    after: perMille(row.failed[1], row.failed[1] + row.passed[1]),
  }));
  const title = "Failing share of devices by time, UTC";
  const plot = element("div", { class: "area" }, sharePlot(title, shares, marksOf(rows)));
  selectable(plot, rows, page);
  replace(
    node,
    head,
    element("figure", {}, element("figcaption", { class: "note" }, title, ...legend(shares, isToday)), plot),
    note("Drag over the plot to narrow the time."),
    page.folded("span", "Choose a span", () => fields(rows, page)),
    page.folded("figures by time", "The figures", () => figures(rows, isToday)),
  );
}
