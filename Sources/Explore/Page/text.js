// Texts and figures in the form that reports give them.

// Characters that a browser would act on or show nothing for, as `Unicode.Scalar.isControlling` lists them for reports.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly the ones to find.
const CONTROLLING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;

// The number of characters of a name that are shown.
const LONGEST = 300;

function replacement(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** A text in which everything can be seen: control characters and those that change the direction are replaced. */
export function visible(text, limit = LONGEST) {
  const whole = String(text);
  const shown = whole.length > limit ? `${[...whole.slice(0, 2 * limit)].slice(0, limit).join("")}…` : whole;
  return shown.replace(CONTROLLING, replacement);
}

/** `2,000` for 2000. */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 52 for 104 of 2,000. */
export function perMille(part, whole) {
  return whole === 0 ? 0 : Math.floor((2000 * part + whole) / (2 * whole));
}

/** `5.2 %` for 104 of 2,000: to tenths, halves upwards, as in reports. */
export function percentage(part, whole) {
  if (whole === 0) return "–";
  const tenths = perMille(part, whole);
  return `${grouped(Math.floor(tenths / 10))}.${tenths % 10} %`;
}

/** `1 device`, `2 devices`. */
export function counted(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `2020-07-23 07:00` for `2020-07-23T07:00:00Z`. */
export function minute(instant) {
  return instant.slice(0, 16).replace("T", " ");
}
