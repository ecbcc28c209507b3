// The filters of an account, a line each that unfolds: what it tests and does, and which values a pattern matches while it is typed.

import { fault } from "./command-line.js";
import { command, option } from "./commands.js";
import { button, checkbox, code, element, field, form, replace } from "./element.js";
import { ask, isFault } from "./server.js";
import { counted, grouped } from "./text.js";

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
  #matches = element("div", { class: "note", role: "status" });

  constructor(name, test, page) {
    [this.#name, this.#page] = [name, page];
    const follow = () => this.#follow();
    const input = (word, properties) =>
      element("input", { "aria-label": `${word} of ${name}`, oninput: follow, required: true, ...properties });
    this.key = input("Key", { list: "keys", value: test.key });
    this.value = input("Value", {
      class: "wide",
      value: test.value,
      autocomplete: "off",
      spellcheck: "false",
      "data-name": `value of ${name}`,
    });
    this.regex = element("input", { type: "checkbox", checked: test.regex, onchange: follow });
    this.element = element(
      "div",
      {},
      field("Key", this.key),
      field("Value", this.value),
      element("label", {}, this.regex, " is a regex"),
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
      if (isFault(error)) this.#say(true, ...fault(error, test.value));
      else this.#page.fail(error);
    }
  }

  #say(isWrong, ...words) {
    this.value.setAttribute("aria-invalid", isWrong);
    replace(this.#matches, ...words);
  }
}

function optionSwitch(filter, { name, isOn, command: text }, page) {
  const isWanted = (account) =>
    account.filters.some((one) => one.name === filter.name && definition(one) === definition(filter, name));
  return checkbox(OPTIONS[name] ?? name, {
    checked: isOn,
    disabled: !text,
    "data-name": `${name} of ${filter.name}`,
    onchange: () => page.add(text, isWanted),
  });
}

// All that a filter says, with one option switched.
function definition({ key, value, regex, conjunction, options }, switched) {
  return JSON.stringify([key, value, regex, conjunction, options.map(({ name, isOn }) => isOn !== (name === switched))]);
}

function test(filter, page) {
  if (filter.conjunction) return element("p", {}, "All of: ", filter.conjunction.join(", "));
  const fields = new TestFields(filter.name, filter, page);
  const options = filter.options.filter(({ isOn }) => isOn).map(({ name }) => name);
  const set = () => page.add(addition(filter.name, fields.test, options));
  return form(set, {}, fields.element, element("div", { class: "bar" }, element("button", {}, "Set the test")));
}

// The effect of a filter, in a word or two.
function effect({ options }) {
  const words = options.filter(({ isOn, name }) => isOn && name !== "newDIDOnly").map(({ name }) => OPTIONS[name] ?? name);
  return words.length === 0 ? "counts" : words.join(", ");
}

function filterLine(filter, isChanged, page) {
  const remove = button(
    "Remove the filter",
    () => page.add(filter.remove, (before) => !before.filters.some(({ name }) => name === filter.name)),
    {
      "aria-label": `Remove filter ${filter.name}`,
      "data-name": `remove filter ${filter.name}`,
      disabled: !filter.remove,
    },
  );
  const remark = isChanged ? "changed" : page.idle?.get(filter.name);
  const summary = [
    code(filter.name),
    element("span", {}, effect(filter), remark ? element("small", {}, ` · ${remark}`) : ""),
    element("span", { class: "n" }, grouped(filter.devices)),
  ];
  const details = page.folded(`filter ${filter.name}`, summary, () =>
    element(
      "section",
      { "aria-label": `Filter ${filter.name}` },
      test(filter, page),
      element("div", { class: "boxes" }, ...filter.options.map((one) => optionSwitch(filter, one, page))),
      element("div", { class: "bar" }, remove),
    ),
  );
  details.className = isChanged ? "line changed" : "line";
  details.title = filter.conjunction
    ? `all of ${filter.conjunction.join(", ")}`
    : `${filter.key} ${filter.regex ? "matches" : "is"} ${filter.value}`;
  return details;
}

/** The filters of the account, those that the changes touched first. `before` is the account as it is. */
export function filterLines(account, before, page) {
  const old = new Map(before.filters.map((filter) => [filter.name, definition(filter)]));
  const filters = account.filters.map((filter) => ({ filter, isChanged: old.get(filter.name) !== definition(filter) }));
  filters.sort((one, other) => other.isChanged - one.isChanged);
  return filters.map(({ filter, isChanged }) => filterLine(filter, isChanged, page));
}

/** A form for a new filter. */
export function newFilter(page) {
  return page.folded("new filter", "Add a filter", () => {
    const name = element("input", {
      pattern: "[a-z0-9\\-]{1,20}",
      title: "1 to 20 of a–z, 0–9 and -",
      required: true,
    });
    const fields = new TestFields("the new filter", { key: "ip", value: "", regex: true }, page);
    const boxes = Object.entries(OPTIONS).map(([value, says]) => checkbox(says, { name: "option", value }));
    const add = (options) => page.add(addition(name.value, fields.test, options.getAll("option")));
    return form(
      add,
      {},
      field("Name", name),
      fields.element,
      element("div", { class: "boxes" }, ...boxes),
      element("div", { class: "bar" }, element("button", {}, "Add the filter")),
    );
  });
}
