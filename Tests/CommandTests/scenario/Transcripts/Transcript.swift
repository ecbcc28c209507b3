import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// A case that is a transcript of a terminal: command lines, each with its output, its errors and its exit status.
///
/// - `-- NAME --` begins a file, which is in the folder of the case; files of the head are in each case's. In it `20 × LINE` is 20
///   lines, in each of which `#` is its number of six digits, counted from 0 over all such lines of the file. The owner of a
///   file `NAME.keys` alone can read it.
/// - `$ COMMAND` is a command line; `@name` in it is a file of the folder, `~/` the package, and `'` quotes as in a shell.
/// - `> TEXT` below it is a line that is typed.
/// - A line that begins with `! ` is written to standard error, `? 4` is the exit status where it is not 0, and all others are
///   written to standard output. A line of output that begins in one of these ways, or as a case, has `\` before it.
/// - `...` stands for any lines, and at the end of a line for its rest.
/// - `␍` at the end of a line is a carriage return, `␠` a space, and `␃` says that the last line has no end.
struct Transcript {
    private let head, body: [String]
    private let folder: TemporaryFolder

    /// Reads a case, and makes its folder.
    init(_ example: CaseFile.Case) throws {
        (head, body) = (example.head, example.body)
        folder = try TemporaryFolder()
    }

    /// The case with what its commands actually write.
    func rewritten() throws -> [String] {
        _ = try rewritten(head, runs: false)
        guard body.contains(where: { $0.hasPrefix("$ ") }) else { throw TestFailure("no command: `$ ` begins one") }
        return try rewritten(body, runs: true)
    }

    private func rewritten(_ lines: [String], runs: Bool) throws -> [String] {
        var (written, rest) = ([String](), lines[...])
        while let line = rest.first {
            let end = rest.dropFirst().firstIndex { Self.isBeginning($0) } ?? rest.endIndex
            let block = rest[(rest.startIndex + 1)..<end]
            if let name = Self.fileName(line) {
                try write(block, to: name)
                written += [line] + block
            } else if runs, line.hasPrefix("$ ") {
                written += [line] + (try rewritten(String(line.dropFirst(2)), Array(block)))
            } else {
                // Words that begin as a command or a result are a typing error, and would be passed over.
                if ["$", "!", "?", ">"].contains(where: line.hasPrefix) { throw TestFailure("not read: \(line)") }
                written += [line] + block
            }
            rest = rest[end...]
        }
        return written
    }

    private static func isBeginning(_ line: String) -> Bool { line.hasPrefix("$ ") || fileName(line) != nil }

    private static func fileName(_ line: String) -> String? {
        guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.count > 6 else { return nil }
        return String(line.dropFirst(3).dropLast(3))
    }

    // Empty lines at the end separate it from what follows.
    private func write(_ lines: ArraySlice<String>, to name: String) throws {
        let end = lines.lastIndex { $0 != "" }.map { $0 + 1 } ?? lines.startIndex
        var number = 0
        let text = lines[..<end].map { line in
            guard let match = line.firstMatch(of: /^([0-9]+) × (.*)/), let count = Int(match.output.1) else {
                return TranscriptText.unmarked(line.hasPrefix("\\") ? String(line.dropFirst()) : line)
            }
            defer { number += count }
            let numbers = (number..<(number + count)).map { String(String(1_000_000 + $0).dropFirst()) }
            return numbers.map { TranscriptText.unmarked(String(match.output.2.replacing("#", with: $0))) }.joined()
        }
        let path = try folder.write(text.joined(), to: name)
        if name.hasSuffix(".keys") {
            // As commands write it; others that can read it would be warned about.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    // Typed lines and what is written, with the empty lines that separate it from what follows.
    private func rewritten(_ command: String, _ block: [String]) throws -> [String] {
        let typed = Array(block.prefix { $0.hasPrefix("> ") })
        let isEmpty = { (line: String) in line == "" }
        let space = Array(block.reversed().prefix(while: isEmpty))
        let expected = Array(block.dropFirst(typed.count).dropLast(space.count))
        let actual = try TranscriptCommand(command, typed: typed.map { String($0.dropFirst(2)) }, in: folder).lines()
        // Lines that could be any would let everything pass.
        let isExpected = expected.contains { $0 != "..." } && LinePattern.matches(actual[...], expected[...])
        return typed + (isExpected ? expected : actual) + space
    }
}

/// Lines with `...`, which stands for any lines, and at the end of a line for its rest.
enum LinePattern {
    /// True if the lines are as the pattern has them.
    static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
        guard let first = pattern.first else { return lines.isEmpty }
        let rest = pattern.dropFirst()
        if first == "..." { return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], rest) } }
        guard let line = lines.first else { return false }
        let isMatch = first.hasSuffix("...") ? line.hasPrefix(first.dropLast(3)) : line == first
        return isMatch && matches(lines.dropFirst(), rest)
    }
}
