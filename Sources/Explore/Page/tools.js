// The ways in which a result leaves the page: each is what the command writes.

import { button, element, preformatted, replace } from "./element.js";
import { askText } from "./server.js";

const FORMS = [
  { form: "diff", name: "Command line of diff", file: "diff.sh" },
  { form: "markdown", name: "Markdown for a change request", file: "report.md" },
  { form: "html", name: "Report as a page", file: "report.html" },
  { form: "case", name: "For a change board", file: "case.html" },
  { form: "json", name: "Report as JSON", file: "report.json" },
  { form: "commands", name: "Commands, one a line", file: "changes.txt" },
  { form: "account", name: "Account file", file: "account.yaml" },
  { form: "scenario", name: "Scenario", file: "scenario.yaml" },
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

function exported({ form, name, file }, page) {
  return page.busily(async () => {
    const { text } = await askText("take", { ...page.question(), form });
    page.openDialog(name, ...kept(name, text, file));
  });
}

/** The menu of exports. */
export function exportMenu(page) {
  const close = (menu) => {
    menu.open = false;
    menu.querySelector("summary").focus();
  };
  const choose = (form) => (event) => {
    close(event.target.closest("details"));
    exported(form, page);
  };
  const list = FORMS.map((form) => element("li", {}, button(form.name, choose(form), { class: "plain" })));
  const menu = element(
    "details",
    {
      class: "menu",
      onkeydown: (event) => event.key === "Escape" && close(menu),
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
