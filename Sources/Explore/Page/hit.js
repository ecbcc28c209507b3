// The devices that the changes turn, by what they have in common. Each bar narrows the devices.

import { button, drawing, element, replace, table } from "./element.js";
import { counted, grouped, percentage, visible } from "./text.js";

const KINDS = { "newly-rejected": "Newly rejected", "newly-accepted": "Newly accepted" };
const SYSTEMS = { and: "Android", ios: "iOS" };
// The width of a bar in pixels.
const WIDTH = 64;

// The system, the app and the version of a name such as `and-com.example-5.2`, as conditions on devices.
function conditionsOf(name, apps) {
  const [system, rest] = [name.slice(0, name.indexOf("-")), name.slice(name.indexOf("-") + 1)];
  const app = apps
    .map((one) => one.name.slice(one.name.indexOf("-") + 1))
    .find((one) => rest === one || rest.startsWith(`${one}-`));
  if (!SYSTEMS[system] || app === undefined) return null;
  const version = rest === app ? [] : [{ key: "app-version", value: rest.slice(app.length + 1) }];
  return [{ key: "os", value: SYSTEMS[system] }, { key: "appid", value: app }, ...version];
}

// The names of the parts of an answer, and the conditions that select their devices; `null` if none do.
const SPLITS = {
  flags: { title: "flag", name: (name) => name, narrow: (value) => [{ key: "flags", value }] },
  filters: { title: "filter", name: (name) => name, narrow: (value) => [{ key: "filters", value }] },
  others: { title: "other reason", name: (name) => name, narrow: () => null },
  versions: { title: "app version", name: spoken, narrow: conditionsOf },
  apps: { title: "app", name: spoken, narrow: conditionsOf },
  systems: { title: "system", name: spoken, narrow: (name) => (SYSTEMS[name] ? [{ key: "os", value: SYSTEMS[name] }] : null) },
};

function spoken(name) {
  const system = Object.keys(SYSTEMS).find((key) => name === key || name.startsWith(`${key}-`));
  if (!system) return name;
  return name === system ? SYSTEMS[system] : `${SYSTEMS[system]} · ${name.slice(system.length + 1)}`;
}

function bar(part, whole, tone) {
  return drawing(
    "svg",
    { class: "plot bar-plot", width: WIDTH, height: 12, "aria-hidden": "true" },
    drawing("rect", { width: whole === 0 ? 0 : Math.max((WIDTH * part) / whole, 1), height: 12, class: tone }),
  );
}

function narrowing(name, wanted, page) {
  return wanted ? button(name, () => page.narrow(wanted), { class: "link" }) : name;
}

function splitTable(key, change, tone, page) {
  const split = SPLITS[key];
  const parts = change[key];
  if (parts.length === 0) return "";
  const greatest = Math.max(...parts.map(({ devices }) => devices));
  const rows = parts.map(({ name, devices }) => [
    narrowing(split.name(name), split.narrow(name, change.apps), page),
    [grouped(devices), bar(devices, greatest, tone)],
    percentage(devices, change.devices),
  ]);
  const title = `By ${split.title}`;
  return element("div", {}, element("h3", {}, title), table(title, [split.title, "#devices", "#share"], rows));
}

// The newly rejected devices by values of attributes: a second answer.
function valueTable({ key, values, different }, page) {
  const greatest = Math.max(...values.map((value) => value["newly-rejected"]), 1);
  const rows = values.map(({ value, devices, "newly-rejected": rejected }) => [
    narrowing(value, [{ key, value }], page),
    [grouped(rejected), bar(rejected, greatest, "worse")],
    percentage(rejected, devices),
  ]);
  const title = `By ${key}`;
  const more =
    different > values.length
      ? element("p", { class: "hint" }, `And ${counted(different - values.length, "other value")}.`)
      : "";
  return element("div", {}, element("h3", {}, title), table(title, [key, "#newly rejected", "#rate"], rows), more);
}

/** The groups of values that are rejected more often, as `diff --who` finds them. */
function groupTable({ groups, tried }, page) {
  const head = element("p", { class: "hint" }, `${counted(tried, "combination")} were tried.`);
  if (groups.length === 0) return [head, element("p", {}, "No group is newly rejected more often than chance explains.")];
  const figure = (value) => (value === null ? "–" : `${Number(value.toPrecision(3))}×`);
  const rows = groups.map((group) => [
    narrowing(group.condition, group.values, page),
    grouped(group.devices),
    [grouped(group["newly-rejected"]), bar(group["newly-rejected"], group.devices, "worse")],
    percentage(group["newly-rejected"], group.devices),
    figure(group.ratio),
    `${figure(group.lower)} to ${figure(group.upper)}`,
  ]);
  const columns = ["group", "#devices", "#newly rejected", "#rate", "#times the rest", "#95 %"];
  return [head, table("Groups that are newly rejected more often", columns, rows)];
}

function conditions(page) {
  const { narrow } = page.history.state;
  if (narrow.length === 0) return "";
  return element(
    "ul",
    { class: "commands" },
    ...narrow.map(({ key, value }, index) =>
      element(
        "li",
        {},
        "Only devices with ",
        element("code", {}, `${key}=${value}`),
        button("Remove", () => page.history.change({ narrow: narrow.toSpliced(index, 1) }), {
          "aria-label": visible(`Remove the condition ${key}=${value}`),
        }),
      ),
    ),
  );
}

/** Draws the groups of one kind of change. */
export function drawHit(node, { report, values, groups }, page) {
  const kind = page.kind;
  const change = report.changes[kind];
  const tone = kind === "newly-rejected" ? "worse" : "better";
  const kinds = Object.entries(KINDS).map(([name, title]) =>
    button(`${title} (${grouped(report.changes[name].devices)})`, () => page.showKind(name), {
      "aria-pressed": String(name === kind),
      "data-name": name,
    }),
  );
  const others = kind === "newly-rejected" && values ? values.map((one) => valueTable(one, page)) : [];
  replace(
    node,
    element("h2", {}, "Who is hit"),
    conditions(page),
    element("div", { class: "bar", role: "group", "aria-label": "Kind of change" }, ...kinds),
    change.devices === 0 ? element("p", { class: "muted" }, "No device.") : "",
    element("div", { class: "parts" }, ...Object.keys(SPLITS).map((key) => splitTable(key, change, tone, page)), ...others),
    kind === "newly-rejected" && change.devices > 0
      ? element(
          "div",
          { "aria-live": "polite" },
          element("h3", {}, "Combinations"),
          ...(groups
            ? groupTable(groups, page)
            : [
                button("Find groups that are rejected more often", () => page.findGroups(), {
                  "data-name": "groups",
                }),
              ]),
        )
      : "",
  );
}
