import Accounts
import Documents
import PolicyEngine
import Testing

@testable import Analysis
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
        let best = try #require(try search.run().get().answers.first)
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
        let answers = try search.run().get().answers
        #expect(answers.first?.commands.map(\.text).first?.hasPrefix("device -add \(Sample.device(2)) -policy") == true)
        #expect(answers.first?.exempted?.others == 0)
    }
}
