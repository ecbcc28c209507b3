import Foundation

@testable import Accounts

/// A command of the manual with the output that the manual shows.
struct ManualBlock: Sendable {
    /// The command as it is typed, without prompt and `approov`.
    let command: String
    /// Which one it is of those with that command, from 1.
    let number: Int
    /// The lines below it.
    let output: [String]

    /// The name in tables: the command, with its number if there are several.
    var name: String { number == 1 ? command : "\(command) (\(number))" }

    /// The words of the command, without a pipe.
    var words: [String] { get throws { try CommandWords.split(String(command.prefix { $0 != "|" })) } }

    /// The text that the output is searched for; `nil` for a command without a pipe.
    var searched: String? { command.split(separator: "| grep ").dropFirst().first.map(String.init) }

    /// Every block of the copy, in order.
    static let all: [ManualBlock] = {
        let file = GoldenCase.tests.appending(path: "Transcripts/manual.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var counts: [String: Int] = [:]
        return text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let command = lines.first?.firstMatch(of: /^(?:\$ )?approov (.*?) *$/)?.output.1 else { return nil }
            counts[String(command), default: 0] += 1
            return ManualBlock(
                command: String(command), number: counts[String(command)] ?? 1, output: Array(lines.dropFirst()))
        }
    }()
}
