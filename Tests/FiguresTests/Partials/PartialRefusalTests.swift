import Documents
import Testing

@testable import Figures
@testable import TestSupport

/// Files that are no parts of one whole are refused, with what is wrong in words.
@Suite struct PartialRefusalTests {
    private static func result(
        _ shard: String, version: String = "1", account: String = "a", policy: String? = "x", isComparison: Bool = false
    ) throws -> PartialResult {
        let settings = policy.map { [PartialResult.Setting(name: "--policy", value: $0)] } ?? []
        let origin = PartialResult.Origin(
            version: version, shard: try #require(DeviceShard(shard)), account: account, settings: settings)
        let figures = Figures { ($0.attestations, $0.metrics, $0.windows) = (1, ["pass": 1], [.daily: []]) }
        let replay = ReplayPart(DoubtedFigures(figures), malformed: 0, fetches: nil)
        return PartialResult(origin: origin, content: isComparison ? .comparison(ComparisonPart()) : .replay(replay))
    }

    private static func messages(_ results: [PartialResult]) -> [String] {
        var diagnostics = Diagnostics()
        let parts = results.enumerated().map { PartialMerge.Part(path: "p\($0 + 1)", result: $1) }
        let whole = PartialMerge.merge(parts, diagnostics: &diagnostics)
        #expect((whole == nil) == diagnostics.hasErrors)
        return diagnostics.all.map { "\($0.file): \($0.message)" }
    }

    @Test("parts that do not belong together") func differences() throws {
        let first = try Self.result("1/2")
        #expect(Self.messages([first, try Self.result("2/2")]) == [])
        let others = [
            try Self.result("2/2", version: "2"), try Self.result("2/2", isComparison: true), try Self.result("2/3"),
            try Self.result("2/2", account: "b"), try Self.result("2/2", policy: "y"),
            try Self.result("2/2", policy: nil),
        ]
        #expect(
            Self.messages([first] + others) == [
                "p2: the version is `2` here and `1` in `p1`", "p3: the command is `diff` here and `replay` in `p1`",
                "p4: this is one of 3 parts, and `p1` one of 2", "p5: the account is `b` here and `a` in `p1`",
                "p6: --policy is `y` here and `x` in `p1`", "p7: --policy is given in `p1` and not here",
            ])
    }

    @Test("a part that is there twice, and parts that are missing") func doubledAndMissing() throws {
        #expect(
            Self.messages([try Self.result("2/4"), try Self.result("2/4")]) == [
                "p2: this is the part 2/4, and so is `p1`", "p1: parts are missing: 1/4, 3/4, 4/4",
            ])
    }

    @Test("the whole has the figures of all parts, as many as there must be") func whole() throws {
        for isComparison in [false, true] {
            var diagnostics = Diagnostics()
            let parts = try (1...2).reversed().map { number in
                PartialMerge.Part(path: "p", result: try Self.result("\(number)/2", isComparison: isComparison))
            }
            let whole = try #require(PartialMerge.merge(parts, count: 2, diagnostics: &diagnostics))
            #expect(whole.origin.shard.number == 1)
            if case .replay(let part) = whole.content { #expect(part.figures.attestations == 2) }
            #expect(PartialMerge.merge(parts, count: 3, diagnostics: &diagnostics) == nil)
            #expect(diagnostics.all.map(\.message) == ["this is one of 2 parts, and there must be 3"])
        }
    }

    @Test("a hint names the first parts") func hint() throws {
        for (count, hint) in [
            (3, "`p1` is 1/5, `p2` is 2/5, `p3` is 3/5"), (4, "`p1` is 1/5, `p2` is 2/5, `p3` is 3/5, …"),
        ] {
            var diagnostics = Diagnostics()
            let parts = try (1...count).map { PartialMerge.Part(path: "p\($0)", result: try Self.result("\($0)/5")) }
            #expect(PartialMerge.merge(parts, diagnostics: &diagnostics) == nil)
            #expect(diagnostics.all.map(\.hint) == [hint])
        }
    }

    @Test("a file that was cut or changed is refused, wherever") func cut() throws {
        let bytes = try Self.result("1/1").bytes
        #expect(throws: Never.self) { try PartialResult(bytes) }
        for count in Array(stride(from: 0, to: bytes.count, by: 13)) + [bytes.count - 1] {
            #expect(throws: PartialFailure.self) { try PartialResult(Array(bytes[..<count])) }
        }
        for offset in stride(from: 0, to: bytes.count, by: 17) {
            var changed = bytes
            changed[offset] ^= 1
            #expect(throws: PartialFailure.self) { try PartialResult(changed) }
        }
    }

    @Test("a file that somebody made is refused where it makes no sense, and never ends the process")
    func madeUp() throws {
        let sound = String(
            decoding: try Self.result("1/1").bytes.split(separator: UInt8(ascii: "\n"))[0], as: UTF8.self)
        let changes = [
            (#""scenario-partial":2"#, #""scenario-partial":1"#),
            (#""scenario-partial":2"#, #""scenario-partial":3"#), (#""shard":1"#, #""shard":9"#),
            (#""attestations":1"#, #""attestations":9223372036854775807"#), (#""metrics":["#, #""metrics":[["x",1],"#),
            (#""metrics":["#, #""metrics":[["pass",1],["pass",1],"#), (#""devices""#, #""device""#),
            (#""windows":["#, #""windows":[["weekly",[]],"#),
        ]
        for (text, other) in changes {
            #expect(sound.contains(text))
            let line = Array(sound.replacing(text, with: other).utf8)
            let bytes = line + Array("\nsha256:\(FileDigest(of: line).text)\n".utf8)
            #expect(throws: PartialFailure.self, "\(other)") { try PartialResult(bytes) }
        }
    }
}
