// The state of the page: the management commands in their order, and the part of the capture that is looked at. It is kept in
// the fragment of the address, so that a link opens it again.

/** The fragment of a state, without `#`. */
export function fragment(state) {
  const parts = [
    ...state.commands.map((command) => ["change", command]),
    ["from", state.from],
    ["until", state.until],
    ...state.narrow.map(({ key, value }) => ["narrow", `${key}=${value}`]),
  ].filter(([, value]) => value);
  return parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** The state of a fragment; what cannot be read of it is left out. */
export function read(text) {
  const values = new URLSearchParams(text.replace(/^#/, "").replaceAll("+", "%2B"));
  return {
    commands: values.getAll("change"),
    from: values.get("from"),
    until: values.get("until"),
    narrow: values.getAll("narrow").map((text) => {
      const [key, ...rest] = text.split("=");
      return { key, value: rest.join("=") };
    }),
  };
}

/** States with undo and redo. */
export class History {
  #past = [];
  #future = [];
  #state;
  #changed;

  /** `changed` is called with every new state. */
  constructor(changed) {
    this.#state = read(location.hash);
    this.#changed = changed;
    addEventListener("hashchange", () => this.#open());
  }

  get state() {
    return this.#state;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Makes a new state of the one there is and of what differs. */
  change(differences) {
    this.#future = [];
    this.#leave(this.#past, { ...this.#state, ...differences });
  }

  undo() {
    if (this.canUndo) this.#leave(this.#future, this.#past.pop());
  }

  redo() {
    if (this.canRedo) this.#leave(this.#past, this.#future.pop());
  }

  #leave(list, state) {
    list.push(this.#state);
    this.#enter(state);
  }

  #enter(state) {
    this.#state = state;
    window.history.replaceState(null, "", `#${fragment(state)}`);
    this.#changed(state);
  }

  // A link to another state was followed in this tab.
  #open() {
    const state = read(location.hash);
    if (fragment(state) !== fragment(this.#state)) this.change(state);
  }
}
