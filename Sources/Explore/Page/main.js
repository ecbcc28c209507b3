// The page: it holds the state, asks questions, and has each part draw its answer.

import { drawAccount } from "./account.js";
import { drawAnswer } from "./answer.js";
import { CommandLine, drawCommands, fault } from "./command-line.js";
import { edited } from "./commands.js";
import { drawDevices, PAGE } from "./devices.js";
import { drawEdits } from "./edits.js";
import { button, element, replace } from "./element.js";
import { explanationOf } from "./explanation.js";
import { History } from "./history.js";
import { drawHit } from "./hit.js";
import { ask, get, Refusal, Superseded } from "./server.js";
import { counted, minute } from "./text.js";
import { drawTime } from "./time.js";
import { drawTools, listenForKeys } from "./tools.js";

// The keys by whose values the newly rejected devices are counted, and how many of each.
const COUNTED = "os-version,model,locale";
const TOP = 8;
const GROUPED = "flags,app-version,os-version,model,ip/16";

const place = (id) => document.getElementById(id);

class Page {
  captures;
  account = null;
  kind = "newly-rejected";
  order = "newly-rejected";
  cost = null;
  history = new History(() => this.#update());
  #report = null;
  #values = null;
  #groups = null;
  #edits = null;
  #listed = element("div");
  #questions = 0;
  #open = new Set(matchMedia("(min-width: 60rem)").matches ? ["account"] : []);
  // The account after each list of commands that was looked at.
  #accounts = new Map();

  start() {
    return this.busily(async () => {
      this.captures = await get("captures");
      const { account, attestations, devices, first, last } = this.captures;
      document.title = `${account} – scenario explore`;
      place("title").textContent = account;
      replace(
        place("scope"),
        `${this.captures.captures.join(", ")} · ${first ? `${minute(first)} to ${minute(last)} UTC · ` : ""}`,
        `${counted(attestations, "attestation")} of ${counted(devices, "device")}`,
      );
      place("commands").append(this.#listed, new CommandLine(this).element);
      listenForKeys(this);
      await this.#known([]);
      this.#update();
    });
  }

  /** The members of a question about the changed account. */
  changes() {
    return { changes: this.history.state.commands };
  }

  /** The members of a question about the changed account on the selected part of the captures. */
  question() {
    const { from, until, narrow } = this.history.state;
    return {
      ...this.changes(),
      ...(from ? { from } : {}),
      ...(until ? { to: until } : {}),
      ...(narrow.length > 0 ? { narrow } : {}),
    };
  }

  /** Adds a command. `isWanted` says of an account that it needs no such command. */
  add(text, isWanted = () => false) {
    const isKnown = (commands) => {
      const account = this.#accounts.get(JSON.stringify(commands));
      return account !== undefined && isWanted(account);
    };
    this.history.change({ commands: edited(this.history.state.commands, text, isKnown) });
  }

  addAll(texts) {
    const commands = texts.reduce((list, text) => edited(list, text, () => false), this.history.state.commands);
    this.history.change({ commands });
  }

  select(from, until) {
    this.history.change({ from, until });
  }

  narrow(conditions) {
    const { narrow } = this.history.state;
    const isNew = (one) => !narrow.some(({ key, value }) => key === one.key && value === one.value);
    this.history.change({ narrow: [...narrow, ...conditions.filter(isNew)] });
  }

  async #known(commands) {
    const key = JSON.stringify(commands);
    if (!this.#accounts.has(key)) this.#accounts.set(key, (await ask("account", { changes: commands })).body);
    return this.#accounts.get(key);
  }

  #update() {
    drawTools(place("tools"), this);
    drawCommands(this.#listed, this);
    this.busily(async () => {
      const [, answer] = await Promise.all([this.#showAccount(), ask("answer", this.question())]);
      [this.#report, this.#values, this.#groups] = [answer.body, null, null];
      place("failure").hidden = true;
      drawAnswer(place("answer"), answer, this);
      drawTime(place("time"), this.#report, this);
      this.#drawHit();
      const edits = this.#edits ? this.showEdits(this.order) : this.#drawEdits();
      await Promise.all([this.showDevices(0), this.#count(), edits, this.#listKeys()]);
    });
  }

  async #listKeys() {
    const list = place("keys");
    if (list.hasChildNodes()) return;
    const { keys } = await get("keys");
    replace(list, ...keys.map((key) => element("option", { value: key })));
  }

  async #showAccount() {
    const { commands } = this.history.state;
    const account = await this.#known(commands);
    if (commands !== this.history.state.commands) throw new Superseded();
    this.account = account;
    drawAccount(place("account"), this.account, this);
  }

  async #count() {
    const report = this.#report;
    if (report.changes["newly-rejected"].devices === 0) return;
    const { body } = await ask("answer", { ...this.question(), count: COUNTED, top: TOP }, "count");
    if (report !== this.#report) throw new Superseded();
    this.#values = body.changes.values;
    this.#drawHit();
  }

  findGroups() {
    return this.busily(async () => {
      const report = this.#report;
      const { body } = await ask("answer", { ...this.question(), who: GROUPED }, "who");
      if (report !== this.#report) throw new Superseded();
      this.#groups = body.changes.groups;
      this.#drawHit();
    });
  }

  showKind(kind) {
    this.kind = kind;
    this.#drawHit();
    return this.showDevices(0);
  }

  showDevices(offset) {
    return this.busily(async () => {
      const { body } = await ask("devices", { ...this.question(), kind: this.kind, offset, count: PAGE });
      drawDevices(place("devices"), body, this);
    });
  }

  showEdits(order, cost = this.cost) {
    [this.order, this.cost] = [order, cost];
    return this.busily(async () => {
      this.#edits = (await ask("whatif", { ...this.question(), order, ...(cost ? { cost } : {}) })).body;
      this.#drawEdits();
    });
  }

  explain(device) {
    return this.busily(async () => {
      const { body } = await ask("explain", { ...this.changes(), device });
      this.openDialog(device, ...explanationOf(body, this));
    });
  }

  #drawHit() {
    drawHit(place("hit"), { report: this.#report, values: this.#values, groups: this.#groups }, this);
  }

  #drawEdits() {
    drawEdits(place("edits"), this.#edits, this);
  }

  /** Does something that asks, and reports when it is refused. The page is busy until then. */
  async busily(act) {
    this.#questions += 1;
    document.body.dataset.busy = "";
    try {
      await act();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) delete document.body.dataset.busy;
    }
  }

  /** Says why a question was refused; the last answer stays, and is marked as that of an earlier state. */
  fail(error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    const { commands } = this.history.state;
    const wrong = error.field?.startsWith("changes/") ? Number(error.field.slice("changes/".length)) : -1;
    drawCommands(this.#listed, this, wrong);
    replace(place("failure"), ...fault(error, commands[wrong] ?? ""));
    place("failure").hidden = false;
    place("answer").classList.add("stale");
    if (!this.#report) place("sentence").textContent = "There is no answer yet.";
  }

  openDialog(title, ...content) {
    const dialog = place("dialog");
    replace(
      dialog,
      element(
        "div",
        { class: "bar" },
        element("h2", { id: "dialog-title" }, title),
        button("Close", () => this.closeDialog()),
      ),
      ...content,
    );
    if (!dialog.open) dialog.showModal();
  }

  closeDialog() {
    place("dialog").close();
  }

  /** Details that are made when they are opened, and stay open when the page is drawn anew. */
  folded(name, summary, make) {
    const details = element("details", {}, element("summary", { "data-name": name }, summary));
    const fill = () => details.append(make());
    if (this.#open.has(name)) {
      details.open = true;
      fill();
    }
    details.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) fill();
      if (details.open) this.#open.add(name);
      else this.#open.delete(name);
    });
    return details;
  }
}

new Page().start();
