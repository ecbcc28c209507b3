// The filters of an account: what each tests and does, and which values a pattern matches while it is typed.

import { fault } from "./command-line.js";
import { command, option } from "./commands.js";
import { button, element, replace } from "./element.js";
import { ask, Refusal, Superseded } from "./server.js";
import { counted } from "./text.js";

// Milliseconds after the last key.
const PAUSE = 150;

const OPTIONS = {
  reject: "rejects",
  ban: "bans",
  risky: "marks as risky",
  captureDeviceInfo: "captures",
  newDIDOnly: "new devices only",
  execFilteredSecPolicy: "uses the filtered policy",
};

// The command that adds a filter, or replaces the one of its name.
function addition(name, { key, value, regex }, options) {
  const test = [...option("-key", key), ...option("-matchValue", value), ...(regex ? ["-regex"] : [])];
  return command("filter", "-add", name, ...test, ...options.map((word) => `-${word}`));
}

// The fields of a test with what it matches, which follows the typing.
class TestFields {
  #timer = 0;
  #name;
  #page;
  #matches = element("div", { class: "hint", role: "status" });

  constructor(name, test, page) {
    [this.#name, this.#page] = [name, page];
    const follow = () => this.#follow();
    this.key = element("input", {
      list: "keys",
      value: test.key,
      "aria-label": `Key of ${name}`,
      oninput: follow,
      required: true,
    });
    this.value = element("input", {
      class: "wide",
      value: test.value,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `Value of ${name}`,
      "data-name": `value of ${name}`,
      oninput: follow,
      required: true,
    });
    this.regex = element("input", { type: "checkbox", checked: test.regex, onchange: follow });
    this.element = element(
      "div",
      {},
      element("label", { class: "field" }, element("span", {}, "Key"), this.key),
      element("label", { class: "field" }, element("span", {}, "Value"), this.value),
      element(
        "ul",
        { class: "switches row" },
        element("li", {}, element("label", {}, this.regex, element("span", {}, "is a regex"))),
      ),
      this.#matches,
    );
  }

  get test() {
    return { key: this.key.value, value: this.value.value, regex: this.regex.checked };
  }

  #follow() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), PAUSE);
  }

  async #look() {
    const { test } = this;
    if (test.key === "" || test.value === "") return replace(this.#matches);
    try {
      const { body } = await ask("matches", test, this.#name);
      this.#say(
        false,
        `Matches ${counted(body.devices, "device")}, with ${counted(body.values, "value")}` +
          (body.complete ? "." : ", and perhaps more: the search was given up."),
        element(
          "ul",
          {},
          ...body.examples.map((found) => element("li", {}, `${found.value} · `, counted(found.devices, "device"))),
        ),
      );
    } catch (error) {
      if (error instanceof Refusal && error.status === 422) this.#say(true, ...fault(error, test.value));
      else if (!(error instanceof Superseded)) this.#page.fail(error);
    }
  }

  #say(isWrong, ...words) {
    this.value.setAttribute("aria-invalid", isWrong);
    replace(this.#matches, ...words);
  }
}

function optionSwitch(filter, { name, isOn, command: text }, page) {
  const isWanted = (account) => {
    const other = account.filters.find((one) => one.name === filter.name);
    return other !== undefined && definition(other) === definition(filter, name);
  };
  return element(
    "li",
    {},
    element(
      "label",
      {},
      element("input", {
        type: "checkbox",
        checked: isOn,
        disabled: !text,
        "data-name": `${name} of ${filter.name}`,
        onchange: () => page.add(text, isWanted),
      }),
      element("span", {}, OPTIONS[name] ?? name),
    ),
  );
}

// All that a filter says, with one option switched.
function definition({ key, value, regex, conjunction, options }, switched) {
  return JSON.stringify([key, value, regex, conjunction, options.map(({ name, isOn }) => isOn !== (name === switched))]);
}

function testOf(filter, page) {
  if (filter.conjunction) return element("p", {}, "All of: ", filter.conjunction.join(", "));
  const summary = `${filter.key} ${filter.regex ? "~" : "="} ${filter.value}`;
  return page.folded(`test of ${filter.name}`, summary, () => {
    const fields = new TestFields(filter.name, filter, page);
    const options = filter.options.filter(({ isOn }) => isOn).map(({ name }) => name);
    const set = (event) => {
      event.preventDefault();
      page.add(addition(filter.name, fields.test, options));
    };
    return element("form", { onsubmit: set }, fields.element, element("button", {}, "Set the test"));
  });
}

/** The filters of the account as forms. */
export function filterForms(account, page) {
  return account.filters.map((filter) =>
    element(
      "section",
      { "aria-label": `Filter ${filter.name}` },
      element(
        "div",
        { class: "bar" },
        element("h3", {}, filter.name),
        element("span", { class: "count" }, `matches ${counted(filter.devices, "device")}`),
        button("Remove", () => page.add(filter.remove, (before) => !before.filters.some(({ name }) => name === filter.name)), {
          "aria-label": `Remove filter ${filter.name}`,
          disabled: !filter.remove,
        }),
      ),
      testOf(filter, page),
      element("ul", { class: "switches row" }, ...filter.options.map((one) => optionSwitch(filter, one, page))),
    ),
  );
}

/** A form for a new filter. */
export function newFilter(page) {
  return page.folded("new filter", "Add a filter", () => {
    const name = element("input", {
      id: "new-filter",
      pattern: "[a-z0-9\\-]{1,20}",
      title: "1 to 20 of a–z, 0–9 and -",
      required: true,
    });
    const fields = new TestFields("the new filter", { key: "ip", value: "", regex: true }, page);
    const boxes = Object.keys(OPTIONS).map((word) => element("input", { type: "checkbox", value: word }));
    const add = (event) => {
      event.preventDefault();
      const options = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      page.add(addition(name.value, fields.test, options));
    };
    return element(
      "form",
      { onsubmit: add },
      element("label", { class: "field", for: "new-filter" }, element("span", {}, "Name"), name),
      fields.element,
      element(
        "ul",
        { class: "switches row" },
        ...boxes.map((box) => element("li", {}, element("label", {}, box, element("span", {}, OPTIONS[box.value])))),
      ),
      element("button", {}, "Add the filter"),
    );
  });
}
