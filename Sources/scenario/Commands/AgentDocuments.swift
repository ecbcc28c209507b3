internal import Accounts
internal import Documents
internal import Editor
internal import Reports
internal import Scenarios

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
        ("keys", { KeyFileSchema.document }), ("report", { ReportSchema.document }),
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
