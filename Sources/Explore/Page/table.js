// Tables, which fill their block: names to the left, figures to the right under their headings, bars on one scale.

import { button, drawing, element, hidden } from "./element.js";
import { counted } from "./text.js";

// A column is a text, or has `title` and at will `kind` (classes), `label` (what the heading of a bar means), `sort` (what a press
// of the heading does) and `sorted` (`ascending` or `descending`).
function heading({ title, kind, sort, sorted, label }) {
  const content = sort ? button(title, sort, { class: "sort", "data-name": `sort ${title}` }) : title;
  return element("th", { scope: "col", class: kind, "aria-sort": sorted }, label ? hidden(label) : "", content);
}

/** The column of a figure. */
export function figure(title) {
  return { title, kind: "n" };
}

/** A table with a caption that only screen readers tell. A table of more than four columns is a `stack` on a phone. */
export function table(caption, columns, rows, kind) {
  const heads = columns.map((column) => (typeof column === "string" ? { title: column } : column));
  const cell = (content, index) => {
    const { kind: look, title } = heads[index];
    if (index === 0) return element("th", { scope: "row", class: look }, content);
    return element("td", { class: look, "data-h": kind === "stack" && typeof title === "string" && title }, content);
  };
  return element(
    "table",
    { class: kind },
    element("caption", { class: "hide" }, caption),
    element("thead", {}, element("tr", {}, ...heads.map(heading))),
    element("tbody", {}, ...rows.map(({ cells, ...more }) => element("tr", more, ...cells.map(cell)))),
  );
}

/** Rows of which the first `shown` are in a table that `make` makes, and the others in one behind a summary of how many they are. */
export function shortened(rows, shown, noun, name, page, make) {
  const [first, more] = [rows.slice(0, shown), rows.slice(shown)];
  if (more.length === 0) return [make(first, "")];
  return [make(first, ""), page.folded(name, counted(more.length, noun), () => make(more, ", continued"))];
}

/** The heading of a column of bars: the ends of their scale. */
export function scale(end, start = "0") {
  return element("span", { class: "scale", "aria-hidden": "true" }, element("span", {}, start), element("span", {}, end));
}

/** The end of a scale of bars: a round number at least 5 % above the greatest figure. */
export function barEnd(greatest) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(greatest, 1))));
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12]
    .map((step) => Math.ceil(step * unit))
    .find((end) => end >= greatest * 1.05);
}

const HEIGHT = 14;

function box(...children) {
  return drawing("svg", { width: "100%", height: HEIGHT, "aria-hidden": "true" }, ...children);
}

function rect(left, width, tone) {
  return drawing("rect", { x: `${left}%`, width: `${width}%`, y: 3, height: 8, class: tone });
}

/** A bar of a part of a whole; with `mark` a line at the share of everybody. */
export function bar(part, whole, tone, mark) {
  const width = whole === 0 ? 0 : Math.max(Math.min((100 * part) / whole, 100), part > 0 ? 0.5 : 0);
  const line = mark === undefined ? [] : [upright((100 * mark) / whole, "average")];
  return box(rect(0, width, tone), ...line);
}

function upright(share, look) {
  return drawing("line", { x1: `${share}%`, x2: `${share}%`, y1: -6, y2: 20, class: look });
}

// The place of 0 in a bar of two sides, in percent.
const ZERO = 30;

/** A bar of what is taken away, to the left, and of what is added, to the right. One that is longer than the scale is cut by two
 *  strokes. */
export function twoSided(less, more, top) {
  const width = (count, room) => Math.min((100 - ZERO) * (count / top), room);
  const [left, right] = [width(less, ZERO), width(more, 100 - ZERO)];
  const cut = (at) =>
    [0, 1].map((step) => drawing("rect", { x: `${at + 2 * step}%`, width: 2, y: 1, height: 12, class: "gap" }));
  return box(
    upright(ZERO, "axis"),
    rect(ZERO - left, left, "better"),
    rect(ZERO, right, "worse"),
    ...(more > top ? cut(93, 96) : []),
    ...((100 - ZERO) * (less / top) > ZERO ? cut(3, 6) : []),
  );
}
