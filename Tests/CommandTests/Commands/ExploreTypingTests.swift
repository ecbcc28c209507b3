import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

/// Commands that are typed on the page of `explore`: their mistakes, and the words that may follow.
@Suite struct ExploreTypingTests {
    private static func bench() throws -> ExploreBench {
        try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: try TemporaryFolder(Sample.files))
    }

    @Test("A command that can be carried out is read as the manual writes it") func check() throws {
        let bench = try Self.bench()
        let body = #"{"line":"policy  -set default,strict,risk"}"#
        let answer = try bench.members("check", body)
        #expect(answer["command"] as? String == "policy -set default,strict,risk")
        #expect(answer["changes"] as? Bool == true)
        let same = try bench.members("check", #"{"line":"policy -set default,allow-root,risk"}"#)
        #expect(same["changes"] as? Bool == false)
        let banning = try bench.members("check", #"{"line":"filter -add a -key ip -matchValue 1 -ban"}"#)
        #expect(
            banning["confirmation"] as? String
                == "using the ban or reject option will have an immediate impact on your apps in production")
        // It follows the changes so far.
        let line = #""line":"filter -remove a""#
        #expect(bench.ask("check", "{\(line)}").status == 422)
        let later = #"{"changes":["filter -add a -key ip -matchValue 1"],\#(line)}"#
        #expect(try bench.members("check", later)["changes"] as? Bool == true)
    }

    static let mistakes: [(line: String, column: Int?)] = [
        ("policy -set default,strct,risk", 21), ("policy -addRejectFlag roted", 23), ("polcy -set a,b,c", 1),
        ("policy", nil), ("policy -get", nil),
    ]

    @Test("A mistake is shown at its column", arguments: mistakes) func column(row: (line: String, column: Int?)) throws
    {
        let answer = try Self.bench().ask("check", #"{"line":"\#(row.line)"}"#)
        #expect(answer.status == 422)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        #expect(object?["column"] as? Int == row.column, "\(object ?? [:])")
        #expect(object?["field"] as? String == "line")
    }

    @Test("A change that cannot be carried out is named by its place") func place() throws {
        let answer = try Self.bench().ask(
            "answer", #"{"changes":["policy -set default,strict,risk","filter -remove a"]}"#)
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""field":"changes/1","column":16"#))
    }

    @Test("A command of the page reads and writes no file") func files() throws {
        let bench = try Self.bench()
        try bench.folder.write("[]", to: "domains.json")
        for line in [
            "api -setAll \(bench.folder.path("domains.json"))", "secret -getJWK \(bench.folder.path("key.jwk"))",
            "appsigncert -add /etc/hostname",
        ] {
            for (subject, member) in [("check", #""line":"\#(line)""#), ("answer", #""changes":["\#(line)"]"#)] {
                #expect(bench.ask(subject, "{\(member)}").status == 422, "\(subject) \(line)")
            }
        }
        #expect(bench.folder["key.jwk"] == nil)
    }

    static let completions: [(line: String, start: Int, words: Set<String>)] = [
        ("pol", 0, ["policy"]), ("policy -addR", 7, ["-addRejectFlag"]),
        ("policy -addRejectFlag frid", 22, ["frida"]), ("policy -set default,str", 12, ["default,strict"]),
        ("nothing -", 8, []),
    ]

    @Test("The words that may follow are offered", arguments: completions)
    func complete(row: (line: String, start: Int, words: Set<String>)) throws {
        let answer = try Self.bench().members("complete", #"{"line":"\#(row.line)"}"#)
        #expect(answer["start"] as? Int == row.start)
        let words = try #require(answer["words"] as? [[String: Any]]).compactMap { $0["word"] as? String }
        #expect(Set(words) == row.words)
    }
}
