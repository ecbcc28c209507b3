import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Records read over an index of delimiters are the same, byte for byte, as those that the scanners read alone.
@Suite struct UsualRecordTests {
    private static let batches = 40
    private static let capturesInBatch: UInt64 = 50

    private static let rules = """
        policy: default,default,all
        filters:
          - {name: ten, key: ip, regex: '^10[.]', risky: true}
          - {name: one, key: ip, match: 1.2.3.4}
          - {name: phone, key: device, regex: 'iOS|Münch', reject: true}
          - {name: app, key: appid, match: com.b}
          - {name: gold, key: user-property, regex: '(?i)^gold$'}
          - {name: both, conjunction: [ten, app], reject: true}

        """

    private static func outcome(
        _ capture: [UInt8], _ account: Account, _ instructions: VectorInstructions?, jobs: Int = 1, blockBytes: Int,
        skips: Bool
    ) throws -> [String] {
        let replayed = try ReplayBench.replay([capture], account: account) { request in
            request.skipsMalformed = skips
            (request.instructions, request.jobs, request.blockBytes) = (instructions, jobs, blockBytes)
        }
        return replayed.messages + (replayed.decisions ?? []) + [
            String(decoding: replayed.kept ?? [], as: UTF8.self), replayed.summary.lines ?? "",
            replayed.summary.attributes.map(\.text).sorted().joined(separator: " "),
        ]
    }

    @Test("2,000 random captures, some of them in a quick run", arguments: 1...batches)
    func comeToTheSame(batch: Int) throws {
        var random = RandomAccount(seed: UInt64(batch), flags: [.init(name: "extra-one", isRisk: true)])
        let accounts = [try AccountText.account(Self.rules), try AccountText.account(random.text())]
        let first = UInt64(batch) * Self.capturesInBatch
        for seed in Exhaustive.seeds(first...first + Self.capturesInBatch - 1, each: 17) {
            var (capture, chance) = (DisorderlyCapture(seed: seed), Chance(seed: seed ^ 0xABCD))
            let bytes = capture.bytes(1 + chance.below(60))
            let (account, skips) = (chance.pick(accounts), chance.happens(80))
            let alone = try Self.outcome(bytes, account, nil, blockBytes: 1 << 20, skips: skips)
            let all = VectorInstructions.allCases
            for instructions in Exhaustive.choice([chance.pick(all)], whole: all) {
                let jobs = chance.pick([1, 2, 7, 64])
                let blockBytes = chance.pick([1, 7, 90, 700, 5000, 1 << 18])
                let outcome = try Self.outcome(
                    bytes, account, instructions, jobs: jobs, blockBytes: blockBytes, skips: skips)
                expect(
                    outcome, equals: alone, "seed \(seed), \(instructions), \(jobs) workers, blocks of \(blockBytes)")
            }
        }
    }

    @Test("a time zone's name is none in JSON Lines, also where the hour is known by that name")
    func timesOfAnotherKind() throws {
        let account = try AccountText.account(Self.rules)
        let text = (10...40).map { second in
            "--- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:\(second) BST ---\npublic-flags: rooted\n"
        }
        let lines = ["2020-07-23T11:10:41Z", "2020-07-23T11:10:42Z", "2020-07-23 12:10:43 BST"].map { time in
            #"{"time":"\#(time)","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","public-flags":"rooted"}"# + "\n"
        }
        let captures = [Array(text.joined().utf8), Array(lines.joined().utf8)]
        let replayed = try ReplayBench.replay(captures, account: account) { $0.skipsMalformed = true }
        expect(replayed.summary.figures?.attestations, equals: 33)
        expect(replayed.summary.figures?.malformed, equals: 1)
    }

    @Test("an attribute is known by a record that is read over the index, also where the first one says nothing of it")
    func attributesThatSayNothingFirst() throws {
        let account = try AccountText.account(Self.rules)
        let lines = ["null", "null", #""1.2.3.4""#, #""1.2.3.4""#, #""1.2.3.4""#].enumerated().map { second, address in
            #"{"time":"2020-07-23T11:10:4\#(second)Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","public-flags":"","#
                + #""ip":\#(address)}"# + "\n"
        }
        let replayed = try ReplayBench.replay([Array(lines.joined().utf8)], account: account)
        #expect(replayed.summary.attributes.contains(ExactText("ip")))
        expect(replayed.summary.figures?.metrics[.filter(ExactText("one"))], equals: 3)
    }

    @Test("so does a comparison", arguments: Exhaustive.seeds(1...60, each: 11))
    func comparisonsComeToTheSame(seed: UInt64) throws {
        var random = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        let (before, after) = (try AccountText.account(Self.rules), try AccountText.account(random.text()))
        var capture = DisorderlyCapture(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.write(capture.bytes(80), to: "1")
        func compare(_ instructions: VectorInstructions?, jobs: Int) throws -> String? {
            var request = ReplayRequest(captures: [path], account: before)
            request.skipsMalformed = true
            (request.instructions, request.jobs, request.blockBytes) = (instructions, jobs, jobs == 1 ? 1 << 18 : 800)
            let summary = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            return summary.comparison?.lines
        }
        let alone = try compare(nil, jobs: 1)
        for jobs in [1, 3] { try expect(compare(.avx512, jobs: jobs), equals: alone) }
    }

    @Test("a file that is read by its parts gives the same as a pipe", arguments: Exhaustive.seeds(1...200, each: 9))
    func partsComeToTheSame(seed: UInt64) throws {
        let account = try AccountText.account(Self.rules)
        var (capture, chance) = (DisorderlyCapture(seed: seed), Chance(seed: seed ^ 0x5EED))
        let bytes = capture.bytes(1 + chance.below(40))
        let (jobs, blockBytes) = (chance.pick([1, 2, 7]), chance.pick([64, 200, 900]))
        let pipe = try SplitPipe(bytes, cuts: [])
        let outcomes = try [nil, pipe.path].map { path in
            let replayed = try ReplayBench.replay([bytes], account: account) { request in
                request.skipsMalformed = true
                (request.jobs, request.blockBytes) = path == nil ? (jobs, blockBytes) : (1, 1 << 18)
                if let path { request.captures = [path] }
            }
            let kept = replayed.kept.map { String(decoding: $0, as: UTF8.self) }
            return ([kept, replayed.summary.lines], replayed.decisions, replayed.messages.count)
        }
        #expect(outcomes[0] == outcomes[1], "\(jobs) workers, blocks of \(blockBytes)")
    }

    @Test("so does a long capture, in which values come together, then others do", arguments: [true, false])
    func groupsComeToTheSame(isText: Bool) throws {
        let account = try AccountText.account(Self.rules)
        let bytes = Self.longCapture(isText: isText)
        let alone = try Self.outcome(bytes, account, nil, blockBytes: 1 << 18, skips: false)
        let all = [VectorInstructions.none, .avx512]
        for (place, jobs) in [1, 2, 7, 64].enumerated() {
            for instructions in Exhaustive.choice([all[place % 2]], whole: all) {
                let outcome = try Self.outcome(
                    bytes, account, instructions, jobs: jobs, blockBytes: 20_000, skips: false)
                expect(outcome, equals: alone, "\(instructions), \(jobs) workers")
            }
        }
    }

    // Apps and versions come together; a third of the way a key joins them, and after two thirds the order changes. Now and
    // then a record lacks the first or the last of them, or one between.
    private static func longCapture(isText: Bool) -> [UInt8] {
        var chance = Chance(seed: isText ? 7 : 8)
        let count = Exhaustive.count(6_000, whole: 15_000)
        let lines = (0..<count).map { number in
            let device = DeviceID(first: UInt64(chance.below(3000)) << 40, second: 1).description
            let time = Instant(secondsSinceEpoch: 1_582_934_400 + number).description
            let app = chance.below(4)
            var members = [
                ("device-id", device), ("public-flags", chance.pick(["", "rooted", "frida,rooted"])),
                ("ip", "10.0.\(chance.below(200)).\(chance.below(200))"), ("sdkid", "\(app)"),
                ("appid", "com.\(app % 2 == 0 ? "a" : "b")"), ("app-version", "\(app).0"),
                ("user-property", app == 3 ? "gold" : "none"),
            ]
            if number > count / 3 { members.insert(("build", "\(app)"), at: 5) }
            if number > count * 2 / 3 { members.swapAt(4, 6) }
            if chance.happens(5) { members.remove(at: 3 + chance.below(4)) }
            if isText {
                let clock = time.prefix(19).replacing("T", with: " ")
                return "--- \(device) \(clock) UTC ---\n" + members.map { "\($0.0): \($0.1)\n" }.joined()
            }
            members.insert(("time", time), at: 0)
            return "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}\n"
        }
        return Array(lines.joined().utf8)
    }
}
