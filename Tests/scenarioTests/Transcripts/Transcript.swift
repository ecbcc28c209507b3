import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// A case that is a transcript of a terminal: command lines, each with its output, its errors and its exit status.
///
/// - `-- NAME --` begins a file, which is in the folder of the case; files of the head are in each case's.
/// - `$ COMMAND` is a command line; `@name` in it is a file of the folder, `~/` the package, and `'` quotes as in a shell.
/// - `> TEXT` below it is a line that is typed.
/// - A line that begins with `! ` is written to standard error, `? 4` is the exit status where it is not 0, and all others are
///   written to standard output. What begins in one of these ways, or as a case, has `\` before it.
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

    /// A file of a case of `Tests/Transcripts`, for other tests.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - beginning: The beginning of the name of the case.
    ///   - path: The path of the file of cases in that folder.
    static func file(_ name: String, of beginning: String, in path: String) throws -> String {
        let cases = CaseFile(path: path, text: try Repository.text(of: "Tests/Transcripts/\(path)")).cases
        let example = try #require(cases.first { $0.name.hasPrefix(beginning) })
        let transcript = try Transcript(example)
        for lines in [example.head, example.body] { _ = try transcript.rewritten(lines, runs: false) }
        return try #require(transcript.folder[name])
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
        let text = lines[..<end].map { Self.unmarked($0.hasPrefix("\\") ? String($0.dropFirst()) : $0) }.joined()
        try folder.write(text, to: name)
    }

    // Typed lines and what is written, with the empty lines that separate it from what follows.
    private func rewritten(_ command: String, _ block: [String]) throws -> [String] {
        let typed = Array(block.prefix { $0.hasPrefix("> ") })
        let isEmpty = { (line: String) in line == "" }
        let space = Array(block.reversed().prefix(while: isEmpty))
        let expected = Array(block.dropFirst(typed.count).dropLast(space.count))
        let actual = try TranscriptCommand(command, typed: typed.map { String($0.dropFirst(2)) }, in: folder).lines()
        return typed + (LinePattern.matches(actual[...], expected[...]) ? expected : actual) + space
    }

    /// A line without the signs at its end, and with that end.
    private static func unmarked(_ line: String) -> String {
        switch line.last {
        case "␍": line.dropLast() + "\r\n"
        case "␃": String(line.dropLast())
        case "␠": line.dropLast() + " \n"
        default: line + "\n"
        }
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

/// A command line of a transcript.
///
/// `scenario …` is the command; `approov …` is `scenario approov --account @account.yaml …`; `cat FILE`, `ls`, `rm FILE`,
/// `chmod MODE FILE`, `ln FILE NAME` and `ln -s PATH NAME` are those of a shell. `in FOLDER scenario …` is a process of its own,
/// whose working folder that is. `commit TAG` commits all files of the folder under a tag, in a repository that it makes the
/// first time. `NAME=VALUE` before a command sets a variable; `@name` in it is a path as elsewhere.
///
/// Behind `|` comes `grep PATTERN`, the lines that a regular expression matches, `grep -o PATTERN`, its matches alone,
/// `json PATH…`, the values at paths such as `changes.0.kind`, or `words`, the words of a page without its tags, with each row
/// of a table on a line.
struct TranscriptCommand {
    private let stages: [[String]]
    private let typed: [String]
    private let folder: TemporaryFolder

    init(_ text: String, typed: [String], in folder: TemporaryFolder) {
        let words = Words(stringLiteral: text).list
        stages = words.split(separator: "|", omittingEmptySubsequences: false).map(Array.init)
        (self.typed, self.folder) = (typed, folder)
    }

    /// The lines that it writes, as a transcript shows them.
    func lines() throws -> [String] {
        let first = try run(stages.first ?? [])
        // Swift takes both characters at the end of such a line for one.
        let shown = first.output.replacing("\r\n", with: "␍\n")
        let output = try stages.dropFirst().reduce(shown) { try Self.filtered($0, by: $1) }
        let root = Repository.root.path(percentEncoded: false)
        let errors = first.error.replacing(root, with: "~/")
        let lines =
            Self.lines(of: output.replacing(root, with: "~/")).map(Self.escaped)
            + Self.lines(of: errors).map { "! \($0)" }
        return lines + (first.status == 0 && !lines.isEmpty ? [] : ["? \(first.status)"])
    }

    private func run(_ words: [String]) throws -> (output: String, error: String, status: Int32) {
        let variables = words.prefix { $0.firstMatch(of: /^[A-Z_]+=/) != nil }
        let words = words.dropFirst(variables.count).map { word in
            word.hasPrefix("~/") ? Repository.root.path(percentEncoded: false) + word.dropFirst(2) : word
        }
        let name = words.dropFirst().first ?? ""
        switch words.first {
        case "cat":
            guard let text = folder[name] else { throw TestFailure("there is no file `\(name)`") }
            return (folder.relative(text), "", 0)
        case "ls": return (folder.names.map { $0 + "\n" }.joined(), "", 0)
        case "rm":
            try folder.remove(name)
            return ("", "", 0)
        case "chmod":
            let mode = Int(name, radix: 8) ?? 0
            let path = folder.path(words.last ?? "")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return ("", "", 0)
        case "ln":
            let new = folder.path(words.last ?? "")
            if name == "-s" {
                try FileManager.default.createSymbolicLink(
                    atPath: new, withDestinationPath: words.dropFirst(2).first ?? "")
            } else {
                try FileManager.default.linkItem(atPath: folder.path(name), toPath: new)
            }
            return ("", "", 0)
        case "commit":
            try folder.commit(name)
            return ("", "", 0)
        case "in": return try process(words.dropFirst(3), in: name, variables)
        case "scenario": return run(Array(words.dropFirst()), variables)
        case "approov":
            return run(["approov", "--account", "@account.yaml"] + words.dropFirst(), variables)
        default:
            throw TestFailure(
                "unknown command `\(words.first ?? "")`; it is `scenario`, `approov`, `in`, `commit`, `cat`, `ls`, `rm`, `chmod` or `ln`"
            )
        }
    }

    private func run(_ words: [String], _ variables: ArraySlice<String>) -> (String, String, Int32) {
        let pairs = variables.map { variable in
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts[1].hasPrefix("@") ? folder.path(String(parts[1].dropFirst())) : parts[1])
        }
        let run = ToolRun(
            words, in: folder, input: typed, environment: Dictionary(uniqueKeysWithValues: pairs))
        return (run.output, run.error, run.status.rawValue)
    }

    private func process(
        _ words: ArraySlice<String>, in place: String, _ variables: ArraySlice<String>
    ) throws -> (String, String, Int32) {
        let launcher = ["/usr/bin/env", "-C", folder.path(place)] + variables
        let process = try ToolProcess(Array(words), in: folder, by: launcher)
        for line in typed { process.type(line) }
        process.endInput()
        var output: [UInt8] = []
        while case let bytes = process.readBytes(), !bytes.isEmpty { output += bytes }
        let end = process.end()
        return (folder.relative(String(decoding: output, as: UTF8.self)), end.error, end.status)
    }

    private static func filtered(_ text: String, by words: [String]) throws -> String {
        switch words.first {
        case "grep":
            let pattern = words.last ?? ""
            let matches = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
                words.contains("-o")
                    ? Self.matches(of: pattern, in: String(line))
                    : line.range(of: pattern, options: .regularExpression) == nil ? [] : [String(line)]
            }
            return matches.map { $0 + "\n" }.joined()
        case "words":
            return text.replacing("<wbr>", with: "")
                .replacing(#/\s*<(?:tr|p|h[1-6]|li|div|section|table|title)\b[^>]*>/#, with: "\n")
                .replacing(#/ *(?:<[^>]*> *)+/#, with: "|")
        case "json":
            let root = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            return try words.dropFirst().map { "\($0): \(try value(at: $0, in: root))\n" }.joined()
        default: throw TestFailure("`|` is followed by `grep PATTERN`, `grep -o PATTERN`, `json PATH…` or `words`")
        }
    }

    private static func matches(of pattern: String, in line: String) -> [String] {
        var (found, rest) = ([String](), line[...])
        while let range = rest.range(of: pattern, options: .regularExpression), !range.isEmpty {
            found.append(String(rest[range]))
            rest = rest[range.upperBound...]
        }
        return found
    }

    private static func value(at path: String, in root: Any) throws -> String {
        let value = path.split(separator: ".").reduce(root as Any?) { value, key in
            if let list = value as? [Any] { return Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil } }
            return (value as? [String: Any])?[String(key)]
        }
        guard let value else { return "(none)" }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    // Empty lines at the end are left out: those of a transcript separate.
    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "␃" }
        while lines.last == "" { lines.removeLast() }
        return lines.map { line in
            if line.hasSuffix("\r") { return line.dropLast() + "␍" }
            return line.hasSuffix(" ") ? line.dropLast() + "␠" : line
        }
    }

    private static func escaped(_ line: String) -> String {
        let signs = ["$ ", "? ", "! ", "> ", "== ", "-- ", "...", "\\"]
        return signs.contains(where: line.hasPrefix) ? "\\" + line : line
    }
}
