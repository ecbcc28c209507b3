import Documents
import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// A case that is a document in an editor, beside the account and the scenario of ``Samples``.
///
/// A line `> ASK FILE WORD…` begins each question; the lines below it are the text of the file, and `‸` is the cursor in it. Behind
/// `! ` is the answer: words, names, places, or the lines of files that an edit changes.
enum EditorCase {
    /// The case with its actual answers.
    static func rewritten(_ example: CaseFile.Case) throws -> [String] {
        var lines = example.body.filter { !$0.hasPrefix("! ") }[...]
        var written: [String] = []
        while let question = lines.popFirst() {
            let text = lines.prefix { !$0.hasPrefix("> ") }
            lines = lines.dropFirst(text.count)
            let words = question.split(separator: " ", maxSplits: 3).map(String.init)
            try #require(words.count > 2 && words[0] == "> ".dropLast(), "no question: \(question)")
            var bench = try EditorBench(Samples.files)
            let marked = text.map { $0 + "\n" }.joined()
            let answer: [String]
            do {
                answer = try Self.answer(words[1], words[2], words.count > 3 ? words[3] : "", marked, &bench)
            } catch let failure as TestFailure {
                answer = ["refused: \(bench.folder.relative("\(failure)"))"]
            }
            written += [question] + text + answer.map { "! \($0)" }
        }
        return written
    }

    private static func answer(
        _ question: String, _ name: String, _ word: String, _ marked: String, _ bench: inout EditorBench
    ) throws -> [String] {
        switch question {
        case "hover":
            let words = try bench.ask("hover", name, at: marked)["contents"]?["value"]?.text ?? "nothing"
            return words.split(separator: "\n").map(String.init)
        case "completion":
            let items = EditorBench.items(try bench.ask("completion", name, at: marked))
            return [items.compactMap { $0["label"]?.text }.joined(separator: " ")]
        case "definition":
            let result = try bench.ask("definition", name, at: marked)
            let places = EditorBench.items(result)
            return result == .null ? ["nowhere"] : (places.isEmpty ? [result] : places).map { place($0, bench) }
        case "references":
            let result = try bench.ask("references", name, at: marked, #","context":{"includeDeclaration":\#(word)}"#)
            return EditorBench.items(result).map { place($0, bench) }
        case "rename":
            let result = try bench.ask("rename", name, at: marked, #","newName":\#(EditorBench.quoted(word))"#)
            return try changes(bench.edited(result), bench)
        case "prepareRename":
            let result = try bench.ask("prepareRename", name, at: marked)
            return [(result["placeholder"]?.text).map { "\($0) at \(place(result, bench))" } ?? "nothing"]
        case "problems":
            try bench.open(name, marked)
            return bench.shown(name).isEmpty ? ["none"] : bench.shown(name).map { $0.replacing("\n", with: "; ") }
        case "fixes":
            let fixes = try bench.fixes(marked, name)
            return try fixes.isEmpty ? ["none"] : fixes.flatMap { [$0.title] + (try changes($0.texts, bench)) }
        default: throw TestFailure("no question `\(question)`")
        }
    }

    /// The file and the beginning of a place.
    static func place(_ place: JSONContent, _ bench: EditorBench) -> String {
        let file = place["uri"]?.text.map { bench.folder.relative(FileURI.path(of: $0)) + ":" } ?? ""
        let start = place["range"]?["start"]
        return "\(file)\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)"
    }

    // The lines that an edit changed, as they are afterwards.
    private static func changes(_ texts: [String: String], _ bench: EditorBench) throws -> [String] {
        try texts.sorted { $0.key < $1.key }.flatMap { name, text in
            let old = String(
                decoding: try bench.session.workspace.overlay.bytes(path: bench.folder.path(name)), as: UTF8.self)
            let before = Set(old.split(separator: "\n"))
            let changed = text.split(separator: "\n").filter { !before.contains($0) }
            return changed.isEmpty ? ["\(name): a line is gone"] : changed.map { "\(name): \($0)" }
        }
    }
}

extension EditorBench {
    /// The actions that are offered for a text, each with the texts of files after it.
    mutating func fixes(_ text: String, _ name: String) throws -> [(title: String, texts: [String: String])] {
        try open(name, text)
        let actions = try request(
            "textDocument/codeAction",
            #"{"textDocument":{"uri":"\#(uri(name))"},"range":{"start":{"line":0,"character":0},"#
                + #""end":{"line":99999,"character":0}},"context":{"diagnostics":[]}}"#)
        return try EditorBench.items(actions).map { action in
            (action["title"]?.text ?? "", try edited(try #require(action["edit"])))
        }
    }
}

/// The answers and edits of an editor: `Tests/Tables/editor`.
@Suite struct EditorCaseTests {
    @Test(arguments: CaseFile.all(in: "Tables/editor", ending: ".txt")) func answers(_ file: CaseFile) throws {
        try file.expectActual { try EditorCase.rewritten($0) }
    }
}
