import Testing

@testable import TestSupport

/// The repository is complete: nothing in it needs what lies beside it, and it names no machine.
@Suite struct SelfContainedTests {
    @Test func nothingReachesBesideTheCheckout() throws {
        let folders = ["Sources", "Tests", "Snippets", "Benchmarks", "Scenarios", "Tools", "docs", ".ci"]
        // Written in two parts, so that this file is not found.
        let forbidden = ["../" + "shared", "/wo" + "rk/", "/ro" + "ot/"]
        let files = try Repository.files(in: folders, endings: [".swift", ".py", ".sh", ".md", ".yaml", "run"])
        #expect(files.count > 400)
        for file in files {
            let text = try Repository.text(of: file)
            for path in forbidden { #expect(!text.contains(path), "\(file)") }
        }
    }

    @Test func everyLinkOfTheDocumentsLeadsToAFile() throws {
        let documents = try Repository.files(in: ["."], endings: [".md"])
        #expect(documents.contains("README.md"))
        for document in documents {
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            for match in try Repository.text(of: document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let target = folder.isEmpty ? String(match.1) : "\(folder)/\(match.1)"
                #expect(Repository.exists(target), "\(document) links to \(match.1)")
            }
        }
    }
}
