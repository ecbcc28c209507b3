// A line that takes any command of the manual. Its messages and completions are in one list below it, over the page.

import { element, form, preformatted, replace } from "./element.js";
import { ask, isFault } from "./server.js";

// Milliseconds after the last key.
const PAUSE = 120;

/** The words of a fault, with a mark below the column where it is. */
export function fault(error, line) {
  const mark = error.column ? [preformatted("The place", `${line}\n${" ".repeat(error.column - 1)}^`)] : [];
  return [...mark, error.message, error.hint ? element("span", { class: "muted" }, ` ${error.hint}`) : ""];
}

/** The line with its completions. */
export class CommandLine {
  #page;
  #timer = 0;
  #words = [];
  #start = 0;
  #chosen = -1;
  #list = element("ul", { role: "listbox", id: "completions", "aria-label": "Completions", hidden: true });
  #problem = element("div", { id: "command-problem", role: "status", hidden: true });
  #input = element("input", {
    class: "wide",
    id: "command",
    role: "combobox",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "Turn a switch, or type a command: policy -addRejectFlag cloned",
    "aria-label": "Command",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "completions",
    "aria-describedby": "command-problem",
    oninput: () => this.#typed(),
    onkeydown: (event) => this.#pressed(event),
    onblur: () => this.#close(),
  });

  constructor(page) {
    this.#page = page;
  }

  /** The line as an element. */
  get element() {
    const popup = element("div", { class: "popup" }, this.#problem, this.#list);
    return form(() => this.#enter(), { class: "typed" }, this.#input, popup);
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#say();
    this.#timer = setTimeout(() => this.#complete(), PAUSE);
  }

  async #complete() {
    const line = this.#input.value;
    try {
      const { body } = await ask("complete", { line });
      if (line !== this.#input.value || document.activeElement !== this.#input) return;
      [this.#words, this.#start, this.#chosen] = [line === "" ? [] : body.words, body.start, -1];
      this.#show();
      if (line.trim() !== "") await this.#check(line);
    } catch (error) {
      this.#page.fail(error);
    }
  }

  // A word that is not finished is not wrong yet: only faults in front of it are reported.
  async #check(line) {
    try {
      const { body } = await ask("check", { ...this.#page.changes(), line });
      const says = body.changes ? "Enter adds the command." : "This command changes nothing of the account.";
      this.#say([...body.warnings.map((text) => `${text} `), body.confirmation ?? says]);
    } catch (error) {
      if (!isFault(error)) throw error;
      if (error.column && error.column <= this.#start) this.#say(fault(error, line));
    }
  }

  async #enter() {
    const line = this.#input.value;
    clearTimeout(this.#timer);
    this.#close();
    if (line.trim() === "") return;
    try {
      const { body } = await ask("check", { ...this.#page.changes(), line });
      if (!body.changes) return this.#say(["This command changes nothing of the account, so it is not added."], true);
      this.#input.value = "";
      this.#say();
      this.#page.add(body.command);
    } catch (error) {
      if (isFault(error)) this.#say(fault(error, line), true);
      else this.#page.fail(error);
    }
  }

  #say(words = [], isWrong = false) {
    this.#input.setAttribute("aria-invalid", isWrong);
    this.#problem.className = isWrong ? "worse" : "muted";
    this.#problem.hidden = words.length === 0;
    replace(this.#problem, ...words);
  }

  #show() {
    replace(
      this.#list,
      ...this.#words.map(({ word, meaning }, index) =>
        element(
          "li",
          {
            role: "option",
            id: `completion-${index}`,
            "aria-selected": index === this.#chosen,
            // Before the line loses the keyboard.
            onmousedown: (event) => {
              event.preventDefault();
              this.#take(index);
            },
          },
          word,
          meaning ? element("small", {}, ` ${meaning}`) : "",
        ),
      ),
    );
    const isOpen = this.#words.length > 0;
    this.#list.hidden = !isOpen;
    this.#input.setAttribute("aria-expanded", isOpen);
    if (this.#chosen < 0) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", `completion-${this.#chosen}`);
    this.#list.children[this.#chosen].scrollIntoView({ block: "nearest" });
  }

  #close() {
    [this.#words, this.#chosen] = [[], -1];
    this.#show();
  }

  #take(index) {
    this.#input.value = `${this.#input.value.slice(0, this.#start)}${this.#words[index].word} `;
    this.#close();
    this.#typed();
  }

  #pressed(event) {
    const count = this.#words.length;
    if (count === 0) return;
    if (event.key === "ArrowDown") this.#chosen = (this.#chosen + 1) % count;
    else if (event.key === "ArrowUp") this.#chosen = (this.#chosen <= 0 ? count : this.#chosen) - 1;
    else if (event.key === "Escape") return this.#close();
    else if (event.key === "Enter" && this.#chosen >= 0) {
      event.preventDefault();
      return this.#take(this.#chosen);
    } else return;
    event.preventDefault();
    this.#show();
  }
}
