// The account after the changes, as switches: its policy, flags, filters, entries of devices, and sampling.

import { command } from "./commands.js";
import { button, code, element, field, form, number, pick, replace } from "./element.js";
import { filterLines, newFilter } from "./filters.js";
import { flagSwitches } from "./flags.js";
import { grouped } from "./text.js";

const PARTS = { rules: "Rules", rejection: "Rejection", annotation: "Annotation" };

function policyField({ part, value, choices }, page) {
  const chosen = choices.find(({ name }) => name === value);
  const own = chosen ? [] : [element("option", { value, selected: true }, value)];
  const choose = (event) => {
    const choice = choices.find(({ name }) => name === event.target.value);
    if (choice?.command) page.add(choice.command, ({ policy }) => choice.command.endsWith(` ${policy}`));
  };
  const options = choices.map((choice) =>
    element(
      "option",
      { value: choice.name, selected: choice === chosen, disabled: !choice.command, title: choice.summary },
      choice.name,
    ),
  );
  const title = chosen?.summary;
  const id = `policy-${part}`;
  return field(PARTS[part], element("select", { id, title, "data-name": id, onchange: choose }, ...own, ...options));
}

function entryRow(entry, page) {
  const said = [
    entry.label,
    entry.policy && `policy ${entry.policy}`,
    entry.ban && `ban mode ${entry.ban}`,
    entry["pin-mode"] && `pin mode ${entry["pin-mode"]}`,
  ].filter(Boolean);
  return element(
    "li",
    {},
    element(
      "div",
      { class: "bar spread" },
      pick(code(entry.device), () => page.explain(entry.device)),
      button("×", () => page.add(entry.remove), {
        class: "plain",
        title: "Remove",
        "aria-label": `Remove the entry of ${entry.device}`,
        disabled: !entry.remove,
      }),
    ),
    element("small", {}, said.join(", ")),
  );
}

// Each makes the options of a device entry of the three names of the account's policy.
const ENTRIES = {
  "is always accepted": ([rules, , annotation]) => ["-policy", `${rules},whitelist,${annotation}`],
  "is always rejected": ([rules, , annotation]) => ["-policy", `${rules},blacklist,${annotation}`],
  "is banned": () => ["-banMode", "ban"],
  "is no longer banned": () => ["-banMode", "unban"],
};

function newEntry(account, page) {
  const device = element("input", { class: "wide", id: "new-entry", autocomplete: "off", spellcheck: "false", required: true });
  const effects = Object.keys(ENTRIES).map((name) => element("option", {}, name));
  const effect = element("select", { "aria-label": "Effect of the entry" }, ...effects);
  const add = () => {
    const names = account.names.map(({ value }) => value);
    page.add(command("device", "-add", device.value.trim(), ...ENTRIES[effect.value](names)));
  };
  return page.folded("new entry", "Add an entry", () =>
    form(
      add,
      {},
      field("Device ID", device),
      effect,
      element("div", { class: "bar more" }, element("button", {}, "Add the entry")),
    ),
  );
}

function sampling({ percentage, command: template }, page) {
  const input = number({ id: "sampling", max: 100, step: 0.01, value: percentage });
  const set = () =>
    page.add(template.replace("{percentage}", input.value), (account) => account.sampling.percentage === Number(input.value));
  const title = "This share of the devices, another one each day, gets the filtered policy.";
  return form(
    set,
    { class: "bar", title },
    element("label", { for: "sampling" }, "Percent of devices"),
    input,
    element("button", { "data-name": "set sampling" }, "Set"),
  );
}

function heading(title, aside = "") {
  return element("h2", {}, title, element("small", {}, aside));
}

/** Draws the account. `before` is the account as it is. */
export function drawAccount(node, account, before, page) {
  replace(
    node,
    heading("Policy"),
    ...account.names.map((name) => policyField(name, page)),
    ...flagSwitches(account, before, page),
    heading("Filters", "devices"),
    ...filterLines(account, before, page),
    newFilter(page),
    heading("Devices with an entry", grouped(account.entries.length)),
    element("ul", { class: "entries" }, ...account.entries.map((entry) => entryRow(entry, page))),
    newEntry(account, page),
    heading("Sampling"),
    sampling(account.sampling, page),
  );
}
