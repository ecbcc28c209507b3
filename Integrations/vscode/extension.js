// Starts `scenario lsp` for YAML files, and ends it with the window.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("scenario").get("command");
  client = new LanguageClient(
    "scenario", "scenario", { command, args: ["lsp"] }, { documentSelector: [{ language: "yaml" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
