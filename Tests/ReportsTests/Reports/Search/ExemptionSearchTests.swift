import Accounts
import Documents
import PolicyEngine
import Testing

@testable import Analysis
@testable import Proofs
@testable import Replay
@testable import TestSupport

/// Planted false alarms: the narrowest exemption lets in their devices, and nobody else.
@Suite struct ExemptionSearchTests {
    /// Devices of which those of one group look jailbroken by mistake, and some others are.
    private struct Alarm {
        let capture: String
        /// The attributes that say which devices the group has.
        let keys: Set<String>
        let good: String
        // Of the devices: those of the group, without and with Frida, and others that are jailbroken.
        var (group, bad, others): (Set<String>, Set<String>, Set<String>) = ([], [], [])

        private static let versions = ["5.0(11)", "5.1(12)", "5.2(14)", "6.0(20)", "6.1(21)"]
        private static let models = ["Pixel 6, google", "SM-G991B, samsung", "M2101K6G, xiaomi", "XT2125, motorola"]
        private static let networks = ["198.51.100", "203.0.113", "192.0.2", "198.18.7"]

        /// - Parameter seed: The seed of all draws; its rest by four is the kind of group.
        init(seed: UInt64) {
            var chance = SplitMix64(seed: seed)
            let (version, model, network) = (
                chance.pick(Self.versions), chance.pick(Self.models), chance.pick(Self.networks)
            )
            let conditions = [
                (["app-version"], "app-version=\"\(version)\""), (["device"], "device~\"\(model)\""),
                (["ip"], "ip~\"^\(network)[.]\""),
                (["app-version", "ip"], "app-version=\"\(version)\" and ip~\"^\(network)[.]\""),
            ]
            let kind = Int(seed % 4)
            (keys, good) = (Set(conditions[kind].0), conditions[kind].1 + " and flag:jailbroken")
            var lines = ""
            for number in 0..<400 {
                let own = (chance.pick(Self.versions), chance.pick(Self.models), chance.pick(Self.networks))
                let isInGroup = [
                    own.0 == version, own.1 == model, own.2 == network, own.0 == version && own.2 == network,
                ][kind]
                let isJailbroken = isInGroup || chance.happens(25)
                let hasFrida = chance.happens(8)
                let device = Sample.device(number + 1)
                if isInGroup, !hasFrida { group.insert(device) }
                if !isInGroup, !hasFrida, isJailbroken { others.insert(device) }
                if hasFrida { bad.insert(device) }
                let flags = (isJailbroken ? ["jailbroken"] : []) + (hasFrida ? ["frida"] : [])
                lines += KeptRecordText.line(
                    time: Sample.time + number, device: DeviceID(first: 0, second: UInt64(number + 1)), flags: flags,
                    attributes: [
                        ("ip", "\(own.2).\(1 + chance.below(250))"), ("app-version", own.0),
                        ("device", "Android \(chance.pick(["12", "13", "14"])), \(own.1), en"),
                    ])
            }
            capture = lines
        }

        /// A device of each combination of the values and flags.
        var combinations: String {
            var (lines, number) = ("", 1000)
            for version in Self.versions {
                for model in Self.models {
                    for network in Self.networks {
                        for flags in [[], ["jailbroken"], ["rooted"], ["frida"], ["jailbroken", "frida"]] {
                            number += 1
                            lines += KeptRecordText.line(
                                time: Sample.time + number, device: DeviceID(first: 1, second: UInt64(number)),
                                flags: flags,
                                attributes: [
                                    ("ip", "\(network).9"), ("app-version", version),
                                    ("device", "Android 13, \(model), en"),
                                ])
                        }
                    }
                }
            }
            return lines
        }
    }

    private static let account =
        "account: bank\nrules: [exempted]\nfilters: [{name: tester, key: ip, match: 192.0.2.1}]\n"

    @Test(arguments: 1...UInt64(50)) func findsTheNarrowest(_ seed: UInt64) throws {
        let alarm = Alarm(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.write(alarm.capture.utf8, to: "day.jsonl")
        let account = try AccountText.account(Self.account)
        let request = ReplayRequest(captures: [path], account: account)
        var question = SearchQuestion(
            reject: try RecordExpression("flag:frida") { _ in [] }, keep: nil, mode: .narrowestExemption)
        question.exempt = try RecordExpression(alarm.good) { _ in [] }
        var search = CaptureSearch(question, request, seconds: 600, progress: Progress())
        let answers = try search.run().get()
        let best = try #require(answers.answers.first)
        let exempted = try #require(best.exempted)
        #expect(exempted.devices == alarm.group.count)
        #expect(exempted.remaining == 0)
        #expect(exempted.others == 0)
        #expect(best.rejected == 0 && best.accepted == alarm.group.count)
        let added = try Self.edited(account, by: best.commands.map(\.text))
        let filters = added.filters.filter { $0.name.hasPrefix("exempt-") }
        #expect(Set(filters.compactMap(\.key)) == alarm.keys, "\(best.commands.map(\.text))")
        let passing = CaptureRecords(ReplayRequest(captures: [path], account: added), keys: []).read().records
        for record in passing {
            let device = record.device.description
            #expect(!alarm.group.contains(device) || record.passed)
            #expect(!alarm.bad.contains(device) && !alarm.others.contains(device) || !record.passed)
        }
        let others = try #require(answers.others?.answers.first)
        try Self.check(others.answer, alarm, account, added)
    }

    // A device that was found is let in by the exemption and by nothing else, and was not asked for. Where none was, no device is of all
    // that the values of the captures make.
    private static func check(
        _ answer: Prover.Answer, _ alarm: Alarm, _ account: Account, _ added: Account
    ) throws {
        let asked = try RecordExpression("(\(alarm.good)) and not flag:frida") { _ in [] }
        var capture: [UInt8]
        switch answer {
        case .proved: capture = Array(alarm.combinations.utf8)
        case .found(let witness):
            capture = witness.records.flatMap { record in
                Array(
                    KeptRecordText.line(
                        time: record.time, device: witness.device, flags: record.flags,
                        attributes: record.attributes.map { ($0.key, $0.value) }
                    ).utf8)
            }
            #expect(!alarm.group.contains(witness.device.description))
        case .notExcluded, .notDecided:
            Issue.record("\(answer)")
            return
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(capture, to: "possible.jsonl")
        let keys = ["app-version", "device", "ip"]
        let (before, after) = (
            CaptureRecords(ReplayRequest(captures: [path], account: account), keys: keys).read().records,
            CaptureRecords(ReplayRequest(captures: [path], account: added), keys: keys).read().records
        )
        var isGivenUp = false
        let unasked = before.indices.filter {
            !before[$0].passed && after[$0].passed
                && !asked.selects(before[$0], by: PatternMatcher(keepsAll: true), isGivenUp: &isGivenUp)
        }
        if case .proved = answer { #expect(unasked.isEmpty) } else { #expect(unasked.last == before.count - 1) }
        #expect(!isGivenUp && !before.isEmpty)
    }

    /// A pattern lets in versions that nobody has yet, and `--exempt` does not select them; an exact value does not, and neither do entries.
    @Test(arguments: [(4, true), (1, false)]) func findsPossibleDevices(_ versions: Int, _ isFound: Bool) throws {
        let folder = try TemporaryFolder()
        let lines = (1...40).map { number in
            KeptRecordText.line(
                time: Sample.time + number, device: DeviceID(first: 0, second: UInt64(number)), flags: ["jailbroken"],
                attributes: [("app-version", number > 20 ? "4.\(number % 7)" : "5.\(number % versions)")])
        }
        let path = try folder.write(lines.joined().utf8, to: "day.jsonl")
        var question = SearchQuestion(reject: nil, keep: nil, mode: .narrowestExemption)
        question.exempt = try RecordExpression("app-version~\"^5[.][0-3]$\"") { _ in [] }
        let request = ReplayRequest(captures: [path], account: try AccountText.account(Self.account))
        var search = CaptureSearch(question, request, seconds: 60, progress: Progress())
        let answers = try search.run().get()
        let answer = try #require(answers.others?.answers.first?.answer)
        guard case .found(let witness) = answer else {
            #expect(!isFound, "\(answer)")
            return
        }
        #expect(isFound, "\(answers.answers.first?.commands.map(\.text) ?? [])")
        #expect(witness.records.count == 1)
        #expect(!witness.before.passed && witness.after.passed)
        #expect(witness.records[0].attributes.contains { $0.key == "app-version" && $0.value.hasPrefix("5.") })
    }

    // The account after commands as people would type them.
    private static func edited(_ account: Account, by lines: [String]) throws -> Account {
        try lines.reduce(account) { account, line in
            var edited = account
            _ = try ManagementCommand(words: CommandWords.split(line)).apply(to: &edited, in: CommandContext())
            return edited
        }
    }

    /// A few devices get entries, where no filter tells them apart.
    @Test func exemptsSingleDevices() throws {
        let folder = try TemporaryFolder()
        let lines = (1...4).map { number in
            KeptRecordText.line(
                time: Sample.time + number, device: DeviceID(first: 0, second: UInt64(number)), flags: ["jailbroken"],
                attributes: [("ip", "192.0.2.7")])
        }
        let path = try folder.write(lines.joined().utf8, to: "day.jsonl")
        var question = SearchQuestion(reject: nil, keep: nil, mode: .narrowestExemption)
        question.exempt = try RecordExpression("did:\(Sample.device(2))") { _ in [] }
        let request = ReplayRequest(captures: [path], account: try AccountText.account("account: bank\n"))
        var search = CaptureSearch(question, request, seconds: 60, progress: Progress())
        let found = try search.run().get()
        let answers = found.answers
        #expect(answers.first?.commands.map(\.text).first?.hasPrefix("device -add \(Sample.device(2)) -policy") == true)
        #expect(answers.first?.exempted?.others == 0)
        guard case .proved? = found.others?.answers.first?.answer else {
            Issue.record("\(String(describing: found.others?.answers))")
            return
        }
    }
}
