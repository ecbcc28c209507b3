// Starts `scenario lsp` for YAML files, and ends it with the window. The client sends the settings itself.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("scenario").get("command");
  client = new LanguageClient(
    "scenario", "scenario", { command, args: ["lsp"] },
    { documentSelector: [{ language: "yaml" }], synchronize: { configurationSection: "scenario" } });
  return client.start();
};

exports.deactivate = () => client?.stop();
