import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// A replay that is narrowed is the replay of a capture that a plain loop over its records made smaller.
@Suite struct NarrowedReplayTests {
    private typealias Condition = (text: String, selects: @Sendable (CapturedRecord) -> Bool)

    private static let conditions: [Condition] = [
        ("flag:rooted", { $0.flags.contains("rooted") }),
        ("flag:aa-unknown", { $0.flags.contains("aa-unknown") }),
        ("not flag:xposed", { !$0.flags.contains("xposed") }),
        ("ip=1.2.3.4", { $0.attributes["ip"] == "1.2.3.4" }),
        ("ip~^1[01][.]", { $0.attributes["ip"].map { $0.hasPrefix("10.") || $0.hasPrefix("11.") } ?? false }),
        ("os=iOS", { $0.system == "ios" }),
        (
            "appid=com.a and app-version=1.0",
            { $0.attributes["appid"] == "com.a" && $0.attributes["app-version"] == "1.0" }
        ),
        ("verdict:fail or user-property=Gold", { $0.verdict == false || $0.attributes["user-property"] == "Gold" }),
        ("did:\(RandomCapture.devices[1])", { $0.device == RandomCapture.devices[1] }),
    ]

    // Flags that every capture has, so that none of them is a mistake in an expression.
    private static let flags = ["aa-unknown", "bb-unknown", "zz-unknown"]

    private struct Question {
        let from: Instant?
        let to: Instant?
        let conditions: [Condition]

        init(_ records: [CapturedRecord], _ chance: inout Chance) {
            let times = records.map(\.seconds)
            func instant() -> Instant { Instant(secondsSinceEpoch: chance.pick(times)) }
            let ends = [instant(), instant()].sorted()
            from = chance.happens(50) ? ends[0] : nil
            to = chance.happens(50) && ends[0] < ends[1] ? ends[1] : nil
            conditions = (0..<chance.below(3)).map { _ in chance.pick(NarrowedReplayTests.conditions) }
        }

        func narrowing() throws -> CaptureNarrowing {
            CaptureNarrowing(
                from: from, to: to, expressions: try conditions.map { try RecordExpression($0.text) { _ in [] } },
                option: "--only")
        }

        func left(of records: [CapturedRecord]) -> [CapturedRecord] {
            var span: [CapturedRecord] = []
            for record in records {
                if let from, record.seconds < from.secondsSinceEpoch { continue }
                if let to, record.seconds >= to.secondsSinceEpoch { continue }
                span.append(record)
            }
            var left: [CapturedRecord] = []
            for record in span {
                let own = span.filter { $0.device == record.device }
                if conditions.allSatisfy({ condition in own.contains(where: condition.selects) }) {
                    left.append(record)
                }
            }
            return left
        }
    }

    private static func records(seed: UInt64) -> [CapturedRecord] {
        var capture = RandomCapture(seed: seed, flags: flags)
        return capture.records(70)
    }

    private static func account(seed: UInt64) throws -> Account {
        var random = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        return try AccountText.account(random.text())
    }

    private static func bytes(_ records: [CapturedRecord]) -> [UInt8] { records.flatMap { Array($0.line.utf8) } }

    @Test("as JSON Lines and as columns, whoever works at it", arguments: Exhaustive.seeds(1...240, each: 6))
    func replays(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let (records, account) = (Self.records(seed: seed), try Self.account(seed: seed))
        let question = Question(records, &chance)
        let isShuffled = seed % 3 == 0
        let order = isShuffled ? chance.shuffled(records) : records
        let left = question.left(of: order)
        let narrowing = try question.narrowing()
        let lines = Self.bytes(order)
        var forms = [lines]
        if !isShuffled { forms.append(try #require(try PackedFile([lines])).bytes) }
        // A capture without records is refused, and one of which nothing is left has no figures but zeros.
        let expected =
            left.isEmpty ? nil : try ReplayBench.replay([Self.bytes(left)], account: account) { $0.sorts = isShuffled }
        for bytes in forms {
            for (jobs, blockBytes) in [(1, 1 << 18), (2, 700), (5, 300)] {
                var isRefused = false
                let replayed = try ReplayBench.replay([bytes], account: account) { request in
                    (request.jobs, request.blockBytes, request.sorts) = (jobs, blockBytes, isShuffled)
                    let (choice, diagnostics) = narrowing.choice(for: request, labels: nil)
                    isRefused = diagnostics.hasErrors
                    if let choice { request.choice = choice }
                }
                if isRefused { continue }
                expect(replayed.summary.figures?.attestations, equals: left.count)
                guard let expected else { continue }
                expect(replayed.summary.figures?.line, equals: expected.summary.figures?.line, "\(jobs) workers")
                expect(replayed.decisions, equals: expected.decisions, "\(jobs) workers")
            }
        }
    }

    @Test("in parts of the devices", arguments: Exhaustive.seeds(1...120, each: 6)) func parts(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let (records, account) = (Self.records(seed: seed), try Self.account(seed: seed))
        let question = Question(records, &chance)
        let left = question.left(of: records)
        let folder = try TemporaryFolder()
        guard !left.isEmpty else { return }
        let smaller = ReplayRequest(captures: [try folder.write(Self.bytes(left), to: "left")], account: account)
        let whole = ReplayRequest(captures: [try folder.write(Self.bytes(records), to: "all")], account: account)
        let narrowing = try question.narrowing()
        var parts: [PartialMerge.Part] = []
        for number in 1...3 {
            var request = whole
            request.deviceShard = DeviceShard(number: number, of: 3)
            guard let choice = narrowing.choice(for: request, labels: nil).choice else { return }
            request.choice = choice
            parts.append(try PartialMergeTests.part(number, of: 3, .replay(try #require(request.runPart().part))))
        }
        expect(try PartialMergeTests.replay(parts).figures.line, equals: smaller.run().figures?.line)
    }

    @Test("of comparisons, and with fetches of the devices that stay", arguments: Exhaustive.seeds(1...120, each: 6))
    func comparisons(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let records = Self.records(seed: seed)
        let (before, after) = (try Self.account(seed: seed), try Self.account(seed: seed + 1))
        let question = Question(records, &chance)
        let left = question.left(of: records)
        guard !left.isEmpty else { return }
        let staying = Set(left.map(\.device))
        func fetches(_ devices: some Sequence<String>) -> String { devices.map { "\($0)\n" }.joined() }
        let narrowing = try question.narrowing()
        let expected = try ComparisonBench.compare(
            left.map(\.line).joined(), accounts: (before, after),
            fetches: fetches(RandomCapture.devices.filter(staying.contains)))
        var isRefused = false
        let compared = try ComparisonBench.compare(
            records.map(\.line).joined(), accounts: (before, after), fetches: fetches(RandomCapture.devices)
        ) { request in
            let (choice, diagnostics) = narrowing.choice(for: request, labels: nil)
            isRefused = diagnostics.hasErrors
            // Without devices that stay, all fetches would count.
            request.choice = choice ?? RecordChoice()
            if request.choice.devices == nil { request.choice.devices = Set(staying.compactMap { DeviceID($0) }) }
        }
        guard !isRefused else { return }
        expect(compared.comparison?.lines, equals: expected.comparison?.lines)
    }
}
