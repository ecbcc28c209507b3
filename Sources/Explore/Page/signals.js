// The effect of an assumption: that a share of the devices has a flag, whichever they are.

import { code, element, form, number, replace } from "./element.js";
import { ask, askText } from "./server.js";
import { counted, grouped } from "./text.js";
import { kept } from "./tools.js";

function sentence({ assumptions: [{ devices }], effects: [{ "newly-rejected": exact }], draws }) {
  const all = counted(devices, "device");
  if (!draws) return `${grouped(exact)} of ${all} would newly be rejected.`;
  const { expected, fewest, most } = draws["newly-rejected"];
  const bounds = `${grouped(fewest)} at the fewest and ${grouped(most)} at the most, whichever ${grouped(draws.taken)} of ${all} it is`;
  return `On average ${expected.toFixed(1)} devices would newly be rejected; ${bounds}.`;
}

/** Opens a dialog that asks for the share of the devices that have a flag. */
export function openAssumption(flag, page) {
  const share = number({ max: 100, step: "any", value: 1, autofocus: true, "aria-label": "Percent of the devices" });
  const answer = element("div", { "aria-live": "polite" });
  const show = () => {
    const question = { ...page.question(), assumption: flag.assumption.replace("{share}", share.value) };
    page.busily(async () => {
      const { body } = await ask("assumed", question);
      const { text } = await askText("take", { ...question, form: "replay" }, "assumed");
      replace(
        answer,
        element("p", { class: "sub" }, sentence(body.assumed)),
        ...kept("The same in a shell", text, "replay.sh"),
      );
    });
  };
  const words = [element("span", {}, "If ", share, " %"), `of the ${counted(page.devices, "device")} shown had it`];
  page.openDialog(
    ["What if more devices had ", code(flag.name), "?"],
    form(show, { class: "bar more" }, ...words, element("button", { "data-name": "assume" }, "Answer")),
    answer,
  );
}
