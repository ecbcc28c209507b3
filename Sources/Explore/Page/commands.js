// The list of management commands that makes the candidate, as switches edit it.

// The words of a command, as a shell splits them: quotes are taken off.
function words(command) {
  const found = command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g);
  return [...found].map(([word]) => word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, "$1$2").replace(/\\(.)/g, "$1"));
}

function quoted(word) {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** A command of words, in quotes where a shell needs them. */
export function command(...parts) {
  return parts.map(quoted).join(" ");
}

/** An option with its value, which may begin with a hyphen. */
export function option(name, value) {
  return value.startsWith("-") ? [`${name}=${value}`] : [name, value];
}

// The thing of the account that a command sets; `null` if a later command adds to an earlier one.
function subject(text) {
  const [topic, action, operand] = words(text);
  if (topic === "policy" && action === "-set") return "policy";
  if (topic === "policy" && /^-(add|remove)RejectFlag$/.test(action)) return `flag ${operand}`;
  if (topic === "filter" && (action === "-add" || action === "-remove")) return `filter ${operand}`;
  if (topic === "filter" && action === "-setSamplingPercentage") return "sampling";
  return null;
}

/** The list with a command added. It takes the place of an earlier command about the same thing; and if the list without both
 *  is as wanted already, neither is needed.
 *
 *  @param isWanted Says of a list whether it has the wanted effect without the command; false where that is not known. */
export function edited(commands, added, isWanted) {
  const thing = subject(added);
  // A preset that is set discards the flags that were added and removed before it.
  const kept = thing === "policy" ? commands.filter((text) => !subject(text)?.startsWith("flag ")) : commands;
  const place = thing === null ? -1 : kept.findLastIndex((text) => subject(text) === thing);
  const without = place < 0 ? kept : kept.toSpliced(place, 1);
  if (thing !== null && isWanted(without)) return without;
  return place < 0 ? [...kept, added] : kept.with(place, added);
}
