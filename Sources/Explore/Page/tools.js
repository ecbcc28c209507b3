// The ways in which a result leaves the page: each is what the command writes.

import { button, element, preformatted, replace } from "./element.js";
import { askText } from "./server.js";

// The form, its name, and the file that it is saved as.
const FORMS = [
  ["diff", "Command line of diff", "diff.sh"],
  ["markdown", "Markdown for a change request", "report.md"],
  ["html", "Report as a page", "report.html"],
  ["case", "For a change board", "case.html"],
  ["json", "Report as JSON", "report.json"],
  ["commands", "Commands, one a line", "changes.txt"],
  ["account", "Account file", "account.yaml"],
  ["scenario", "Scenario", "scenario.yaml"],
];

function download(text, file) {
  const address = URL.createObjectURL(new Blob([text]));
  element("a", { href: address, download: file }).click();
  URL.revokeObjectURL(address);
}

/** A text with buttons that copy and save it. */
export function kept(name, text, file) {
  const done = element("span", { role: "status", class: "note" });
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    done.textContent = "Copied.";
  };
  const buttons = [button("Copy", copy), button(`Save as ${file}`, () => download(text, file))];
  return [preformatted(name, text), element("div", { class: "bar" }, ...buttons, done)];
}

function exported([form, name, file], page) {
  return page.busily(async () => {
    const { text } = await askText("take", { ...page.question(), form });
    page.openDialog(name, ...kept(name, text, file));
  });
}

/** The menu of exports. */
export function exportMenu(page) {
  const close = () => {
    menu.open = false;
    menu.querySelector("summary").focus();
  };
  const choose = (form) => () => {
    close();
    exported(form, page);
  };
  const list = FORMS.map((form) => element("li", {}, button(form[1], choose(form), { class: "plain" })));
  const menu = element(
    "details",
    {
      class: "menu",
      onkeydown: (event) => event.key === "Escape" && close(),
      onfocusout: (event) => event.relatedTarget && !menu.contains(event.relatedTarget) && menu.removeAttribute("open"),
    },
    element("summary", { class: "button", "data-name": "export" }, "Export"),
    element("ul", {}, ...list),
  );
  addEventListener("pointerdown", (event) => !menu.contains(event.target) && menu.removeAttribute("open"));
  return menu;
}

/** Draws undo, redo and the exports. */
export function drawTools(node, page) {
  const { history } = page;
  const menu = node.querySelector("details") ?? exportMenu(page);
  replace(
    node,
    button("Undo", () => history.undo(), { disabled: !history.canUndo, "data-name": "undo" }),
    button("Redo", () => history.redo(), { disabled: !history.canRedo, "data-name": "redo" }),
    menu,
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
