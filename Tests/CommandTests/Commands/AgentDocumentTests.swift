import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport
@testable import scenario

/// The texts that agents may read beside the files that they ask about.
@Suite struct AgentDocumentTests {
    private static let schemas = ["account", "scenario", "keys", "report"].map { "scenario:schema/\($0)" }

    @Test func theDocumentsThatAreInstalledWithTheCommand() throws {
        let share = "usr/share/doc/scenario"
        let folder = try TemporaryFolder([
            "\(share)/README.md": "# Read me\n", "\(share)/README.html": "<h1>", "\(share)/docs/RULES.md": "# Rules\n",
            "\(share)/docs/guides/b.md": "# B\n", "\(share)/docs/guides/a.md": "# A\n", "usr/bin/scenario": "",
        ])
        let resources = AgentDocuments.all(of: folder.path("usr/bin/scenario"))
        let documents = ["README.md", "docs/RULES.md", "docs/guides/a.md", "docs/guides/b.md"]
        #expect(resources.map(\.uri) == Self.schemas + documents.map { "scenario:document/\($0)" })
        var session = ToolSession(version: "0", tools: [], resources: resources)
        let question =
            #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"scenario:document/docs/RULES.md"}}"#
        let replies = session.accept(try RPCMessage(Array(question.utf8)))
        let reply = try JSONParser.parse(try #require(replies.first).bytes)
        guard case .array(let contents)? = reply["result"]?["contents"] else { throw TestFailure("no contents") }
        #expect(contents.map { $0["text"]?.text } == ["# Rules\n"])
        #expect(contents.map { $0["mimeType"]?.text } == ["text/markdown"])
    }

    @Test func withoutAnInstallationThereAreTheSchemas() throws {
        let folder = try TemporaryFolder(["bin/scenario": ""])
        #expect(AgentDocuments.all(of: folder.path("bin/scenario")).map(\.uri) == Self.schemas)
    }
}
