// Plots as SVG, drawn as those of reports: whole pixels upwards, shares of the width sideways, so that letters keep their size.

import { drawing } from "./element.js";
import { grouped } from "./text.js";

const HEIGHT = 168;
const HEAD = 20;
const FOOT = 24;
const BASE = HEAD + HEIGHT;
// The greatest number of bars that have room for their figures.
const FIGURES = 12;
// The left end of the scale, as a share of the width in percent.
const LEFT = 11;

/** The end of a scale that reaches a figure: an even number of one or two digits and zeros, at least 2. */
export function scaleEnd(value) {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [10, 20, 25, 50]) {
      if (step * unit >= value * 10 && (step * unit) % 20 === 0) return (step * unit) / 10;
    }
  }
}

/** `7.5 %` for 75 thousandths. */
export function thousandths(value) {
  return value % 10 === 0 ? `${grouped(value / 10)} %` : `${grouped(Math.floor(value / 10))}.${value % 10} %`;
}

function lines(top) {
  return [0, top / 2, top].flatMap((value) => {
    const y = BASE - (HEIGHT * value) / top;
    return [
      drawing("line", {
        x1: `${LEFT}%`,
        x2: "100%",
        y1: y,
        y2: y,
        class: value === 0 ? "axis" : "grid",
      }),
      drawing("text", { x: `${LEFT - 1}%`, y: y + 4, "text-anchor": "end" }, thousandths(value)),
    ];
  });
}

/** The place of a row of a plot of bars: its left end and its width, in percent of the width of the plot. */
export function slot(row, count) {
  const width = (100 - LEFT) / count;
  return { left: LEFT + width * row, width };
}

/** The row of a plot of bars at a share of its width, or the nearest one. */
export function rowAt(share, count) {
  const row = Math.floor(((share * 100 - LEFT) / (100 - LEFT)) * count);
  return Math.min(Math.max(row, 0), count - 1);
}

/** Bars of the failing share before a change, and of what the change adds or takes away. `rows` have `name`, `before` and
 *  `after`, the latter two in thousandths; `marks` are the rows that are named below. */
export function sharePlot(title, rows, marks) {
  const top = scaleEnd(Math.max(...rows.flatMap((row) => [row.before, row.after]), 0));
  const bars = rows.map((row, index) => {
    const { left, width } = slot(index, rows.length);
    const bar = (from, to, tone) =>
      from === to
        ? []
        : drawing("rect", {
            x: `${left + width / 10}%`,
            width: `${width * 0.8}%`,
            y: BASE - (HEIGHT * to) / top,
            height: (HEIGHT * (to - from)) / top,
            class: tone,
          });
    const [low, high] = [Math.min(row.before, row.after), Math.max(row.before, row.after)];
    const words = `${row.name}: ${thousandths(row.before)} before, ${thousandths(row.after)} after`;
    const place = { x: `${left + width / 2}%`, y: BASE - (HEIGHT * high) / top - 6, "text-anchor": "middle", class: "strong" };
    return drawing(
      "g",
      {},
      drawing("title", {}, words),
      bar(0, low, "neutral"),
      bar(low, high, row.after > row.before ? "worse" : "better"),
      rows.length > FIGURES ? "" : drawing("text", place, thousandths(row.after).replace(" %", "")),
    );
  });
  const names = marks.map((row) => {
    const { left, width } = slot(row, rows.length);
    return drawing("text", { x: `${left + width / 2}%`, y: BASE + 18, "text-anchor": "middle" }, rows[row].mark);
  });
  const description = `Bars from 0 to ${thousandths(top)}. The table below has every figure.`;
  const look = { role: "img", width: "100%", height: BASE + FOOT, "aria-label": title };
  return drawing("svg", look, drawing("desc", {}, description), ...lines(top), ...bars, ...names);
}
