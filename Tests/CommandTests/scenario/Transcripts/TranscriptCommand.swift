import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

/// A command line of a transcript.
///
/// - `scenario …` is the command, and `approov …` is `scenario approov --account @account.yaml …`. `in FOLDER scenario …` is a
///   process of its own, whose working folder that is. `NAME=VALUE` in front sets a variable.
/// - `cat FILE`, `ls`, `rm FILE`, `chmod MODE FILE`, `ln FILE NAME` and `ln -s PATH NAME` are those of a shell; `cmp FILE FILE` says
///   whether two files are equal.
/// - `commit TAG` commits all files of the folder under a tag, in a repository that it makes the first time.
/// - `ask SUBJECT {JSON} ARGUMENT…` is a question to an exploration, as its page asks it; without the JSON it reads. The exit status
///   is that of HTTP, where it is not 200.
///
/// Filters follow behind `|` (``TranscriptFilter``).
struct TranscriptCommand {
    private typealias Outcome = (output: String, error: String, status: Int32)

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
        let output = try stages.dropFirst().reduce(first.output) { text, words in
            try TranscriptFilter(words, in: folder).filtered(text)
        }
        let root = Repository.root.path(percentEncoded: false)
        let (shown, errors) = (output.replacing(root, with: "~/"), first.error.replacing(root, with: "~/"))
        let lines = TranscriptText.lines(of: shown) + TranscriptText.errors(of: errors)
        return lines + (first.status == 0 && !lines.isEmpty ? [] : ["? \(first.status)"])
    }

    private func run(_ all: [String]) throws -> Outcome {
        let assignments = all.prefix { $0.firstMatch(of: /^[A-Z_]+=/) != nil }
        let words = all.dropFirst(assignments.count).map { word in
            word.hasPrefix("~/") ? Repository.root.path(percentEncoded: false) + word.dropFirst(2) : word
        }
        let (rest, variables) = (Array(words.dropFirst()), variables(assignments))
        switch words.first {
        case "scenario": return run(rest, variables)
        case "approov": return run(["approov", "--account", "@account.yaml"] + rest, variables)
        case "in": return try process(rest, assignments)
        case "ask": return try answer(to: rest)
        case "cat": return (try text(of: rest.first ?? ""), "", 0)
        case "ls": return (folder.names.map { $0 + "\n" }.joined(), "", 0)
        case "cmp": return try comparison(of: rest)
        default:
            try changeFiles(words.first ?? "", rest)
            return ("", "", 0)
        }
    }

    private func variables(_ assignments: ArraySlice<String>) -> [String: String] {
        let pairs = assignments.map { assignment in
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            return (parts[0], parts[1].hasPrefix("@") ? folder.path(String(parts[1].dropFirst())) : parts[1])
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func run(_ words: [String], _ variables: [String: String]) -> Outcome {
        let run = ToolRun(words, in: folder, input: typed, environment: variables)
        return (run.output, run.error, run.status.rawValue)
    }

    private func process(_ words: [String], _ assignments: ArraySlice<String>) throws -> Outcome {
        let launcher = ["/usr/bin/env", "-C", folder.path(words.first ?? "")] + assignments
        let process = try ToolProcess(Array(words.dropFirst(2)), in: folder, by: launcher)
        for line in typed { process.type(line) }
        process.endInput()
        var output: [UInt8] = []
        while case let bytes = process.readBytes(), !bytes.isEmpty { output += bytes }
        let end = process.end()
        return (folder.relative(String(decoding: output, as: UTF8.self)), end.error, end.status)
    }

    private func answer(to words: [String]) throws -> Outcome {
        let (subject, body) = (words.first ?? "", words.dropFirst().first { $0.hasPrefix("{") })
        let bench = try ExploreBench(Array(words.dropFirst(body == nil ? 1 : 2)), in: folder)
        let answer = bench.ask(subject, body)
        let text = folder.relative(String(decoding: answer.body, as: UTF8.self))
        return answer.status == 200 ? (text, "", 0) : ("", text, Int32(answer.status))
    }

    private func text(of name: String) throws -> String {
        guard let text = folder[name] else { throw TestFailure("there is no file `\(name)`") }
        return folder.relative(text)
    }

    private func comparison(of names: [String]) throws -> Outcome {
        let files = try names.map { name in try #require(folder.bytes(of: name), "there is no file `\(name)`") }
        let areEqual = files.count == 2 && files[0] == files[1] && !files[0].isEmpty
        return areEqual ? ("", "", 0) : ("", "\(names.joined(separator: " and ")) differ\n", 1)
    }

    private func changeFiles(_ command: String, _ words: [String]) throws {
        let (first, last) = (words.first ?? "", folder.path(words.last ?? ""))
        switch command {
        case "rm": try folder.remove(first)
        case "chmod":
            try FileManager.default.setAttributes([.posixPermissions: Int(first, radix: 8) ?? 0], ofItemAtPath: last)
        case "ln" where first == "-s":
            try FileManager.default.createSymbolicLink(atPath: last, withDestinationPath: words.dropFirst().first ?? "")
        case "ln": try FileManager.default.linkItem(atPath: folder.path(first), toPath: last)
        case "commit": try folder.commit(first)
        default: throw TestFailure("unknown command `\(command)`; Tests/README.md lists those of transcripts")
        }
    }
}
