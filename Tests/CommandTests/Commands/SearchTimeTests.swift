import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// R7.2: patterns that take long, in commands that evaluate the same records again and again. The unit is the time of a replay,
/// which searches each value once: so it matters little how fast or busy a machine is.
@Suite("R7.2 the searches of a command", .serialized) struct SearchTimeTests {
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
        "values.jsonl": capture(24), "flags.jsonl": flagged(16), "many.jsonl": capture(1500),
        "a.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: x, regex: '\(pattern)', reject: true}]\n",
        "flags.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: flags-all, regex: '\(pattern)', reject: true}]\n",
    ]

    private static func time(_ arguments: [String], in folder: TemporaryFolder) -> (run: ToolRun, time: Duration) {
        let start = ContinuousClock.now
        let run = ToolRun(arguments + ["--no-progress"], in: folder)
        return (run, ContinuousClock.now - start)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let account: String
        /// The greatest time that it may take, in replays.
        let replays: Int
        var testDescription: String { arguments[0] }

        init(_ arguments: String..., account: String = "a.yaml", replays: Int) {
            (self.arguments, self.account, self.replays) = (arguments, account, replays)
        }
    }

    static let rows = [
        // The search of everybody's values, and that of the device.
        Row("explain", "@values.jsonl", "--device=\(Sample.bob)", replays: 6),
        Row("minimise", "@values.jsonl", "--change=filter -remove f", replays: 8),
        Row("record", "@values.jsonl", "--output=@out.yaml", replays: 6),
        Row("search", "@values.jsonl", "--reject=x~^a", "--timeout=5m", replays: 8),
        Row("whatif", "@flags.jsonl", account: "flags.yaml", replays: 12),
    ]

    @Test("a command searches each value once, or twice", arguments: rows) func valuesAreSearchedOnce(_ row: Row) throws
    {
        let folder = try TemporaryFolder(Self.files)
        let replay = Self.time(["replay", row.arguments[1], "--account=@\(row.account)"], in: folder)
        #expect(replay.run.error.contains("match limit"))
        let command = Self.time(row.arguments + ["--account=@\(row.account)"], in: folder)
        #expect(command.run.status != .usage, "\(command.run.error)")
        #expect(command.time < replay.time * row.replays + .seconds(2))
    }

    // To read alone would take many times as long.
    @Test func aTimeLimitIsALimit() throws {
        let folder = try TemporaryFolder(Self.files)
        let few = Self.time(["replay", "@values.jsonl", "--account=@a.yaml"], in: folder)
        let (run, time) = Self.time(
            ["search", "@many.jsonl", "--account=@a.yaml", "--reject=flag:rooted", "--timeout=1s"], in: folder)
        #expect(run.status == .notDecided)
        #expect(run.error == "scenario: error: not decided in 1 s\n")
        // All of it is 62 times as much.
        #expect(time < .seconds(1) + few.time * 15)
    }

    // No match is not known to be none.
    @Test func aPatternOfAnExpressionThatIsGivenUpIsNoAnswer() throws {
        let run = ToolRun(
            [
                "search", "@values.jsonl", "--account=@a.yaml", "--keep=x~\(Self.pattern)", "--timeout=5m",
                "--no-progress",
            ],
            in: try TemporaryFolder(Self.files))
        #expect(run.status == .notDecided)
        #expect(run.error.hasSuffix("scenario: error: not decided: a regex of an expression hit its match limit\n"))
    }
}
