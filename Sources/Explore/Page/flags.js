// The reject flags of the account, a line each: name, devices, state. Those that the changes turned come first.

import { button, checkbox, element, hidden } from "./element.js";
import { openAssumption } from "./signals.js";
import { figure, table } from "./table.js";
import { counted, grouped } from "./text.js";

function whatIf(flag, page) {
  if (!flag.assumption) return "";
  return button("what if", () => openAssumption(flag, page), {
    class: "plain apply",
    "aria-label": `What if more devices had ${flag.name}?`,
    "data-name": `assume ${flag.name}`,
  });
}

function row(flag, page) {
  const isWanted = (account) => account.flags.find(({ name }) => name === flag.name).rejects !== flag.rejects;
  const label = checkbox(flag.name, {
    checked: flag.rejects,
    disabled: !flag.command,
    title: flag.meaning,
    "data-name": `flag ${flag.name}`,
    onchange: () => page.add(flag.command, isWanted),
  });
  if (flag.isChanged) label.append(element("small", {}, `now ${flag.rejects ? "on" : "off"}`));
  return {
    title: flag.meaning,
    class: flag.isChanged ? `changed ${flag.rejects ? "on" : "off"}` : undefined,
    cells: [label, grouped(flag.devices), whatIf(flag, page)],
  };
}

function list(title, flags, page) {
  const columns = [
    { title: hidden("flag, switched on if it rejects") },
    figure(hidden("devices that have it")),
    { title: hidden("assumption"), kind: "n if" },
  ];
  return table(
    title,
    columns,
    flags.map((flag) => row(flag, page)),
    "switches",
  );
}

/** The switches of the flags, those that no device shows folded. `before` is the account as it is. */
export function flagSwitches(account, before, page) {
  const old = new Map(before.flags.map(({ name, rejects }) => [name, rejects]));
  const flags = account.flags.map((flag) => ({
    ...flag,
    isChanged: (old.get(flag.name) ?? flag.rejects) !== flag.rejects,
  }));
  flags.sort((one, other) => other.isChanged - one.isChanged || other.devices - one.devices);
  const changed = flags.filter(({ isChanged }) => isChanged).length;
  const [seen, unseen] = [flags.filter(({ devices }) => devices > 0), flags.filter(({ devices }) => devices === 0)];
  const folded = unseen.filter(({ isChanged }) => isChanged).length;
  const summary = `${counted(unseen.length, "flag")} that no device shows${folded > 0 ? `, ${folded} changed` : ""}`;
  return [
    element("h2", {}, "Reject flags", element("small", {}, changed > 0 ? `${changed} changed` : "devices")),
    list("Reject flags", seen, page),
    page.folded("flags of no record", summary, () => list("Flags that no device shows", unseen, page)),
  ];
}
