// Elements of the page. Every text passes through `visible`, and none becomes markup.

import { visible } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(2).map((child) => (child instanceof Node ? child : visible(child ?? ""))));
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

/** A button that looks like a link: a name that narrows, or opens something. */
export function pick(text, act, properties = {}) {
  return button(text, act, { class: "pick", ...properties });
}

/** A form that does something with its fields in place of being sent. */
export function form(act, properties, ...children) {
  const submit = (event) => {
    event.preventDefault();
    act(new FormData(event.target));
  };
  return element("form", { onsubmit: submit, ...properties }, ...children);
}

/** A field for a number that is not below 0. */
export function number(properties) {
  return element("input", { type: "number", min: 0, required: true, ...properties });
}

/** A box to be ticked, with its name behind it. */
export function checkbox(name, properties) {
  return element("label", {}, element("input", { type: "checkbox", ...properties }), ` ${name}`);
}

/** A field with its name in front of it. */
export function field(name, input) {
  return element("label", { class: "field" }, element("span", {}, name), input);
}

/** Words for screen readers alone. */
export function hidden(text) {
  return element("span", { class: "hide" }, text);
}

/** A text beside a heading that says more in small letters. */
export function note(...words) {
  return element("p", { class: "note" }, ...words);
}

/** A name in the monospaced face. */
export function code(text) {
  return element("code", {}, text);
}

/** A command, which breaks between its options only, behind the first of them. */
export function commandText(text) {
  const words = text.split(/(?<=-.*) (?=-)/);
  const parts = words.flatMap((word, index) => [index > 0 ? " " : "", element("span", { class: "o" }, word)]);
  return element("code", { class: "wrap" }, ...parts);
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

/** Puts new children into an element, and keeps the keyboard where it was if a control of the same name is still there. */
export function replace(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const name = focused?.dataset.name;
  node.replaceChildren(...children.flat().map((child) => (child instanceof Node ? child : visible(child))));
  if (name) node.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
