// The page: it holds the state, asks questions, and has each part draw its answer.

import { drawAccount } from "./account.js";
import { drawAnswer } from "./answer.js";
import { drawCommands, drawPart } from "./chips.js";
import { CommandLine, fault } from "./command-line.js";
import { edited } from "./commands.js";
import { drawDevices, PAGE } from "./devices.js";
import { makeDock } from "./dock.js";
import { asked, drawEdits } from "./edits.js";
import { button, code, element, replace } from "./element.js";
import { explanationOf } from "./explanation.js";
import { History } from "./history.js";
import { COUNTED, drawHit, drawKinds, KINDS } from "./hit.js";
import { drawReasons } from "./reasons.js";
import { ask, endAll, get, Refusal, Superseded } from "./server.js";
import { minute } from "./text.js";
import { drawTime } from "./time.js";
import { drawTools, listenForKeys } from "./tools.js";
import { Working } from "./working.js";

// The number of values of a key by which devices are counted.
const TOP = 20;
// The same of labelled devices, among which are all of the others.
const TOP_OF_LABELLED = 1000;
const GROUPED = "flags,app-version,os-version,model,ip/16";

const place = (id) => document.getElementById(id);

// The members of a question that ask for the values of devices.
const counting = (top) => ({ count: Object.keys(COUNTED).join(","), top });

class Page {
  captures;
  account = null;
  order = "fewest";
  cost = null;
  valueOrder = "count";
  deviceOrder = "time";
  /** The devices that fail, by reason, where nothing is changed. */
  failing = null;
  /** Why filters decide nothing, by name: `idle`. */
  idle = null;
  /** By label, the answers about the devices that have it; `null` while they are not known. */
  labelled = null;
  history = new History(() => this.update());
  #kind = "newly-rejected";
  #report = null;
  #values = null;
  #groups = null;
  #edits = null;
  #wantsEdits = false;
  #listed = element("div");
  #dock = makeDock(place("dock"), place("account"));
  #working = new Working(place("working"), this);
  #open = new Set();
  // The account after each list of commands that was looked at.
  #accounts = new Map();

  start() {
    return this.busily(async () => {
      this.captures = await get("captures");
      const { account, captures, first, last } = this.captures;
      document.title = `${account} – scenario explore`;
      place("title").textContent = account;
      replace(
        place("scope"),
        `${minute(first)} to ${minute(last)} UTC · `,
        ...captures.flatMap((path, index) => [index > 0 ? ", " : "", element("code", { class: "wrap" }, path)]),
      );
      place("commands").append(this.#listed, new CommandLine(this).element);
      listenForKeys(this);
      await this.#known([]);
      this.update();
    });
  }

  /** The kind of change that is shown: the chosen one, or the only one that has devices. */
  get kind() {
    const others = Object.keys(KINDS).filter((kind) => this.#report?.changes[kind].devices > 0);
    return others.length === 1 ? others[0] : this.#kind;
  }

  /** True if the answer is about the account as it is. */
  get isPresent() {
    return this.history.state.commands.length === 0;
  }

  /** True if a part of the captures is looked at. */
  get isNarrowed() {
    const { from, narrow } = this.history.state;
    return from !== null || narrow.length > 0;
  }

  /** The number of devices that the answer is about. */
  get devices() {
    return this.#report.changes.devices;
  }

  /** A flag of the account by its name. */
  flag(name) {
    return this.account?.flags.find((flag) => flag.name === name);
  }

  /** The members of a question about the changed account. */
  changes() {
    return { changes: this.history.state.commands };
  }

  /** The members of a question about the changed account on the selected part of the captures. */
  question() {
    const { from, until: to, narrow } = this.history.state;
    return { ...this.changes(), from, to, narrow };
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

  /** Asks everything about the state. What is shown stays until there is an answer, and is pale where that takes long. */
  update() {
    drawTools(place("tools"), this);
    drawCommands(this.#listed, this);
    drawPart(place("part"), this, null);
    document.body.classList.toggle("stale", this.#report !== null);
    this.busily(async () => {
      const [, answer] = await Promise.all([this.#showAccount(), ask("answer", this.question())]);
      if (this.isPresent) this.failing = (await ask("reasons", this.question())).body;
      [this.#report, this.#values, this.#groups, this.labelled] = [answer.body, null, null, null];
      document.body.classList.remove("stale");
      place("failure").hidden = true;
      drawAnswer(place("answer"), answer, this);
      this.#dock(place("sentence").textContent);
      drawPart(place("part"), this, this.#report);
      drawTime(place("time"), this.#report, this);
      this.#drawKind();
      await Promise.all([this.showDevices(0), this.#count(), this.#countLabelled(), this.#updateEdits(), this.#listKeys()]);
      if (this.idle) return;
      const { parts } = (await ask("hygiene", {})).body;
      const idle = parts.filter(({ kind, effect }) => kind === "filter" && /idle|shadowed|unmatched/.test(effect));
      this.idle = new Map(idle.map(({ name, effect }) => [name, effect]));
      await this.#showAccount();
    });
  }

  /** Ends the questions that have no answer yet. */
  end() {
    return this.busily(async () => {
      await endAll();
      this.#working.sayEnded();
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
    drawAccount(place("account"), this.account, await this.#known([]), this);
  }

  // The answer to a question about what the report says, unless there is a newer report.
  async #about(...question) {
    const report = this.#report;
    const { body } = await ask(...question);
    if (report !== this.#report) throw new Superseded();
    return body;
  }

  async #count() {
    const { changes } = this.#report;
    if (Object.keys(KINDS).every((kind) => changes[kind].devices === 0)) return;
    this.#values = (await this.#about("answer", { ...this.question(), ...counting(TOP) }, "count")).changes;
    this.#drawHit();
  }

  // Asks the same about the devices of each label.
  async #countLabelled() {
    const { after } = this.#report.changes.labels ?? {};
    const answers = {};
    for (const label of ["good", "bad"].filter((label) => after?.[label].devices > 0)) {
      const about = { ...this.question(), narrow: [...this.history.state.narrow, { key: "label", value: label }] };
      const asked = this.isPresent ? ["reasons", about] : ["answer", { ...about, ...counting(TOP_OF_LABELLED) }];
      answers[label] = await this.#about(...asked, label);
    }
    if (!after) return;
    this.labelled = answers;
    this.#drawKind();
  }

  findGroups() {
    return this.busily(async () => {
      this.#groups = (await this.#about("answer", { ...this.question(), who: GROUPED }, "who")).changes.groups;
      this.#drawHit();
    });
  }

  showKind(kind) {
    this.#kind = kind;
    this.#drawKind();
    return this.showDevices(0);
  }

  sortValues(order) {
    this.valueOrder = order;
    this.#drawHit();
  }

  sortDevices(order) {
    this.deviceOrder = order;
    return this.showDevices(0);
  }

  showDevices(offset) {
    return this.busily(async () => {
      const { kind, deviceOrder: order } = this;
      const { body } = await ask("devices", { ...this.question(), kind, order, offset, count: PAGE });
      drawDevices(place("devices"), body, this);
    });
  }

  // All single edits of the account as it is are part of the first answer; after changes somebody asks for them.
  #updateEdits() {
    if (this.#wantsEdits || this.isPresent) return this.showEdits(this.order);
    this.#edits = null;
    this.#drawEdits();
  }

  wantEdits() {
    this.#wantsEdits = true;
    return this.showEdits(this.order);
  }

  showEdits(order, cost = this.cost) {
    [this.order, this.cost] = [order, cost];
    return this.busily(async () => {
      this.#edits = (await ask("whatif", { ...this.question(), order: asked(order), cost })).body;
      this.#drawEdits();
    });
  }

  explain(device) {
    return this.busily(async () => {
      const [now, later] = await Promise.all([
        ask("explain", { changes: [], device }, "now"),
        ask("explain", { ...this.changes(), device }),
      ]);
      this.openDialog(code(device), ...explanationOf(now.body.explanations, later.body.explanations, this));
    });
  }

  #drawKind() {
    drawKinds(place("kinds"), this.#report, this);
    drawReasons(place("reasons"), this.#report, this);
    this.#drawHit();
  }

  #drawHit() {
    const values = this.#values?.[KINDS[this.kind].list] ?? null;
    drawHit(place("hit"), { report: this.#report, values, groups: this.#groups }, this);
  }

  #drawEdits() {
    drawEdits(place("edits"), this.#edits, this);
  }

  /** Does something that asks, and reports when it is refused. The page is busy until then. */
  async busily(act) {
    this.#working.begin();
    try {
      await act();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#working.end();
    }
  }

  /** Says why a question was refused; the last answer stays, and is marked as that of an earlier state. */
  fail(error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    const { commands } = this.history.state;
    const wrong = Number(/^changes\/(\d+)$/.exec(error.field)?.[1] ?? -1);
    drawCommands(this.#listed, this, wrong);
    replace(place("failure"), ...fault(error, commands[wrong] ?? ""));
    place("failure").hidden = false;
    if (!this.#report) place("sentence").textContent = "There is no answer yet.";
  }

  openDialog(title, ...content) {
    const dialog = place("dialog");
    replace(
      dialog,
      element(
        "div",
        { class: "bar spread" },
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
    const fill = () => details.append(...[make()].flat());
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
