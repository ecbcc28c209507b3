import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// A replay has the same result, byte for byte, however many work at it and wherever blocks end.
@Suite struct WorkersAndBlocksTests {
    struct Row: LabelledRow {
        let name: String
        let capture: String
        let edit: @Sendable (inout ReplayRequest) -> Void

        init(_ name: String, _ capture: String, _ edit: @escaping @Sendable (inout ReplayRequest) -> Void = { _ in }) {
            (self.name, self.capture, self.edit) = (name, capture, edit)
        }
    }

    private static let flags = ["rooted", "aa-unknown", "bb-unknown", "zz-unknown"]

    // As JSON Lines, with lines between that are blank or make no sense.
    private static func lines(seed: UInt64, _ count: Int, isSpoilt: Bool = false) -> String {
        var capture = RandomCapture(seed: seed, flags: flags)
        return capture.records(count).enumerated().map { number, record in
            let isBad = isSpoilt && number % 7 == 3
            return (number % 5 == 2 ? "\n" : "") + (isBad ? "{\"time\":\"\(number)\"}\n" : "") + record.line
        }.joined()
    }

    private static let info = """
        getting new devices
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        public-flags: jailbroken,aa-unknown
        ip: 10.1.2.3
        probe-result:
          probe result for https://a.b:443:
           xyz=: CN=x

        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 12:10:44 BST ---
        flags-all: bb-unknown,jailbroken
        appid: com.example.bank
        app-version: 1.0
        captured: 2020-07-23 12:10:45 BST
        device-id: h4gubfCFzJu81j/U2BJsdg==
        device: iOS, 12.1.2, iPhone7,2, Ünï
        rejection-flags:
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:46 BST ---
        public-flags: frida

        """

    static let rows = [
        Row("JSON Lines", lines(seed: 1, 60)),
        Row("malformed records that are skipped", lines(seed: 2, 60, isSpoilt: true)) { $0.skipsMalformed = true },
        Row("malformed records that are refused", lines(seed: 2, 60, isSpoilt: true)),
        Row("device information", info),
        Row(
            "out of order, to be sorted",
            lines(seed: 3, 40).split(separator: "\n").reversed().map { $0 + "\n" }.joined()
        ) { $0.sorts = true },
        Row("out of order", lines(seed: 3, 40).split(separator: "\n").reversed().map { $0 + "\n" }.joined()),
        Row("cut", String(info.dropLast(4))),
    ]

    @Test(arguments: rows) func comeToTheSame(_ row: Row) throws {
        var random = RandomAccount(seed: 5, flags: [.init(name: "extra-one", isRisk: true)])
        let account = try AccountText.account(random.text())
        let alone = try ReplayBench.replay([Array(row.capture.utf8)], account: account) { row.edit(&$0) }
        for jobs in [1, 2, 3, 8] {
            for blockBytes in [1, 90, 300, 1000] {
                let replayed = try ReplayBench.replay([Array(row.capture.utf8)], account: account) { request in
                    row.edit(&request)
                    request.jobs = jobs
                    request.blockBytes = blockBytes
                }
                let what = "\(jobs) workers, blocks of \(blockBytes)"
                expect(replayed.messages, equals: alone.messages, "\(what)")
                expect(replayed.decisions, equals: alone.decisions, "\(what)")
                expect(replayed.kept, equals: alone.kept, "\(what)")
                expect(replayed.summary.lines, equals: alone.summary.lines, "\(what)")
            }
        }
    }

    @Test(arguments: [1, 2, 5]) func severalCapturesAndFetches(jobs: Int) throws {
        let account = try AccountText.account("policy: default,default,all\n")
        let all = Self.lines(seed: 4, 60).split(separator: "\n").map { Array(($0 + "\n").utf8) }
        let captures = [all[..<20].flatMap(\.self), all[20..<25].flatMap(\.self), all[25...].flatMap(\.self)]
        let fetches = (0..<9).map { _ in "w4mmGFZkpz5oPz6w6gl1Cw==\n" }.joined()
        let alone = try ReplayBench.replay(captures, account: account, fetches: fetches)
        let replayed = try ReplayBench.replay(captures, account: account, fetches: fetches) { request in
            request.jobs = jobs
            request.blockBytes = 200
        }
        #expect(!alone.isRefused)
        expect(replayed.decisions, equals: alone.decisions)
        expect(replayed.messages, equals: alone.messages)
        expect(replayed.summary.lines, equals: alone.summary.lines)
    }

    @Test("a comparison, too", arguments: [2, 3, 7]) func comparisonsComeToTheSame(jobs: Int) throws {
        var before = RandomAccount(
            seed: 11, flags: [.init(name: "extra-one", isRisk: true), .init(name: "extra-two", isRisk: false)])
        var after = RandomAccount(
            seed: 12, flags: [.init(name: "extra-two", isRisk: false), .init(name: "extra-one", isRisk: true)])
        let accounts = (try AccountText.account(before.text()), try AccountText.account(after.text()))
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.lines(seed: 6, 200).utf8, to: "1")
        func compare(jobs: Int, blockBytes: Int) throws -> String {
            var request = ReplayRequest(captures: [path], account: accounts.0)
            (request.jobs, request.blockBytes) = (jobs, blockBytes)
            let outcome = CaptureComparison(ComparisonRequest(replay: request, after: accounts.1)).run()
            return try #require(outcome.comparison).lines
        }
        let alone = try compare(jobs: 1, blockBytes: 1 << 20)
        try expect(compare(jobs: jobs, blockBytes: 400), equals: alone)
        try expect(compare(jobs: jobs, blockBytes: 5000), equals: alone)
    }
}
