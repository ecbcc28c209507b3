// Activates the extension for VS Code in place of it, and writes what it saw as JSON.
//
// usage: node extension_host.js COMMAND FOLDER CAPABILITIES
//
// The modules `vscode` and `vscode-languageclient` are replaced: the client starts what the extension names, and sends what that
// library sends, with the capabilities that were recorded of VS Code.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [command, folder, recorded] = process.argv.slice(2);
const extension = path.join(__dirname, "../../../../Integrations/vscode");
const settings = { command, captures: ["day.jsonl"] };
const answers = { notifications: [], requests: [] };
const uri = (name) => pathToFileURL(path.join(folder, name)).href;

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, server, options, nextID: 0, waiting: new Map(), buffer: Buffer.alloc(0) });
    answers.client = { id, name, args: server.args, options };
  }

  async start() {
    this.process = spawn(this.server.command, this.server.args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.process.stdout.on("data", (bytes) => this.take(bytes));
    const { clientInfo, capabilities } = JSON.parse(fs.readFileSync(recorded));
    answers.initialized = await this.request("initialize", {
      processId: process.pid, clientInfo, locale: "en", rootPath: folder, rootUri: uri(""), capabilities,
      trace: "off", workspaceFolders: [{ uri: uri(""), name: "w" }],
    });
    this.notify("initialized", {});
    this.notify("workspace/didChangeConfiguration", { settings: { [this.options.synchronize.configurationSection]: settings } });
  }

  async stop() {
    await this.request("shutdown");
    this.notify("exit");
    answers.status = await this.ended;
  }

  send(message) {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${bytes.length}\r\n\r\n`);
    this.process.stdin.write(bytes);
  }

  notify(method, params) { this.send({ method, params }); }

  request(method, params) {
    const id = this.nextID++;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  take(bytes) {
    this.buffer = Buffer.concat([this.buffer, bytes]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.toString("ascii", 0, end))[1]);
      if (this.buffer.length < end + 4 + length) return;
      this.receive(JSON.parse(this.buffer.toString("utf8", end + 4, end + 4 + length)));
      this.buffer = this.buffer.subarray(end + 4 + length);
    }
  }

  receive(message) {
    if (message.method && message.id !== undefined) {
      answers.requests.push(message.method);
      this.send({ id: message.id, result: null });
    } else if (message.method) {
      answers.notifications.push(message);
    } else {
      const { resolve, reject } = this.waiting.get(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
    this.changed?.();
  }

  // Waits until something that was received makes a condition true.
  async until(condition) {
    while (!condition()) await new Promise((resolve) => { this.changed = resolve; });
  }
}

let client;
const stubs = {
  vscode: { workspace: { getConfiguration: (section) => ({ get: (key) => section === "scenario" ? settings[key] : undefined }) } },
  "vscode-languageclient/node": { LanguageClient: class extends LanguageClient { constructor(...all) { super(...all); client = this; } } },
};
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);

async function talk() {
  const manifest = JSON.parse(fs.readFileSync(path.join(extension, "package.json")));
  answers.activation = manifest.activationEvents;
  answers.settings = Object.keys(manifest.contributes.configuration.properties);
  const { activate, deactivate } = require(path.join(extension, manifest.main));
  await activate();
  const open = (name) => client.notify("textDocument/didOpen", {
    textDocument: { uri: uri(name), languageId: "yaml", version: 1, text: fs.readFileSync(path.join(folder, name), "utf8") },
  });
  open("s.yaml");
  await client.until(() => answers.notifications.length > 0);
  const textDocument = { uri: uri("s.yaml") };
  // As VS Code does when the pointer moves on before the answer.
  const gone = client.request("textDocument/hover", { textDocument, position: { line: 1, character: 1 } });
  client.notify("$/cancelRequest", { id: client.nextID - 1 });
  await gone.catch(() => {});
  answers.hover = await client.request("textDocument/hover", { textDocument, position: { line: 6, character: 76 } });
  answers.actions = await client.request("textDocument/codeAction", {
    textDocument, range: { start: { line: 8, character: 0 }, end: { line: 9, character: 0 } },
    context: { diagnostics: [], triggerKind: 2 },
  });
  open("prod.yaml");
  const lenses = { textDocument: { uri: uri("prod.yaml") } };
  const refreshes = () => answers.requests.filter((method) => method === "workspace/codeLens/refresh").length;
  const before = refreshes();
  await client.request("textDocument/codeLens", lenses);
  await client.until(() => refreshes() > before);
  answers.lenses = (await client.request("textDocument/codeLens", lenses)).map((lens) => lens.command.title);
  client.notify("textDocument/didClose", { textDocument });
  await deactivate();
  process.stdout.write(JSON.stringify(answers));
}

talk();
