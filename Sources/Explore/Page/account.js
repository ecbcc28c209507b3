// The account after the changes, as switches.

import { command } from "./commands.js";
import { button, element, replace } from "./element.js";
import { filterForms, newFilter } from "./filters.js";
import { counted, grouped } from "./text.js";

const PARTS = { rules: "Rules", rejection: "Rejection policy", annotation: "Annotation policy" };

function policyField({ part, value, choices }, page) {
  const isListed = choices.some((choice) => choice.name === value);
  const own = isListed ? [] : [element("option", { value, selected: true }, value)];
  const choose = (event) => {
    const choice = choices.find(({ name }) => name === event.target.value);
    if (choice?.command) page.add(choice.command, ({ policy }) => choice.command.endsWith(` ${policy}`));
  };
  const options = choices.map((choice) =>
    element("option", { value: choice.name, selected: choice.name === value, disabled: !choice.command }, choice.name),
  );
  const summary = choices.find(({ name }) => name === value)?.summary;
  const id = `policy-${part}`;
  return [
    element(
      "label",
      { class: "field", for: id },
      element("span", {}, PARTS[part]),
      element("select", { id, "data-name": id, onchange: choose }, ...own, ...options),
    ),
    summary ? element("p", { class: "hint" }, summary) : "",
  ];
}

function flagSwitch(flag, page) {
  const isWanted = (account) => account.flags.find(({ name }) => name === flag.name).rejects !== flag.rejects;
  return element(
    "li",
    {},
    element(
      "label",
      {},
      element("input", {
        type: "checkbox",
        checked: flag.rejects,
        disabled: !flag.command,
        "data-name": `flag ${flag.name}`,
        onchange: () => page.add(flag.command, isWanted),
      }),
      element("span", {}, flag.name, flag.meaning ? element("small", {}, ` ${flag.meaning}`) : ""),
      element("span", { class: "count" }, counted(flag.devices, "device")),
    ),
  );
}

function flagList(flags, page) {
  const [seen, unseen] = [flags.filter(({ devices }) => devices > 0), flags.filter(({ devices }) => devices === 0)];
  const list = (some) => element("ul", { class: "switches" }, ...some.map((flag) => flagSwitch(flag, page)));
  return element(
    "fieldset",
    {},
    element("legend", {}, "Reject flags"),
    element(
      "p",
      { class: "hint" },
      "A device with a flag that is switched on is rejected. The count is of devices that have the flag.",
    ),
    list(seen),
    page.folded("flags of no record", `${counted(unseen.length, "flag")} that no record has`, () => list(unseen)),
  );
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
      { class: "bar" },
      button(entry.device, () => page.explain(entry.device), { class: "link" }),
      button("Remove", () => page.add(entry.remove), {
        "aria-label": `Remove the entry of ${entry.device}`,
        disabled: !entry.remove,
      }),
    ),
    element("small", {}, said.join(" · ")),
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
  const device = element("input", {
    class: "wide",
    id: "new-entry",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const effect = element(
    "select",
    { "aria-label": "Effect of the entry" },
    ...Object.keys(ENTRIES).map((name) => element("option", {}, name)),
  );
  const add = (event) => {
    event.preventDefault();
    const names = account.names.map(({ value }) => value);
    page.add(command("device", "-add", device.value.trim(), ...ENTRIES[effect.value](names)));
  };
  return page.folded("new entry", "Add an entry", () =>
    element(
      "form",
      { onsubmit: add },
      element("label", { class: "field", for: "new-entry" }, element("span", {}, "Device ID"), device),
      element("div", { class: "bar" }, effect, element("button", {}, "Add the entry")),
    ),
  );
}

function sampling({ percentage, command: template }, page) {
  const input = element("input", {
    id: "sampling",
    type: "number",
    min: 0,
    max: 100,
    step: 0.01,
    value: percentage,
    required: true,
  });
  const set = (event) => {
    event.preventDefault();
    page.add(template.replace("{percentage}", input.value), (account) => account.sampling.percentage === Number(input.value));
  };
  return element(
    "fieldset",
    {},
    element("legend", {}, "Sampling"),
    element("p", { class: "hint" }, "This share of the devices, another one each day, gets the filtered policy."),
    element(
      "form",
      { class: "bar", onsubmit: set },
      element("label", { for: "sampling" }, "Percent of devices"),
      input,
      element("button", { "data-name": "set sampling" }, "Set"),
    ),
  );
}

/** Draws the account. */
export function drawAccount(node, account, page) {
  const parts = () => [
    element(
      "fieldset",
      {},
      element("legend", {}, "Security policy"),
      ...account.names.flatMap((name) => policyField(name, page)),
    ),
    flagList(account.flags, page),
    element(
      "fieldset",
      {},
      element("legend", {}, `Filters (${grouped(account.filters.length)})`),
      ...filterForms(account, page),
      newFilter(page),
    ),
    element(
      "fieldset",
      {},
      element("legend", {}, `Device entries (${grouped(account.entries.length)})`),
      element("ul", { class: "switches" }, ...account.entries.map((entry) => entryRow(entry, page))),
      newEntry(account, page),
    ),
    sampling(account.sampling, page),
  ];
  replace(
    node,
    page.folded("account", element("h2", {}, "Account"), () => element("div", {}, ...parts())),
  );
}
