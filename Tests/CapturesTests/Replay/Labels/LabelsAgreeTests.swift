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

    private static let seeds = Exhaustive.seeds(1...200, each: 12)

    /// Any number of workers and shards gives the plain count, and a file that contradicts itself is refused.
    @Test(arguments: seeds) func replaysAgree(seed: UInt64) throws {
        let problem = try Problem(seed: seed)
        var diagnostics = Diagnostics()
        let labels = try problem.read(&diagnostics)
        expect(diagnostics.hasErrors, equals: problem.labels.isRefused, "\(diagnostics.all)")
        guard let labels else { return }
        let contradicted = problem.labels.contradicted(problem.records)
        let verdicts = try problem.verdicts(problem.accounts[0])
        for jobs in [1, 2, 7] {
            let summary = try problem.request(labels, jobs: jobs).run()
            let figures = try #require(summary.figures?.labels)
            expect(figures.unmatched.map(\.line), equals: problem.labels.unmatched(problem.records))
            expect(summary.diagnostics.hasErrors, equals: !contradicted.isEmpty)
            expect(figures.contradictions.reduce(0) { $0 + $1.devices }, equals: contradicted.count)
            guard contradicted.isEmpty else { continue }
            expect(figures.lanes, equals: [problem.lane(0, before: verdicts, after: verdicts)])
            expect(figures.exempted, equals: (try problem.exempted()))
        }
        guard contradicted.isEmpty else { return }
        // Many parts take long.
        for count in seed % 5 == 0 ? [1, 3, 64] : [1, 3] {
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
            expect(comparison?.changes.labels?.lanes, equals: expected, "\(jobs) jobs")
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
        expect(found, equals: ["refused", "contradicted", "unmatched", "doubtful", "expired"])
    }
}

/// Labels that are drawn for a random capture, and a plain count of what they say.
struct ReferenceLabels {
    struct Row {
        let attribute, value: String
        /// `bad`, `good` or empty.
        let label: String
        let from, until: Int?
        let line: Int

        func fits(_ record: CapturedRecord) -> Bool {
            let shown = attribute == "device-id" ? record.device : record.attributes[attribute]
            guard !label.isEmpty, shown == value else { return false }
            return (from ?? .min) <= record.seconds && record.seconds < (until ?? .max)
        }
    }

    let rows: [Row]
    private let isTable: Bool

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - records: The capture.
    init(seed: UInt64, _ records: [CapturedRecord]) {
        var chance = Chance(seed: seed)
        let isTable = chance.happens(50)
        self.isTable = isTable
        // Mostly one of the two, or nearly every file would contradict itself.
        let usual = chance.happens(50) ? "bad" : "good"
        let other = usual == "bad" ? "good" : "bad"
        let times = records.map(\.seconds)
        rows = (0..<1 + chance.below(9)).map { number in
            let attribute = chance.pick(["device-id", "device-id", "device-id", "ip", "user-property", "app-version"])
            let values: [String]
            switch attribute {
            case "device-id": values = RandomCapture.devices + ["////////////////////AA=="]
            case "ip": values = ["1.2.3.4", "10.0.0.7", "9.9.9.9"]
            case "user-property": values = ["gold", "Gold", "nobody, \"at\" all"]
            default: values = ["1.0", "3.0"]
            }
            let label = chance.happens(attribute == "device-id" ? 40 : 8) ? other : chance.happens(5) ? "" : usual
            let from = chance.happens(25) ? chance.pick(times) + chance.pick([0, 1, 100_000]) : nil
            let until = chance.happens(25) ? (from ?? chance.pick(times)) + chance.pick([1, 5000]) : nil
            return Row(
                attribute: attribute, value: chance.pick(values), label: label, from: from, until: until,
                line: number + (isTable ? 2 : 1))
        }
    }

    /// The rows as a file.
    var text: String {
        func time(_ seconds: Int?) -> String { seconds.map { Instant(secondsSinceEpoch: $0).description } ?? "" }
        guard isTable else {
            return rows.map { row in
                let value = row.value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
                let from = row.from.map { _ in #","from":"\#(time(row.from))""# } ?? ""
                return
                    #"{"\#(row.attribute)":"\#(value)","label":"\#(row.label)"\#(from),"until":"\#(time(row.until))"}"#
                    + "\n"
            }.joined()
        }
        let keys = ["device-id", "ip", "user-property", "app-version"]
        let lines = rows.map { row in
            let value = row.value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            let cells = keys.map { $0 == row.attribute ? "\"\(value)\"" : "" }
            return (cells + [row.label, time(row.from), time(row.until)]).joined(separator: ",")
        }
        return ([(keys + ["label", "from", "until"]).joined(separator: ",")] + lines).joined(separator: "\r\n")
    }

    /// True if two rows of one value contradict each other at some time, whatever the capture is; or no row has a label.
    var isRefused: Bool {
        let labelled = rows.filter { !$0.label.isEmpty }
        return labelled.isEmpty
            || labelled.contains { one in
                labelled.contains { other in
                    one.attribute == other.attribute && one.value == other.value && one.label != other.label
                        && (one.from ?? .min) < (other.until ?? .max) && (other.from ?? .min) < (one.until ?? .max)
                }
            }
    }

    /// The labels of a device.
    func labels(of device: String, _ records: [CapturedRecord]) -> Set<String> {
        Set(records.filter { $0.device == device }.flatMap { record in rows.filter { $0.fits(record) }.map(\.label) })
    }

    /// The lines of the labels that fit no record.
    func unmatched(_ records: [CapturedRecord]) -> [Int] {
        rows.filter { row in !row.label.isEmpty && !records.contains { row.fits($0) } }.map(\.line)
    }

    /// The devices that have both labels.
    func contradicted(_ records: [CapturedRecord]) -> Set<String> {
        Set(records.map(\.device)).filter { labels(of: $0, records).count == 2 }
    }

    /// The counts of one account.
    ///
    /// - Parameters:
    ///   - number: The number of its lane.
    ///   - records: The capture.
    ///   - before: For each record, true if the account as it is passes it; then without what depends on new devices.
    ///   - after: The same of the account.
    ///   - isDoubtful: True if no record says which devices are new.
    func lane(
        _ number: Int, _ records: [CapturedRecord], before: ([Bool], [Bool]), after: ([Bool], [Bool]),
        isDoubtful: Bool
    ) -> LabelLane {
        var lane = LabelLane { $0.number = number }
        for device in Set(records.map(\.device)) {
            let label = labels(of: device, records).first.flatMap { DeviceLabel(rawValue: $0) } ?? .unknown
            let own = records.indices.filter { records[$0].device == device }
            let isKnown =
                !isDoubtful || own.allSatisfy { before.0[$0] == before.1[$0] && after.0[$0] == after.1[$0] }
            guard isKnown else {
                lane[label].unevaluated += 1
                continue
            }
            let (old, new) = isDoubtful ? (before.1, after.1) : (before.0, after.0)
            let (rejectedBefore, rejected) = (own.contains { !old[$0] }, own.contains { !new[$0] })
            lane[label].devices += 1
            if rejected { lane[label].rejected += 1 }
            if rejected, !rejectedBefore { lane[label].newlyRejected += 1 }
            if !rejected, rejectedBefore { lane[label].noLongerRejected += 1 }
            let days = Dictionary(grouping: own) { records[$0].time.prefix(10) }
            for indices in days.values {
                lane[label].days += 1
                if indices.contains(where: { !new[$0] }) { lane[label].rejectedDays += 1 }
                if indices.contains(where: { !old[$0] }) { lane[label].rejectedDaysBefore += 1 }
            }
        }
        return lane
    }
}
