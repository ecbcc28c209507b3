import Documents
import Figures
import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// Rollouts on captures: the engine under the accounts of the steps, beside a plain evaluation.
@Suite struct CaptureRolloutTests {
    private static let account = """
        account: shop
        rules: [trial]
        policy: default,allow-root,default
        filters:
          - {name: bad, key: ip, match: 1.2.3.4, reject: true}
          - {name: banned, key: user-property, match: gold, ban: true}
        devices:
          - {id: \(RandomCapture.devices[0]), policy: 'default,strict,default'}

        """

    private static func evaluate(
        _ folder: TemporaryFolder, _ before: Account, to policy: String, _ stages: [RolloutStage], runs: RolloutRuns,
        jobs: Int = 1, labels: Labels? = nil
    ) throws -> (rollout: Rollout, after: Account) {
        var after = before
        after.policy = try before.securityPolicy(policy)
        let plan = try RolloutPlan(from: before, to: after, in: stages)
        var request = ReplayRequest(captures: [folder.path("capture")], account: Account())
        request.jobs = jobs
        let outcome = CaptureRollout(plan, request, delay: 0, runs: runs, labels: labels).run()
        #expect(!outcome.diagnostics.hasErrors)
        return (try #require(outcome.rollout), after)
    }

    /// A random capture, and the account before with a filter whose search is given up for some of its devices.
    private struct Drawn {
        let folder: TemporaryFolder
        let account: Account
        let unevaluated: Set<String>

        init(seed: UInt64) throws {
            var captures = RandomCapture(seed: seed, flags: ["zz-unknown"])
            var records = captures.records(250)
            unevaluated = UnsearchedValue.add(to: &records, seed: seed)
            folder = try TemporaryFolder(["capture": records.map(\.line).joined()])
            account = try UnsearchedValue.filtered(try AccountText.account(CaptureRolloutTests.account))
        }

        func reference(_ after: Account, _ stages: [RolloutStage]) -> RolloutReference {
            RolloutReference(account, after, stages, capture: folder.path("capture"), without: unevaluated)
        }
    }

    /// Every figure and every run is that of the plain evaluation, for any number of jobs.
    @Test(arguments: 1...UInt64(Exhaustive.count(12, whole: 100))) func agreesWithAPlainEvaluation(_ seed: UInt64)
        throws
    {
        let drawn = try Drawn(seed: seed)
        let stages = try RolloutStage.list("20%:6h,50%:2d,100%")
        let policy = ["default,strict,default", "default,default,default", "default,whitelist,default"][Int(seed % 3)]
        let runs = RolloutRuns(count: 6, seed: seed)
        let (rollout, after) = try Self.evaluate(
            drawn.folder, drawn.account, to: policy, stages, runs: runs, jobs: seed % 2 == 0 ? 1 : 3)
        let reference = drawn.reference(after, stages)
        expect(rollout.unevaluated, equals: drawn.unevaluated.count)
        expect(rollout.steps.map(\.met), equals: reference.met.map(\.count))
        expect(rollout.steps.map(\.rejected), equals: reference.rejected.map(\.count))
        expect(Set(rollout.steps.flatMap(\.newlyRejected)), equals: reference.rejected.last)
        expect(rollout.steps.map(\.accepted), equals: reference.accepted.map(\.count))
        expect(rollout.steps.map(\.lost), equals: reference.lost)
        Self.expectNotices(of: rollout, reference, stages, runs)
    }

    /// The curve ends with the figures of the last step, never falls, and has beside it that of a rollout to all devices at once.
    @Test(arguments: 1...UInt64(8)) func curvesAgreeWithTheSteps(_ seed: UInt64) throws {
        let drawn = try Drawn(seed: seed)
        let policy = ["default,strict,default", "default,default,default"][Int(seed % 2)]
        func evaluated(_ steps: String) throws -> Rollout {
            try Self.evaluate(
                drawn.folder, drawn.account, to: policy, try RolloutStage.list(steps),
                runs: RolloutRuns(count: 1, seed: 1)
            ).rollout
        }
        let (stepped, atOnce) = (try evaluated("20%:6h,50%:2d,100%"), try evaluated("100%"))
        let (points, last) = (stepped.curve.points, try #require(stepped.steps.last))
        expect(points.last?.rejected, equals: last.rejected)
        expect(points.last?.met, equals: last.met)
        expect(points.map(\.atOnce), equals: atOnce.curve.points.map(\.rejected))
        #expect(points.count <= 61 && points.first?.time == stepped.start && points.last?.time == stepped.last)
        for (one, next) in zip(points, points.dropFirst()) {
            #expect(one.time < next.time && one.rejected <= next.rejected && one.met <= next.met)
        }
    }

    /// The figures of labelled devices are those of a plain count.
    @Test(arguments: 1...UInt64(Exhaustive.count(10, whole: 60))) func labelsAgreeWithAPlainCount(_ seed: UInt64) throws
    {
        let drawn = try Drawn(seed: seed)
        let stages = try RolloutStage.list("20%:6h,50%:2d,100%")
        let labelled: [DeviceLabel] = RandomCapture.devices.indices.map {
            [.bad, .good, .unknown][($0 + Int(seed)) % 3]
        }
        let rows = zip(RandomCapture.devices, labelled).enumerated().filter { $1.1 != .unknown }.map { line, pair in
            Labels.Row(
                attribute: Labels.deviceKey, value: "\(pair.0)", label: pair.1, from: nil, until: nil, line: line + 1)
        }
        let policy = seed % 2 == 0 ? "default,strict,default" : "default,whitelist,default"
        let (rollout, after) = try Self.evaluate(
            drawn.folder, drawn.account, to: policy, stages, runs: RolloutRuns(count: 1, seed: seed),
            labels: Labels(rows, path: "labels"))
        let reference = drawn.reference(after, stages)
        let labels = Dictionary(uniqueKeysWithValues: zip(RandomCapture.devices.map { "\($0)" }, labelled))
        for step in stages.indices {
            let found = try #require(rollout.steps[step].labels)
            for label in DeviceLabel.allCases {
                let isCounted = { (device: DeviceID) in labels["\(device)"] ?? .unknown == label }
                expect(found.rejected[label] ?? 0, equals: reference.rejected[step].count(where: isCounted))
                let counts = found.days[label]
                expect(
                    [counts.devices, counts.days, counts.rejectedDays, counts.rejectedDaysBefore],
                    equals: reference.days(upTo: step, of: isCounted))
            }
        }
    }

    // The notices are those of the plain evaluation.
    private static func expectNotices(
        of rollout: Rollout, _ reference: RolloutReference, _ stages: [RolloutStage], _ runs: RolloutRuns
    ) {
        let noticed = (0..<runs.count).map { reference.noticed(as: "shop|\(runs.seed)|\($0)") }
        for step in stages.indices where !stages[step].isComplete {
            let expected = noticed.map { times in times[step].map { $0 - rollout.start(of: step) } }
            expect(rollout.steps[step].notice, equals: RolloutNotice(expected))
        }
        #expect(rollout.steps.last?.notice == nil)
        let first = noticed.map { times in times.compactMap(\.self).min().map { $0 - rollout.start } }
        expect(rollout.notice, equals: RolloutNotice(first))
    }

    /// Each run that notices a difference does so at the failure at which the plain evaluation does.
    @Test func noticesAreThoseOfAPlainEvaluation() throws {
        let folder = try Self.folder((0..<600).map { $0 % 3 == 0 ? "frida" : "rooted" })
        let before = try AccountText.account(Self.plain)
        let stages = try RolloutStage.list("10%:3h,30%:5h,100%")
        let runs = RolloutRuns(count: 20, seed: 4)
        let (rollout, after) = try Self.evaluate(
            folder, before, to: "default,default,default", stages, runs: runs, jobs: 2)
        let reference = RolloutReference(before, after, stages, capture: folder.path("capture"))
        Self.expectNotices(of: rollout, reference, stages, runs)
        #expect(rollout.steps.prefix(2).allSatisfy { ($0.notice?.noticed ?? 0) > 0 })
    }

    /// The random rollouts reach what counts.
    @Test func theRandomRolloutsHaveEffects() throws {
        var found = [0, 0, 0]
        for seed in 1...UInt64(6) {
            let drawn = try Drawn(seed: seed)
            let policy = seed % 3 == 2 ? "default,whitelist,default" : "default,strict,default"
            let (rollout, _) = try Self.evaluate(
                drawn.folder, drawn.account, to: policy, try RolloutStage.list("20%:6h,50%:2d,100%"),
                runs: RolloutRuns(count: 1, seed: 1))
            found[0] += rollout.steps[1].rejected
            found[1] += rollout.steps[1].accepted
            found[2] += rollout.unevaluated
        }
        #expect(found.allSatisfy { $0 > 0 }, "\(found)")
    }

    // A record a minute, each of another device; the flags of a device by its number. The first record begins the
    // rollout, 30 s before the policy is in force.
    private static func folder(_ flags: [String]) throws -> TemporaryFolder {
        let start = Instant(secondsSinceEpoch: 1_777_593_600)
        let lines = ([""] + flags).enumerated().map { number, flags in
            #"{"time":"\#(start + number * 60)","device-id":"\#(DeviceID(first: UInt64(number), second: 5))","#
                + #""public-flags":"\#(flags)"}"# + "\n"
        }
        return try TemporaryFolder(["capture": lines.joined()])
    }

    private static let plain = "account: shop\nrules: [trial]\npolicy: default,allow-root,default\n"

    /// Without an effect on any verdict, fewer than 5 % of 1,000 rollouts are noticed, though each failure is looked at.
    @Test func falseAlarmsAreRare() throws {
        // Devices with Frida fail under both policies; half of those that attest.
        let folder = try Self.folder((0..<800).map { $0 % 2 == 0 ? "frida" : "" })
        let (rollout, _) = try Self.evaluate(
            folder, try AccountText.account(Self.plain), to: "default,default,default",
            try RolloutStage.list("5%:4h,20%:5h,100%"), runs: RolloutRuns(count: 1000, seed: 3))
        let notice = try #require(rollout.notice)
        expect(rollout.steps.map(\.rejected), equals: [0, 0, 0])
        expect(notice.runs, equals: 1000)
        #expect(notice.noticed > 0 && notice.noticed < 50, "\(notice.noticed)")
        #expect(notice.seconds == nil)
    }

    /// If only the change rejects, it is noticed with the third sampled device: (k + 1) 0.2^k is 0.12 for 2 and 0.032 for 3.
    /// Of 25 devices, 3 are sampled with a probability of 0.902, of 24 with 0.885. So in 90 % of the runs it is the 25th.
    @Test func theTimeIsTheOneWorkedOut() throws {
        let folder = try Self.folder(Array(repeating: "rooted", count: 100))
        let (rollout, _) = try Self.evaluate(
            folder, try AccountText.account(Self.plain), to: "default,default,default", try RolloutStage.list("20%"),
            runs: RolloutRuns(count: 3000, seed: 1))
        let seconds = try #require(rollout.notice?.seconds)
        #expect(abs(seconds - 25 * 60) <= 25 * 60 / 20, "\(seconds)")
    }

    /// The time to notice is that of a plain simulation with other draws, to 5 %.
    @Test(arguments: [(0.1, "10%"), (0.3, "30%")]) func theTimeIsThatOfASimulation(share: Double, step: String) throws {
        // Every third failing device fails anyway.
        let isRejected = (0..<600).map { $0 % 3 != 0 }
        let folder = try Self.folder(isRejected.map { $0 ? "rooted" : "frida" })
        let (rollout, _) = try Self.evaluate(
            folder, try AccountText.account(Self.plain), to: "default,default,default", try RolloutStage.list(step),
            runs: RolloutRuns(count: 2000, seed: 11))
        let seconds = try #require(rollout.notice?.seconds)
        let device = try #require(PlainWatch.noticedDevice(share: share, isRejected, runs: 8000, seed: 5))
        let expected = (device + 1) * 60
        #expect(abs(seconds - expected) * 20 <= expected, "\(seconds) \(expected)")
    }

    @Test("a filter for new devices without an action decides nothing, so that a rollout is possible")
    func idleFiltersForNewDevicesAreNoReason() throws {
        let filters = "filters: [{name: new, key: ip, match: 1.2.3.4, new-did-only: true}]\n"
        let account = try AccountText.account(Self.plain + filters)
        #expect(account.withoutNewDevices != nil && !account.decidesOnNewDevices)
        let (rollout, _) = try Self.evaluate(
            try Self.folder(["rooted"]), account, to: "default,default,default",
            try RolloutStage.list("10%:1h,100%"), runs: RolloutRuns(count: 1, seed: 1))
        #expect(rollout.devices > 0 && rollout.unevaluated == 0)
        let input = filters + "policy: default,default,default\n"
        let deciding = [
            "filters: [{name: new, key: ip, match: 1.2.3.4, new-did-only: true, risky: true}]\n",
            filters.replacing("}]", with: "}, {name: c, conjunction: [new], ban: true}]"),
            filters + "reject-flags: {add: [new-did]}\n",
        ]
        #expect(try !AccountText.account(input).decidesOnNewDevices)
        for text in deciding { #expect(try AccountText.account(text).decidesOnNewDevices, "\(text)") }
    }
}
