import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The verdicts on labelled devices are those of a plain count of the decisions, record by record.
@Suite struct LabelsAgreeTests {
    /// A capture, labels, and an account with others beside it.
    struct Problem {
        let records: [CapturedRecord]
        let labels: ReferenceLabels
        let accounts: [String]
        let folder: TemporaryFolder

        init(seed: UInt64) throws {
            let declared = [RandomAccount.Declared(name: "extra-one", isRisk: true)]
            var capture = RandomCapture(seed: seed << 16, flags: ["extra-one", "zz-unknown"])
            records = capture.records(40)
            labels = ReferenceLabels(seed: seed << 24, records)
            accounts = [seed, ~seed].map { seed in
                var account = RandomAccount(seed: seed, flags: declared)
                return account.text()
            }
            folder = try TemporaryFolder()
        }

        var capture: String { records.map(\.line).joined() }
        var isDoubtful: Bool { !records.contains { $0.flags.contains("new-did") } }

        func read(_ diagnostics: inout Diagnostics) throws -> Labels? {
            let path = try folder.write(labels.text.utf8, to: "labels")
            return Labels.read(path: path, isSecret: false, diagnostics: &diagnostics)
        }

        func request(_ labels: Labels, jobs: Int) throws -> ReplayRequest {
            let account = try AccountText.account(accounts[0])
            var request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "capture")], account: account)
            (request.labels, request.jobs) = (labels, jobs)
            if jobs > 1 { request.blockBytes = 512 }
            return request
        }

        /// For each record, true if an account passes it; then the same without what depends on new devices.
        func verdicts(_ text: String) throws -> ([Bool], [Bool]) {
            (
                try decisions(try AccountText.account(text)).map(\.passed),
                try decisions(try AccountText.account(RandomAccount.withoutNewDevices(text))).map(\.passed)
            )
        }

        func decisions(_ account: Account) throws -> [DecisionLine] {
            try DecisionLine.read(try #require(try ReplayBench.replay(capture, account: account).decisions))
        }

        func lane(_ number: Int, before: ([Bool], [Bool]), after: ([Bool], [Bool])) -> LabelLane {
            labels.lane(number, records, before: before, after: after, isDoubtful: isDoubtful)
        }

        /// The devices that pass by another policy than that of the account.
        func exempted() throws -> LabelFigures.Exempted {
            let account = try AccountText.account(accounts[0])
            let lines = try decisions(account).filter { $0.passed && $0.policy != account.policy.description }
            var counts = LabelFigures.Exempted()
            for device in Set(lines.map(\.device)) {
                counts[labels.labels(of: device, records).first.flatMap { DeviceLabel(rawValue: $0) } ?? .unknown] += 1
            }
            return counts
        }
    }

    private static let seeds = Exhaustive.seeds(1...200, each: 8)

    /// Any number of workers and shards gives the plain count, and a file that contradicts itself is refused.
    @Test(arguments: seeds) func replaysAgree(seed: UInt64) throws {
        let problem = try Problem(seed: seed)
        var diagnostics = Diagnostics()
        let labels = try problem.read(&diagnostics)
        #expect(diagnostics.hasErrors == problem.labels.isRefused, "\(diagnostics.all)")
        guard let labels else { return }
        let contradicted = problem.labels.contradicted(problem.records)
        let verdicts = try problem.verdicts(problem.accounts[0])
        for jobs in [1, 2, 7] {
            let summary = try problem.request(labels, jobs: jobs).run()
            let figures = try #require(summary.figures?.labels)
            #expect(figures.unmatched.map(\.line) == problem.labels.unmatched(problem.records))
            #expect(summary.diagnostics.hasErrors == !contradicted.isEmpty)
            #expect(figures.contradictions.reduce(0) { $0 + $1.devices } == contradicted.count)
            guard contradicted.isEmpty else { continue }
            #expect(figures.lanes == [problem.lane(0, before: verdicts, after: verdicts)])
            #expect(figures.exempted == (try problem.exempted()))
        }
        guard contradicted.isEmpty else { return }
        for count in [1, 3, 64] {
            let merged = try Self.merged(try problem.request(labels, jobs: 2), count)
            #expect(merged == (try problem.request(labels, jobs: 1)).run().figures?.labels, "\(count) shards")
        }
    }

    private static func merged(_ request: ReplayRequest, _ count: Int) throws -> LabelFigures? {
        let parts = try (1...count).map { number in
            var request = request
            request.deviceShard = DeviceShard(number: number, of: count)
            return PartialMerge.Part(
                path: "\(number)",
                result: try PartialResult(
                    PartialResult(
                        origin: .init(
                            version: "1", shard: try #require(request.deviceShard), account: "a", settings: []),
                        content: .replay(try #require(request.runPart().part))
                    ).bytes))
        }
        var diagnostics = Diagnostics()
        guard case .replay(let part) = PartialMerge.merge(parts, diagnostics: &diagnostics)?.content else { return nil }
        return part.figures.labels
    }

    /// So does a comparison, before and after, and the same accounts as edits.
    @Test(arguments: seeds) func comparisonsAndEditsAgree(seed: UInt64) throws {
        let problem = try Problem(seed: seed)
        var diagnostics = Diagnostics()
        guard let labels = try problem.read(&diagnostics), problem.labels.contradicted(problem.records).isEmpty else {
            return
        }
        let sides = try problem.accounts.map { try problem.verdicts($0) }
        let expected = [
            problem.lane(0, before: sides[0], after: sides[0]), problem.lane(1, before: sides[0], after: sides[1]),
        ]
        for jobs in [1, 3] {
            let request = try problem.request(labels, jobs: jobs)
            let comparison = CaptureComparison(
                ComparisonRequest(replay: request, after: try AccountText.account(problem.accounts[1]))
            ).run().comparison
            #expect(comparison?.changes.labels?.lanes == expected, "\(jobs) jobs")
        }
    }

    /// The random cases reach what is hard.
    @Test func reachesWhatIsHard() throws {
        var found: Set<String> = []
        for seed in UInt64(1)...200 {
            let problem = try Problem(seed: seed)
            if problem.labels.isRefused { found.insert("refused") }
            if !problem.labels.contradicted(problem.records).isEmpty { found.insert("contradicted") }
            if !problem.labels.unmatched(problem.records).isEmpty { found.insert("unmatched") }
            if problem.isDoubtful { found.insert("doubtful") }
            if problem.labels.rows.contains(where: { $0.until != nil && !$0.label.isEmpty }) { found.insert("expired") }
        }
        #expect(found == ["refused", "contradicted", "unmatched", "doubtful", "expired"])
    }
}
