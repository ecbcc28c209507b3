// Why devices fail today, or would fail or pass after the changes. Each reason narrows everything to its devices.

import { isPresent, present } from "./answer.js";
import { code, element, note, pick, replace } from "./element.js";
import { bar, barEnd, scale, table } from "./table.js";
import { counted, grouped, percentage } from "./text.js";

// The number of reasons that are shown at first.
const SHOWN = 8;

const TITLES = { "newly-rejected": "Why they would fail", "newly-accepted": "Why they failed" };
const SPLITS = { flags: "flag", filters: "filter", others: "other reason" };

function name(text, key, page) {
  if (key === "others") return code(text);
  return pick(code(text), () => page.narrow([{ key, value: text }]), { "data-name": `reason ${text}` });
}

// `parts` have names and counts. `heading` is that of the names, `said` says more about one.
function reasonTable(title, heading, parts, { key, noun, all, top, tone, said }, page) {
  const columns = [
    heading,
    { title: `${noun}s`, kind: "n" },
    { title: scale(grouped(top)), kind: "b", label: `bars up to ${grouped(top)}` },
    { title: `of ${grouped(all)}`, kind: "n" },
  ];
  const rows = parts.map((part) => ({
    cells: [
      [name(part.name, key, page), said(part)],
      grouped(part.count),
      bar(part.count, top, tone),
      percentage(part.count, all),
    ],
  }));
  return table(title, columns, rows);
}

// The account as it is.
function presentParts(report, page) {
  const { noun, fail: all, reasons } = present(report);
  if (reasons.length === 0) return [note(all === 0 ? `No ${noun} fails.` : "For no flag.")];
  const look = { key: "flags", noun, all, top: barEnd(reasons[0].count), tone: "neutral", said: () => "" };
  const list = (some, title) => reasonTable(title, "reason", some, look, page);
  const more = reasons.slice(SHOWN);
  return [
    list(reasons.slice(0, SHOWN), "Why devices fail"),
    more.length > 0
      ? page.folded("more reasons", counted(more.length, "more reason"), () => list(more, "Why devices fail, continued"))
      : "",
    note(`A ${noun} may have several reasons.`),
  ];
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
  const [isMeant, words] = page.kind === "newly-rejected" ? ["rejects", "rejected"] : ["accepts", "accepted"];
  const turned = changes[page.kind].flags.map(({ name }) => name);
  const names = changes["policy-difference"].flags.filter(({ after, flag }) => after === isMeant && !turned.includes(flag));
  const list = names.flatMap(({ flag }, index) => [index > 0 ? ", " : "", code(flag)]);
  return names.length > 0 ? note(`Also ${words} from now on, without an effect of its own here: `, ...list, ".") : "";
}

function changedParts(report, page) {
  const change = report.changes[page.kind];
  const keys = Object.keys(SPLITS).filter((key) => change[key].length > 0);
  const look = {
    noun: "device",
    all: change.devices,
    top: barEnd(Math.max(...keys.flatMap((key) => change[key].map(({ devices }) => devices)))),
    tone: page.kind === "newly-rejected" ? "worse" : "better",
  };
  const tables = keys.map((key) => {
    const parts = change[key].map(({ name, devices: count }) => ({ name, count }));
    const said = (part) => (key === "flags" ? meaning(part, page) : "");
    return reasonTable(`By ${SPLITS[key]}`, SPLITS[key], parts, { key, said, ...look }, page);
  });
  return [...tables, idle(report, page)];
}

/** Draws the reasons. */
export function drawReasons(node, report, page) {
  const isToday = isPresent(page);
  node.hidden = !isToday && report.changes[page.kind].devices === 0;
  if (node.hidden) return replace(node);
  const title = isToday ? "Why they fail" : TITLES[page.kind];
  replace(node, element("h2", {}, title), ...(isToday ? presentParts(report, page) : changedParts(report, page)));
}
