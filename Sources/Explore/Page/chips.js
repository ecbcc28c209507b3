// The commands so far, and what narrows the captures, as chips that take themselves away.

import { button, code, element, pick, replace } from "./element.js";
import { openExemption } from "./signals.js";
import { grouped, minute, visible } from "./text.js";

function chip(content, act, label, name) {
  return element(
    "li",
    { class: "token" },
    ...content,
    button("×", act, { "aria-label": visible(label), "data-name": name, title: "Remove" }),
  );
}

/** The commands so far, each with a button that removes it. `wrong` is the number of one that cannot be carried out. */
export function drawCommands(node, page, wrong) {
  const { commands } = page.history.state;
  const chips = commands.map((text, index) =>
    chip(
      [element("code", { class: index === wrong ? "worse" : undefined }, text)],
      () => page.history.change({ commands: commands.toSpliced(index, 1) }),
      `Remove ${text}`,
      `remove ${index}`,
    ),
  );
  replace(node, chips.length > 0 ? element("ol", { class: "tokens" }, ...chips) : "");
}

// `10:00–12:00` for a span within one day.
function spanName(from, until) {
  const [start, end] = [minute(from), minute(until)];
  return start.slice(0, 10) === end.slice(0, 10) ? `${start}–${end.slice(11)}` : `${start} – ${end}`;
}

/** What narrows the captures: values that devices show, and a span of time. */
export function drawPart(node, page, report) {
  const { narrow, from, until } = page.history.state;
  const values = narrow.map(({ key, value }, index) =>
    chip(
      [`${key}: `, code(value)],
      () => page.history.change({ narrow: narrow.toSpliced(index, 1) }),
      `Remove the condition ${key}: ${value}`,
      `condition ${index}`,
    ),
  );
  const span = from
    ? [chip([spanName(from, until), " UTC"], () => page.select(null, null), "Remove the span of time", "remove span")]
    : [];
  const chips = [...values, ...span];
  node.hidden = chips.length === 0;
  if (node.hidden) return replace(node);
  const all = () => page.history.change({ narrow: [], from: null, until: null });
  const counts = report ? `only these ${grouped(report.changes.devices)} of ${grouped(page.captures.devices)} devices · ` : "";
  replace(
    node,
    element("ul", { class: "tokens only" }, ...chips),
    element("span", { class: "note" }, counts, pick("all devices", all, { "data-name": "all devices" })),
    narrow.length > 0 ? button("Let these in again", () => openExemption(page), { class: "apply", "data-name": "exempt" }) : "",
  );
}
