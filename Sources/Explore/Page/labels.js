// The labelled devices of a part, which the same answers about the good and the bad ones alone count.

import { element } from "./element.js";
import { grouped } from "./text.js";

/** `2 good, 1 bad`, in the colours of what is worse and better; nothing where there are none.
 *
 *  @param count The number of devices of the part in the answer about a label. */
export function labelled(page, count) {
  const isRejected = page.isPresent || page.kind === "newly-rejected";
  const parts = Object.entries(page.labelled ?? {}).flatMap(([label, answer]) => {
    const devices = count(answer) ?? 0;
    const tone = (label === "good") === isRejected ? "worse" : "better";
    return devices === 0 ? [] : [", ", element("b", { class: tone }, `${grouped(devices)} ${label}`)];
  });
  return parts.length === 0 ? "" : element("small", { class: "labelled" }, ...parts.slice(1));
}
