internal import Accounts
internal import CLibrary
internal import Documents
internal import Editor
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario mcp`: questions of agents.
extension Command {
    static let mcp = Command(
        "mcp", "Let an agent ask about accounts, scenarios and captures; nothing is written.",
        .words("FOLDER", "A folder whose files may be named; no others are read.", maximum: nil, completing: .files),
        options: [limitOption, showOption],
        discussion: """
            Speaks the Model Context Protocol on standard input and output, and ends with the client. Tools are
            \(AgentQuestion.commands.map { $0.name }.joined(separator: ", ")). An answer is the beginning
            of the text report of the command of that name; with the argument detail it is the whole report as JSON.
            Resources are the schemas, the files of the folders and the installed documents.

            Paths outside the folders, links out of them, standard input and scenario.toml are refused. Device IDs
            and addresses are redacted unless --no-redact is given.
            """,
        examples: [
            "scenario mcp policies": "An agent may ask about the files in policies/."
        ],
        answer: answer)

    private static let limitOption = Option(
        "--max-answer", "Refuse to give an answer of more than N bytes; by default 1000000.",
        .integer("N", in: 1...(1 << 30), usually: 1_000_000))
    private static let showOption = RedactionOptions.show.described(as: "Show device IDs and addresses.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        for folder in call.operands where !FileLocation(folder).isFolder {
            throw .usage("\(folder.asTyped) is not a folder")
        }
        // A client that is gone is noticed where something is written to it.
        signal(SIGPIPE, SIG_IGN)
        let redactor = call[showOption] ? nil : Redactor(.random())
        let limit = call[limitOption]
        // An agent knows neither the folder in which this was started nor what was typed.
        let folders = call.operands.map { FileLocation($0).path }
        let questions = AgentQuestion.commands.map { command in
            AgentQuestion(command, within: folders, redactor: redactor, limit: limit)
        }
        var session = ToolSession(
            version: ToolVersion.current,
            instructions: "Questions about device-attestation policies: \(ConfinedArguments.advice(folders)).",
            tools: questions.map(\.tool),
            resources: AgentDocuments.all(of: InstalledExamples.program, AgentFiles.all(in: folders, redactor)))
        switch session.serve(STDIN_FILENO, STDOUT_FILENO) {
        case .exit, .gone: return .success
        case .failed(let reason):
            throw call.failure(reason)
        }
    }
}

/// The texts that agents may read: schemas, and the documents that are installed with the command.
enum AgentDocuments {
    /// All of them.
    ///
    /// - Parameters:
    ///   - program: The installed command, such as `/usr/bin/scenario`.
    ///   - files: The files of the folders that may be read.
    static func all(of program: String, _ files: [AgentResource] = []) -> [AgentResource] {
        schemas.map { name, text in
            AgentResource(
                uri: "scenario:schema/\(name)", name: "The JSON Schema of \(name)", type: "application/schema+json",
                read: text)
        } + files + documents(of: program)
    }

    private static let schemas: [(name: String, text: @Sendable () -> String)] = [
        ("account", { AccountSchema.document }), ("scenario", { ScenarioSchema.document }),
        ("keys", { KeyFileSchema.document }), ("report", { ToolDefinition.scenario.reportSchema }),
    ]

    private static func documents(of program: String) -> [AgentResource] {
        let root = "/" + (program.split(separator: "/").dropLast(2) + ["share/doc/scenario"]).joined(separator: "/")
        return ["", "docs/", "docs/guides/"].flatMap { folder -> [AgentResource] in
            let names = (try? FolderListing.names(in: "\(root)/\(folder)")) ?? []
            return names.filter { $0.isUTF8 && $0.text.hasSuffix(".md") }.map(\.text).sorted().map { name in
                let path = "\(root)/\(folder)\(name)"
                return AgentResource(
                    uri: "scenario:document/\(folder)\(name)", name: folder + name, type: "text/markdown"
                ) {
                    (try? TextFile.bytes(path: path)).map { String(decoding: $0, as: UTF8.self) }
                }
            }
        }
    }
}

/// The files that agents may name: accounts and scenarios with their texts, captures and labels by their names.
enum AgentFiles {
    /// The greatest number of files that are listed.
    private static let limit = 1000

    private static let records = [".jsonl", ".jsonl.gz", ".jsonl.zst", ".txt", ".txt.gz", ".txt.zst", ".arrow", ".csv"]

    /// The files of some folders and of those in them, in the order of their paths. Names that begin with a point, and
    /// links, are left out.
    ///
    /// - Parameters:
    ///   - folders: The folders by their full paths, without links on the way.
    ///   - redactor: Hides devices and addresses of texts; `nil` shows them.
    static func all(in folders: [String], _ redactor: Redactor?) -> [AgentResource] {
        var paths: [(path: String, name: String)] = []
        for folder in folders { find(in: folder, as: "", &paths) }
        return paths.map { path, name in
            let isText = ScenarioFiles.isScenario(name)
            return AgentResource(
                uri: FileURI.uri(of: path), name: name, type: isText ? "application/yaml" : "text/plain"
            ) {
                isText ? text(of: path, redactor) : "The tools answer questions about this file: \(path)\n"
            }
        }
    }

    private static func find(in folder: String, as prefix: String, _ found: inout [(path: String, name: String)]) {
        for name in (try? FolderListing.names(in: folder) { !$0.hasPrefix(".") }) ?? [] where found.count < limit {
            let (path, shown) = (FileLocation.join(folder, name.text), prefix + name.text)
            let location = FileLocation(path)
            guard name.isUTF8, location.path == path else { continue }
            if location.isFolder {
                find(in: path, as: shown + "/", &found)
            } else if ScenarioFiles.isScenario(shown) || records.contains(where: shown.hasSuffix) {
                found.append((path, shown))
            }
        }
    }

    // Of key files, and of files that are no text, nothing is shown.
    private static func text(of path: String, _ redactor: Redactor?) -> String? {
        guard let bytes = try? TextFile.bytes(path: path), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        return redactor?.text(text) ?? text
    }
}
