// The account as a sheet over the answer in small windows: a dock keeps the sentence in view, and has the button that opens it.

import { button, element, replace } from "./element.js";

/** Makes the dock, with the switches of `account`. Returns what shows the first words of a sentence in it. */
export function makeDock(node, account) {
  const words = element("span");
  const turn = (isOpen) => {
    account.classList.toggle("open", isOpen);
    opener.setAttribute("aria-expanded", String(isOpen));
    opener.textContent = isOpen ? "Close" : "Account";
    (isOpen ? account : opener).focus();
  };
  const opener = button("Account", () => turn(!account.classList.contains("open")), {
    class: "first",
    "aria-expanded": "false",
    "aria-controls": "account",
  });
  replace(node, words, opener);
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && account.matches(".open") && !document.querySelector("dialog[open]")) turn(false);
  });
  return (sentence) => replace(words, sentence.split("; ")[0].replace(/ \([^)]*\)/, ""));
}
