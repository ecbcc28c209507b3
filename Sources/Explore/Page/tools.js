// Undo, redo, and the ways to take the result away.

import { button, element, preformatted, replace } from "./element.js";
import { askText } from "./server.js";

const FORMS = [
  { form: "commands", name: "Commands", file: "changes.txt" },
  { form: "diff", name: "Command line of diff", file: "diff.sh" },
  { form: "account", name: "Account file", file: "account.yaml" },
  { form: "scenario", name: "Scenario", file: "scenario.yaml" },
  { form: "html", name: "Report as a page", file: "report.html" },
  { form: "json", name: "Report as JSON", file: "report.json" },
];

function download(text, file) {
  const address = URL.createObjectURL(new Blob([text]));
  element("a", { href: address, download: file }).click();
  URL.revokeObjectURL(address);
}

function taken(text, name, file) {
  const done = element("span", { role: "status" });
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    done.textContent = "Copied.";
  };
  const save = button("Save as a file", () => download(text, file));
  return [
    element("h3", {}, name),
    preformatted(name, text),
    element("div", { class: "bar" }, button("Copy", copy), save, done),
  ];
}

function take({ form, name, file }, page, place) {
  return page.busily(async () => {
    const { text } = await askText("take", { ...page.question(), form });
    replace(place, ...taken(text, name, file));
  });
}

function openTaking(page) {
  const place = element("div", { "aria-live": "polite" });
  page.openDialog(
    "Export",
    element("p", {}, "The result in a form that somebody else can use. The account file on disk is not changed."),
    element("div", { class: "bar" }, ...FORMS.map((form) => button(form.name, () => take(form, page, place)))),
    place,
  );
}

/** Draws the buttons. */
export function drawTools(node, page) {
  const { history } = page;
  replace(
    node,
    button("Undo", () => history.undo(), { disabled: !history.canUndo, "data-name": "undo" }),
    button("Redo", () => history.redo(), { disabled: !history.canRedo, "data-name": "redo" }),
    button("Export", () => openTaking(page), { "data-name": "take" }),
  );
}

/** Ctrl+Z and Ctrl+Shift+Z, except where they undo typing. */
export function listenForKeys(page) {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    if (event.shiftKey) page.history.redo();
    else page.history.undo();
  });
}
