// When signals change: what if a share of the devices had a flag, and how to let devices in again.

import { ACTION, applying } from "./edits.js";
import { code, commandText, element, form, note, number, replace } from "./element.js";
import { ask, askText } from "./server.js";
import { figure, table } from "./table.js";
import { counted, grouped } from "./text.js";
import { kept } from "./tools.js";

// The answer to a question, the line of the command that gives it in a shell, and warnings.
async function answered(route, question, command) {
  const { body, messages } = await ask(route, question);
  const { text } = await askText("take", { ...question, form: command }, route);
  return [body, kept("The same in a shell", text, `${command}.sh`), messages];
}

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
      const [{ assumed }, line] = await answered("assumed", question, "replay");
      replace(answer, element("p", { class: "sub" }, sentence(assumed)), ...line);
    });
  };
  const words = [element("span", {}, "If ", share, " %"), `of the ${counted(page.devices, "device")} shown had it`];
  page.openDialog(
    ["What if more devices had ", code(flag.name), "?"],
    form(show, { class: "bar more" }, ...words, element("button", { "data-name": "assume" }, "Answer")),
    answer,
  );
}

/** Opens a dialog with the edits that let in the devices shown, and the fewest others. */
export function openExemption(page) {
  return page.busily(async () => {
    const [{ answers }, line, messages] = await answered("exempt", page.question(), "search");
    const rows = answers.map(({ commands, exempted: { devices, others, remaining } }) => ({
      cells: [commandText(commands.join("; ")), ...[devices, others, remaining].map(grouped), applying(commands, page)],
    }));
    page.openDialog(
      "Let these in again",
      rows.length > 0
        ? table("Exemptions", ["edits", ...["let in", "others let in", "remaining out"].map(figure), ACTION], rows, "stack")
        : note("No exemption lets one in."),
      note("Of all captures, at all times. ", ...messages),
      ...line,
    );
  });
}
