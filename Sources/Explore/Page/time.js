// The failing share of devices by time, before and after; a span of it can be selected.

import { button, element, replace, table } from "./element.js";
import { rowAt, sharePlot, slot } from "./plot.js";
import { grouped, minute, percentage } from "./text.js";

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
      mark: hourly ? name.slice(-5) : name.slice(5),
      from: window.start,
      to: instant(Date.parse(window.start) + length),
      devices: [window.pass + window.fail, later.pass + later.fail],
      failed: [window.fail, later.fail],
    };
  });
}

function thousandths(part, whole) {
  return whole === 0 ? 0 : Math.floor((2000 * part + whole) / (2 * whole));
}

// Makes a plot one on which a pointer selects rows.
function selectable(figure, rows, select) {
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
  figure.classList.add("selectable");
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
    select(...span);
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
  const select = (event) => {
    event.preventDefault();
    if (from.value < to.value) page.select(from.value, to.value);
  };
  return element(
    "form",
    { class: "bar", onsubmit: select },
    from,
    to,
    element("button", { "data-name": "select span" }, "Select"),
  );
}

/** Draws the plot, its selection and its table. */
export function drawTime(node, report, page) {
  const rows = rowsOf(report);
  const { from, until } = page.history.state;
  const title = "Failing share of devices by time (UTC)";
  const head = [
    element("h2", {}, title),
    from
      ? element(
          "p",
          {},
          `Selected: ${minute(from)} until ${minute(until)} `,
          button("All times", () => page.select(null, null)),
        )
      : "",
  ];
  if (rows.length === 0) return replace(node, ...head, element("p", { class: "muted" }, "There is no attestation."));
  const every = Math.ceil(rows.length / MARKS);
  const shares = rows.map((row) => ({
    ...row,
    before: thousandths(row.failed[0], row.devices[0]),
    after: thousandths(row.failed[1], row.devices[1]),
  }));
  const marks = [...rows.keys()].filter((index) => index % every === 0);
  const figure = element("figure", {}, sharePlot(title, shares, marks));
  selectable(figure, rows, (first, last) => page.select(first, last));
  replace(
    node,
    ...head,
    figure,
    element(
      "p",
      { class: "hint" },
      "Grey: failing before. Colour: what the changes add (",
      element("span", { class: "worse" }, "more"),
      ") or take away (",
      element("span", { class: "better" }, "fewer"),
      "). Drag over the plot to select a span, or choose it here.",
    ),
    fields(rows, page),
    page.folded("figures by time", "The figures", () =>
      table(
        title,
        ["time", "#devices", "#failing before", "#share before", "#failing after", "#share after"],
        rows.map((row) => [
          row.name,
          grouped(row.devices[0]),
          grouped(row.failed[0]),
          percentage(row.failed[0], row.devices[0]),
          grouped(row.failed[1]),
          percentage(row.failed[1], row.devices[1]),
        ]),
      ),
    ),
  );
}
