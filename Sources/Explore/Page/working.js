// The line about answers that take long: for how long already, how far the present one is, and a button that ends them.

import { button, element, replace } from "./element.js";
import { get } from "./server.js";

// Milliseconds after which an answer counts as long.
const PATIENCE = 600;

/** The line about long answers. */
export class Working {
  #node;
  #page;
  #questions = 0;
  #timer = 0;
  #start = 0;
  #isEnded = false;
  #seconds = element("span", { "aria-hidden": "true" });

  constructor(node, page) {
    [this.#node, this.#page] = [node, page];
  }

  /** A question begins. */
  begin() {
    this.#questions += 1;
    document.body.dataset.busy = "";
    if (this.#questions > 1) return;
    this.#isEnded = false;
    this.#start = performance.now();
    this.#timer = setTimeout(() => this.#show(), PATIENCE);
  }

  /** A question has its answer. */
  end() {
    this.#questions -= 1;
    if (this.#questions > 0) return;
    delete document.body.dataset.busy;
    clearTimeout(this.#timer);
    if (!this.#isEnded) this.#node.hidden = true;
  }

  /** Says that questions were ended, until the next one. */
  sayEnded() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#say(
      "Ended. What is pale is older than the changes.",
      "",
      button("Answer again", () => this.#page.update()),
    );
  }

  #show() {
    this.#say(
      "Working",
      this.#seconds,
      button("End", () => this.#page.end(), { "data-name": "end" }),
    );
    this.#tick();
  }

  #say(words, more, act) {
    replace(this.#node, element("span", {}, element("span", { role: "status" }, words), more), act);
    this.#node.hidden = false;
  }

  async #tick() {
    const { share } = await get("progress").catch(() => ({ share: null }));
    if (this.#questions === 0 || this.#isEnded) return;
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    this.#seconds.textContent = `, ${seconds} s${share === null ? "" : `, ${Math.floor(100 * share)} % of the records read`}`;
    this.#timer = setTimeout(() => this.#tick(), 1000);
  }
}
