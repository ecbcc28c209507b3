// The devices whose verdict changes, a page at a time.

import { button, element, replace, table } from "./element.js";
import { counted, grouped, minute } from "./text.js";

/** The number of devices of a page. */
export const PAGE = 20;

/** Draws a page of devices. */
export function drawDevices(node, { kind, total, offset, devices, named }, page) {
  const title = kind === "newly-rejected" ? "Newly rejected devices" : "Newly accepted devices";
  const rows = devices.map((device) => [
    button(device.device, () => page.explain(device.device), { class: "link", "data-name": `device ${device.device}` }),
    element("span", { class: "time" }, device.time ? minute(device.time) : "–"),
    device.rejections.join(", "),
    device.flags.join(", "),
  ]);
  const last = offset + devices.length;
  const turn = (name, start, isPossible) =>
    button(name, () => page.showDevices(start), { disabled: !isPossible, "data-name": name });
  replace(
    node,
    element("h2", { id: "devices-title" }, `${title} (${grouped(total)})`),
    total === 0
      ? element("p", { class: "muted" }, "No device.")
      : named === false
        ? element("p", { class: "muted" }, "These are too many to be listed; narrow the devices above.")
        : table(
            title,
            ["device", "first time", kind === "newly-rejected" ? "rejected for" : "was rejected for", "flags"],
            rows,
          ),
    total <= PAGE || named === false
      ? ""
      : element(
          "div",
          { class: "bar" },
          turn("Earlier", Math.max(0, offset - PAGE), offset > 0),
          element("span", {}, `${grouped(offset + 1)}–${grouped(last)} of ${counted(total, "device")}`),
          turn("Later", last, last < total),
        ),
  );
}
