import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `search`: the fewest edits. The answers are worked out by hand: Bob is rooted and attests twice, Amy once.
@Suite struct SearchCommandTests {
    @Test func aListOfDevicesIsReadFromItsFile() throws {
        let folder = try TemporaryFolder(Sample.files.merging(["list.txt": "\(Sample.bob)\n"]) { $1 })
        let run = ToolRun(
            "search @day.jsonl --account=@account.yaml --timeout=5m --reject='did:@\(folder.path)/list.txt' "
                + "--max-newly-rejected=0 --format=json --max-edits=1", in: folder
        ).ending(.success)
        #expect(run.output.hasPrefix(#"{"version":1,"maximum-edits":1,"rejecting":2,"keeping":0,"answers":[{"#))
    }

    // The only filter left would match what has to be kept, too.
    @Test func aFilterThatIsLeftOutIsSaid() throws {
        let rejected = (10_000..<20_000).map { Self.record("1\($0)", Sample.bob) }
        let run = try ToolRun(
            "search @many.jsonl --account=new --narrowest-filter=ip --reject=did:\(Sample.bob) "
                + "--keep=did:\(Sample.amy) --timeout=5m",
            files: ["many.jsonl": rejected.joined() + Self.record("11", Sample.amy)]
        ).ending(.notDecided)
        expect(
            run.error,
            equals: """
                scenario: warning: a filter is left out: regular expression is too large
                scenario: error: not decided: a filter that was left out might be an answer

                """)
        #expect(run.output.isEmpty)
    }

    private static func record(_ address: String, _ device: String) -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","public-flags":"","ip":"\#(address)"}"# + "\n"
    }
}

/// R7.2: patterns that take long, in commands that evaluate the same records again and again. The unit is the cost of the searches
/// of a replay, which searches each value once. Each test that counts is a process of its own, whose searches are those of its
/// commands.
@Suite("R7.2 the searches of a command") struct SearchCostTests {
    private static let pattern = "(a|aa)+$"

    // Values of one device that take long to search, each another one.
    private static func capture(_ count: Int) -> String {
        (0..<count).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","x":""#
                + String(repeating: "a", count: 30) + #"\#(number)!"}"# + "\n"
        }.joined()
    }

    // Lists of flags that take long to search, each another one.
    private static func flagged(_ count: Int) -> String {
        (0..<count).map { number in
            let names = ["rooted", "frida", "xposed", "magisk", "debug"].enumerated().filter {
                number >> $0.offset & 1 == 1
            }
            let flags = (names.map(\.element) + [String(repeating: "a", count: 40) + "!"]).joined(separator: ",")
            let device = TestSupport.Sample.device(number)
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
        }.joined()
    }

    private static let files = [
        "values.jsonl": capture(24), "flags.jsonl": flagged(16), "many.jsonl": capture(1000),
        "a.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: x, regex: '\(pattern)', reject: true}]\n",
        "flags.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: flags-all, regex: '\(pattern)', reject: true}]\n",
    ]

    private static func cost(_ arguments: [String], in folder: TemporaryFolder) -> (run: ToolRun, cost: Int) {
        let before = PatternMatcher.costOfProcess
        let run = ToolRun(arguments + ["--no-progress"], in: folder)
        return (run, PatternMatcher.costOfProcess - before)
    }

    /// Command lines, and how often each may search every value.
    static let rows: [Case<[String], Int>] = [
        // The search of everybody's values, and that of the device.
        Case("explain", ["@values.jsonl", "--account=@a.yaml", "--device=\(Sample.bob)"], gives: 2),
        Case("minimise", ["@values.jsonl", "--account=@a.yaml", "--change=filter -remove f"], gives: 1),
        // The scenario has its account from a file, with a pattern of its own.
        Case("record", ["@values.jsonl", "--account=@a.yaml", "--output=@out.yaml"], gives: 2),
        Case("search", ["@values.jsonl", "--account=@a.yaml", "--reject=x~^a", "--timeout=5m"], gives: 2),
        Case("whatif", ["@flags.jsonl", "--account=@flags.yaml"], gives: 3),
    ]

    @Test("a command searches each value at most three times") func valuesAreSearchedOnce() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(SearchCostTests.files)
            for row in SearchCostTests.rows {
                let (replay, once) = SearchCostTests.cost(["replay"] + row.input.prefix(2), in: folder)
                #expect(replay.error.contains("match limit") && once > 0, "\(row)")
                let (run, cost) = SearchCostTests.cost([row.label] + row.input, in: folder)
                #expect(run.status != .usage, "\(run.error)")
                #expect(cost <= once * row.expected, "\(row): \(cost) of \(once)")
            }
        }
    }

    // To read alone would cost a search of each of 1000 values.
    @Test func aTimeLimitIsALimit() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(SearchCostTests.files)
            let (_, few) = SearchCostTests.cost(["replay", "@values.jsonl", "--account=@a.yaml"], in: folder)
            let (run, cost) = SearchCostTests.cost(
                ["search", "@many.jsonl", "--account=@a.yaml", "--reject=flag:rooted", "--timeout=1s"], in: folder)
            expect(run.status, equals: .notDecided)
            expect(run.error, equals: "scenario: error: not decided in 1 s\n")
            #expect(cost < few / 24 * 1000)
        }
    }
}
