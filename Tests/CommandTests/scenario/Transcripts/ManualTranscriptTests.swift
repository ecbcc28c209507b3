import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// The transcripts of `Tests/Transcripts/manual` show what the manual shows, line by line.
@Suite struct ManualTranscriptTests {
    private static let transcripts: [String: [String]] = {
        let paths = (try? Repository.files(in: ["Tests/Transcripts/manual"], endings: [".txt"])) ?? []
        let cases = paths.flatMap { CaseFile(path: $0, text: (try? Repository.text(of: $0)) ?? "").cases }
        return Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0.body) })
    }()

    private static let shown = ManualBlock.all.filter { transcripts[$0.name] != nil }

    @Test func everyBlockIsShownOrNamedWithItsReason() {
        let named = Self.transcripts.keys + ManualBlock.exceptions
        expect(ManualBlock.all.count, equals: 149)
        expect(named.sorted(), equals: ManualBlock.all.map(\.name).sorted())
    }

    @Test(arguments: shown) func showsWhatTheManualShows(_ block: ManualBlock) throws {
        let body = try #require(Self.transcripts[block.name])
        let start = try #require(body.firstIndex { $0.hasPrefix("$ approov ") })
        expect(Array(try ManualBlock.words(body[start]).suffix(block.words.count)), equals: block.words)
        let printed = body[(start + 1)...].filter { line in !["> ", "! ", "? "].contains(where: line.hasPrefix) }
        // The manual cuts keys and tokens off, and leaves lines out.
        var pattern = block.output.map { line in
            line.hasPrefix("  ...") ? "..." : Self.trimmed(line).replacing("…", with: "...")
        }
        if body[0].hasPrefix("The manual leaves lines out") { pattern = pattern.flatMap { ["...", $0] } + ["..."] }
        var lines = printed.map { Self.trimmed($0.replacing("␠", with: "")) }
        if body[0].hasSuffix("with fewer spaces.") {
            (lines, pattern) = (lines.map(Self.withSingleSpaces), pattern.map(Self.withSingleSpaces))
        }
        #expect(LinePattern.matches(lines[...], pattern[...]), "\(lines)")
    }

    // Spaces at the end of a line cannot be seen.
    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func withSingleSpaces(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }
}

/// A command of the manual with the output that the manual shows.
struct ManualBlock: Sendable, CustomTestStringConvertible {
    /// The command, with its number if there are several.
    let name: String
    /// Its words, without prompt, `approov` and a pipe.
    let words: [String]
    /// The lines below it.
    let output: [String]
    var testDescription: String { name }

    /// The words of a command line of the manual or of a transcript.
    static func words(_ line: String) throws -> [String] {
        try CommandWords.split(String(line.prefix { $0 != "|" }).replacing(#/^(\$ )?approov /#, with: ""))
    }

    /// Every block of the copy, in order.
    static let all: [ManualBlock] = {
        let file = Repository.root.appending(path: "Tests/CommandTests/scenario/Transcripts/manual.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var counts: [String: Int] = [:]
        return text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let command = lines.first?.firstMatch(of: /^(?:\$ )?approov (.*?) *$/)?.output.1 else { return nil }
            let name = String(command)
            counts[name, default: 0] += 1
            return ManualBlock(
                name: counts[name] == 1 ? name : "\(name) (\(counts[name] ?? 1))", words: (try? words(lines[0])) ?? [],
                output: Array(lines.dropFirst()))
        }
    }()

    /// The names of the blocks that no transcript can show as printed; the file has the reason of each.
    static let exceptions: [String] = {
        let path = "Tests/Tables/words/manual-exceptions.txt"
        return CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "").cases.flatMap(\.body)
    }()
}
