import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

extension TranscriptCommand {
    /// Asks an exploration as its page does: `ask SUBJECT {JSON} ARGUMENT…`, or without the JSON what the page only reads.
    ///
    /// - Returns: The answer, as an error where the status of HTTP is not 200, and that status then.
    static func answer(
        to words: [String], in folder: TemporaryFolder
    ) throws -> (output: String, error: String, status: Int32) {
        let (subject, body) = (words.first ?? "", words.dropFirst().first { $0.hasPrefix("{") })
        let bench = try ExploreBench(Array(words.dropFirst(body == nil ? 1 : 2)), in: folder)
        let answer = bench.ask(subject, body)
        let text = folder.relative(String(decoding: answer.body, as: UTF8.self))
        return answer.status == 200 ? (text, "", 0) : ("", text, Int32(answer.status))
    }

    /// Compares two files byte by byte; says nothing where they are equal, and not empty.
    static func comparison(of names: [String], in folder: TemporaryFolder) throws -> (
        output: String, error: String, status: Int32
    ) {
        let files = try names.map { name in try #require(folder.bytes(of: name), "there is no file `\(name)`") }
        let areEqual = files.count == 2 && files[0] == files[1] && !files[0].isEmpty
        return areEqual ? ("", "", 0) : ("", "\(names.joined(separator: " and ")) differ\n", 1)
    }
}
