import Foundation
import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport
@testable import scenario

/// The documents that are installed, as Markdown and as pages.
@Suite struct InstalledDocumentTests {
    private static let root = Repository.root

    // html5lib ends with an error at the first fault of a page.
    private static let validation = """
        import glob, html5lib, sys
        for path in glob.glob(sys.argv[1] + "/**/*.html", recursive=True):
            parser = html5lib.HTMLParser(strict=True)
            parser.parse(open(path, encoding="utf-8").read())
        """

    private static func python(_ arguments: [String]) throws -> (status: Int32, error: String) {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B"] + arguments
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("guides, reference and integrations are installed, valid pages, and every link leads somewhere")
    func install() throws {
        let folder = try TemporaryFolder()
        let script = Self.root.appending(path: "Tools/install_documents.py").path(percentEncoded: false)
        let installed = try Self.python([script, folder.path])
        #expect(installed.status == 0 && installed.error == "")
        let guides = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "docs/guides").path(percentEncoded: false))
        let names =
            guides.map { "docs/guides/" + $0.dropLast(3) }
            + ["README", "CHANGELOG", "docs/FORMATS", "docs/RULES", "docs/GLOSSARY", "docs/LINT", "docs/DECISIONS"]
            + ["Integrations/python/README"]
        for name in names { #expect(folder[name + ".md"] != nil && folder[name + ".html"] != nil, "\(name)") }
        #expect(
            folder["Integrations/change-request.sh"] != nil && folder["examples/Scenarios/accounts/bank.yaml"] != nil)
        let validated = try Self.python(["-c", Self.validation, folder.path])
        expect(validated.status, equals: 0, "\(validated.error)")
        // A link in text, code that looks like a link, and a link to a file that is not installed.
        let page = try #require(folder["README.html"])
        #expect(page.contains(#"<a href="docs/guides/test-a-change.html">"#) && !page.contains("ARCHITECTURE.html"))
        expect(folder["README.md"]?.contains("](ARCHITECTURE.md)"), equals: false)
    }
}

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
        expect(resources.map(\.uri), equals: Self.schemas + documents.map { "scenario:document/\($0)" })
        var session = ToolSession(version: "0", tools: [], resources: resources)
        let question =
            #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"scenario:document/docs/RULES.md"}}"#
        let replies = session.accept(try RPCMessage(Array(question.utf8)))
        let reply = try JSONParser.parse(try #require(replies.first).bytes)
        guard case .array(let contents)? = reply["result"]?["contents"] else { throw TestFailure("no contents") }
        expect(contents.map { $0["text"]?.text }, equals: ["# Rules\n"])
        expect(contents.map { $0["mimeType"]?.text }, equals: ["text/markdown"])
    }

    @Test func withoutAnInstallationThereAreTheSchemas() throws {
        let folder = try TemporaryFolder(["bin/scenario": ""])
        expect(AgentDocuments.all(of: folder.path("bin/scenario")).map(\.uri), equals: Self.schemas)
    }
}
