// Why devices fail today, or would fail or pass after the changes. Each reason narrows everything to its devices.

import { code, element, note, pick, replace } from "./element.js";
import { KINDS } from "./hit.js";
import { labelled } from "./labels.js";
import { bar, barEnd, figure, scale, shortened, table } from "./table.js";
import { counted, grouped, percentage } from "./text.js";

// The number of reasons that are shown at first.
const SHOWN = 8;

// The lists of reasons, and what those of each are.
const SPLITS = { flags: "flag", filters: "filter", others: "other reason" };

function name({ name: text, key }, page) {
  if (key === "others") return code(text);
  return pick(code(text), () => page.narrow([{ key, value: text }]), { "data-name": `reason ${text}` });
}

// `parts` have names, the lists that these are of, and counts. `heading` is that of the names, `said` says more about one.
function reasonTable(title, heading, parts, { all, top, tone, said }, page) {
  const columns = [
    heading,
    figure("devices"),
    { title: scale(grouped(top)), kind: "b", label: `bars up to ${grouped(top)}` },
    figure(`of ${grouped(all)}`),
  ];
  const rows = parts.map((part) => ({
    cells: [[name(part, page), said(part)], grouped(part.count), bar(part.count, top, tone), percentage(part.count, all)],
  }));
  return table(title, columns, rows);
}

// The account as it is.
function presentParts(page) {
  const { devices: all } = page.failing;
  if (all === 0) return [note("No device fails.")];
  const reasons = page.failing.reasons.map(({ kind, name, devices }) => ({ key: `${kind}s`, name, count: devices }));
  const said = ({ key, name }) => [
    key === "flags" ? "" : element("small", {}, SPLITS[key]),
    labelled(page, ({ reasons }) => reasons.find((one) => `${one.kind}s` === key && one.name === name)?.devices),
  ];
  const look = { all, top: barEnd(reasons[0].count), tone: "neutral", said };
  const list = (some, end) => reasonTable(`Why devices fail${end}`, "reason", some, look, page);
  return [...shortened(reasons, SHOWN, "more reason", "more reasons", page, list), note("A device may have several reasons.")];
}

// The meaning of a flag, and how many of the devices with it count.
function meaning({ name, count }, page) {
  const flag = page.flag(name);
  if (!flag) return "";
  const share = page.isNarrowed ? "" : `. ${grouped(count)} of the ${counted(flag.devices, "device")} with it`;
  return element("small", {}, `${flag.meaning}${share}`);
}

// The flags that the changes reject or accept and that turn nothing here.
function idle({ changes }, page) {
  const [isMeant, words] = KINDS[page.kind].flag;
  const turned = changes[page.kind].flags.map(({ name }) => name);
  const names = changes["policy-difference"].flags.filter(({ after, flag }) => after === isMeant && !turned.includes(flag));
  const list = names.flatMap(({ flag }, index) => [index > 0 ? ", " : "", code(flag)]);
  return names.length > 0 ? note(`Also ${words} from now on, without an effect of its own here: `, ...list, ".") : "";
}

function changedParts(report, page) {
  const change = report.changes[page.kind];
  const keys = Object.keys(SPLITS).filter((key) => change[key].length > 0);
  const look = {
    all: change.devices,
    top: barEnd(Math.max(...keys.flatMap((key) => change[key].map(({ devices }) => devices)))),
    tone: KINDS[page.kind].tone,
  };
  const tables = keys.map((key) => {
    const parts = change[key].map(({ name, devices: count }) => ({ key, name, count }));
    const said = (part) => [
      key === "flags" ? meaning(part, page) : "",
      labelled(page, ({ changes }) => changes[page.kind][key].find(({ name }) => name === part.name)?.devices),
    ];
    return reasonTable(`By ${SPLITS[key]}`, SPLITS[key], parts, { said, ...look }, page);
  });
  return [...tables, idle(report, page)];
}

/** Draws the reasons. */
export function drawReasons(node, report, page) {
  const isToday = page.isPresent;
  node.hidden = !isToday && report.changes[page.kind].devices === 0;
  if (node.hidden) return replace(node);
  replace(
    node,
    element("h2", {}, isToday ? "Why they fail" : KINDS[page.kind].why),
    ...(isToday ? presentParts(page) : changedParts(report, page)),
  );
}
