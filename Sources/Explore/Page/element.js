// Elements of the page. Every text passes through `visible`, and none becomes markup.

import { visible } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().map((child) => (child instanceof Node ? child : visible(child ?? ""))));
  return node;
}

/** An element of HTML. A property whose name begins with `on` is a listener, any other an attribute. */
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** An element of SVG. */
export function drawing(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

/** A button. */
export function button(text, act, properties = {}) {
  return element("button", { type: "button", onclick: act, ...properties }, text);
}

// The number of characters of a preformatted text that are shown.
const LONGEST = 20_000;

/** A text of several lines, which a screen reader and the keyboard reach. */
export function preformatted(name, text) {
  const node = element("pre", { tabindex: "0", role: "region", "aria-label": name });
  node.textContent = text
    .slice(0, LONGEST)
    .split("\n")
    .map((line) => visible(line, LONGEST))
    .join("\n");
  if (text.length > LONGEST) node.append("…");
  return node;
}

/** A table with a caption. `columns` are titles; a title that begins with `#` heads figures. */
export function table(caption, columns, rows) {
  const figures = columns.map((title) => title.startsWith("#"));
  const cell = (name, content, index, more = {}) =>
    element(name, { class: figures[index] ? "figure" : undefined, ...more }, ...[content].flat());
  const head = columns.map((title, index) => cell("th", title.replace("#", ""), index, { scope: "col" }));
  const body = rows.map((cells) =>
    element(
      "tr",
      {},
      ...cells.map((content, index) =>
        index === 0 ? cell("th", content, index, { scope: "row" }) : cell("td", content, index),
      ),
    ),
  );
  return element(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...body),
    ),
  );
}

/** Puts new children into an element, and keeps the keyboard where it was if a control of the same name is still there. */
export function replace(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const name = focused?.dataset.name;
  node.replaceChildren(...children.flat());
  if (name) node.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus();
}
