// The devices whose verdict changes, a page at a time.

import { button, code, element, note, pick, replace } from "./element.js";
import { KINDS } from "./hit.js";
import { figure, table } from "./table.js";
import { counted, grouped, minute } from "./text.js";

/** The number of devices of a page. */
export const PAGE = 20;

const ORDERS = { time: "by time", reason: "by reason", device: "by device ID" };

// `07:00:31`, or `07-23 07:00` where the captures are of several days.
function instant(time, { first, last }) {
  return first.slice(0, 10) === last.slice(0, 10) ? time.slice(11, 19) : minute(time).slice(5);
}

function columnsOf(kind, isLabelled, page) {
  const sorted = (title, order, classes) => ({
    title,
    kind: classes,
    sorted: page.deviceOrder === order && "ascending",
    sort: () => page.sortDevices(order),
  });
  return [
    sorted("device", "device", "dev"),
    sorted(KINDS[kind].reasons, "reason", "wide"),
    { title: "model", kind: "m" },
    { title: "system", kind: "m" },
    { title: "app", kind: "m desk" },
    ...(isLabelled ? [figure("label")] : []),
    sorted("time", "time", "n t"),
  ];
}

function rowOf(device, isLabelled, page) {
  const { model, "os-version": system, "app-version": app, label, time } = device;
  const isWorse = (label === "good") === (page.kind === "newly-rejected");
  return {
    cells: [
      pick(code(device.device), () => page.explain(device.device), { "data-name": `device ${device.device}` }),
      code(device.rejections.join(", ")),
      model ?? "–",
      system ?? "–",
      app ?? "–",
      ...(isLabelled ? [label ? element("b", { class: isWorse ? "worse" : "better" }, label) : ""] : []),
      time ? instant(time, page.captures) : "–",
    ],
  };
}

function pager({ total, offset, devices }, page) {
  if (total === 0) return "";
  const last = offset + devices.length;
  const turn = (name, start, isPossible) =>
    button(name, () => page.showDevices(start), { disabled: !isPossible, "data-name": name });
  const buttons = [
    turn("First", 0, offset > 0),
    turn("Back", Math.max(0, offset - PAGE), offset > 0),
    turn("Next", last, last < total),
  ];
  return element(
    "div",
    { class: "bar pager" },
    ...(total > PAGE ? buttons : []),
    element(
      "span",
      { class: "note" },
      `${grouped(offset + 1)}–${grouped(last)} of ${counted(total, "device")}, ${ORDERS[page.deviceOrder]}`,
    ),
  );
}

/** Draws a page of devices. */
export function drawDevices(node, answer, page) {
  const { kind, total, named, devices } = answer;
  node.hidden = total === 0;
  if (node.hidden) return replace(node);
  const isLabelled = page.captures.labels !== null;
  const title = `${KINDS[kind].name} devices`;
  replace(
    node,
    element("h2", { id: "devices-title" }, `${title} (${grouped(total)})`),
    ...(named === false
      ? [note("These are too many to be listed; narrow them by a name above.")]
      : [
          table(
            title,
            columnsOf(kind, isLabelled, page),
            devices.map((device) => rowOf(device, isLabelled, page)),
            "stack",
          ),
          pager(answer, page),
        ]),
  );
}
