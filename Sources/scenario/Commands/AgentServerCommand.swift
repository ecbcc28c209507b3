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
            \(AgentQuestion.commands.map { $0.name }.joined(separator: ", ")); an answer is the JSON
            report of the command of that name. Schemas and the installed documents are resources.

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
            resources: AgentDocuments.all(of: InstalledExamples.program))
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
    /// - Parameter program: The installed command, such as `/usr/bin/scenario`.
    static func all(of program: String) -> [AgentResource] {
        schemas.map { name, text in
            AgentResource(
                uri: "scenario:schema/\(name)", name: "The JSON Schema of \(name)", type: "application/schema+json",
                read: text)
        } + documents(of: program)
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
