import PolicyEngine
import Testing

@testable import Accounts
@testable import Analysis
@testable import Documents
@testable import Replay
@testable import TestSupport

/// The changes that would turn a verdict, the smallest one first.
@Suite struct VerdictFlipTests {
    struct Row: LabelledRow {
        let name: String
        var account = "account: a"
        let flags: String
        /// All that are named, each with its commands joined by `;`.
        let flips: [String]
    }

    private static let bob = SampleDevice.bob
    private static let unban = "device -add \(bob) -banMode unban"
    private static let ban = "device -add \(bob) -banMode ban"
    private static let filtered = """
        rules: [alt]
        devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,default,default'}]

        """
    private static let accept = "device -add \(bob) -policy default,whitelist,default"
    private static let refuse = "device -add \(bob) -policy default,blacklist,default"

    static let rows = [
        Row(
            // Of the presets that accept `rooted`, these differ least from default (3, 4 and 5 flags):
            // allow-root loses rooted, xposed and safetynet-fail-integrity; allow-root-and-jailbroken-only
            // jailbroken too; allow-raj-only-short-lifetime has a lifetime besides.
            name: "one flag", flags: "rooted",
            flips: [
                "policy -removeRejectFlag rooted", "policy -set default,allow-root,default",
                "policy -set default,allow-root-and-jailbroken-only,default",
                "policy -set default,allow-raj-only-short-lifetime,default", accept,
            ]),
        Row(
            name: "several flags go together", flags: "bad-hmac,debug",
            flips: ["policy -removeRejectFlag bad-hmac;policy -removeRejectFlag debug"]),
        Row(
            name: "a ban", flags: "did-ban", flips: ["policy -removeRejectFlag did-ban", unban, accept]),
        Row(
            // No preset but whitelist accepts `memory-tampered`.
            name: "a flag that every preset rejects", flags: "memory-tampered",
            flips: ["policy -removeRejectFlag memory-tampered", accept]),
        Row(
            name: "a filter", account: "filters: [{name: f, key: device-id, regex: ., reject: true}]", flags: "",
            flips: ["filter -remove f", accept]),
        Row(
            name: "a filter and a flag", account: "filters: [{name: f, key: device-id, regex: ., reject: true}]",
            flags: "debug", flips: [accept, "policy -removeRejectFlag debug;filter -remove f"]),
        Row(
            // Whitelist rejects it, too, so that the entry must go, and the flag of the account's policy.
            name: "no single command helps, and one pair does",
            account: "devices: [{id: \(bob), policy: 'default,strict,default'}]",
            flags: "sdk-tampered", flips: ["device -remove \(bob);policy -removeRejectFlag sdk-tampered"]),
        Row(
            name: "a filter that executes a stricter policy",
            account: filtered + """
                policy: default,allow-root,default
                filters: [{name: f, key: device-id, regex: ., exec-filtered-sec-policy: true, capture-device-info: true}]
                """, flags: "rooted",
            flips: [
                "filter -remove f", accept, "device -remove ++FilteredSecPolicy++w==",
            ]),
        Row(
            name: "a filter that executes a laxer policy keeps a device in",
            account: """
                rules: [alt]
                devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,allow-root,default'}]
                filters: [{name: f, key: device-id, regex: ., exec-filtered-sec-policy: true}]
                """, flags: "rooted",
            flips: [
                "filter -remove f", ban, refuse, "device -remove ++FilteredSecPolicy++w==",
            ]),
        Row(
            name: "a filter that bans", account: "filters: [{name: f, key: device-id, regex: ., ban: true}]", flags: "",
            flips: ["policy -removeRejectFlag did-ban", "filter -remove f", unban, accept]),
        Row(
            name: "sampled", account: filtered + "sampling-percentage: 100\npolicy: default,allow-root,default",
            flags: "rooted",
            flips: ["filter -setSamplingPercentage 0", accept, "device -remove ++FilteredSecPolicy++w=="]),
        Row(
            name: "the device's own policy: only the device's helps",
            account: "devices: [{id: \(bob), policy: 'default,strict,default'}]", flags: "frida", flips: [accept]),
        Row(
            name: "what even whitelist rejects, by the device's own policy",
            account: "devices: [{id: \(bob), policy: 'default,strict,default'}]", flags: "bad-hmac,pinning-tampered",
            flips: []),
        Row(
            name: "everything is rejected", account: "policy: default,blacklist,default", flags: "cloned",
            flips: [
                "policy -set default,allow-cloned,default", "policy -set default,allow-root-and-jailbroken,default",
                accept,
            ]),
        Row(
            name: "a valid token with nothing to reject but a new device", flags: "",
            flips: ["policy -addRejectFlag new-did", ban, refuse]),
        Row(
            // Strict rejects `safetynet-unavailable`; no other preset does.
            name: "a valid token that another preset refuses", flags: "safetynet-unavailable",
            flips: [
                "policy -addRejectFlag new-did", "policy -addRejectFlag safetynet-unavailable", ban,
                "policy -set default,strict,default", refuse,
            ]),
        Row(
            name: "an unbanned device cannot be banned", flags: "did-unban",
            flips: ["policy -addRejectFlag did-unban", "policy -addRejectFlag new-did", refuse]),
        Row(
            name: "a flag that nobody declared cannot be named", flags: "strange",
            flips: ["policy -addRejectFlag new-did", ban, refuse]),
    ]

    @Test(arguments: rows) func tellsTheSmallestFirst(_ row: Row) throws {
        let capture =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Self.bob)","public-flags":"\#(row.flags)"}"# + "\n"
        let explanations = try ExplanationBench.explain(
            capture, account: try AccountText.account(row.account), device: Self.bob)
        #expect(explanations.first?.flips.map { $0.commands.joined(separator: ";") } == row.flips)
    }

    @Test func theTwentySixthEntryIsNotProposed() throws {
        let entries = (0..<25).map { number in
            "{id: \(DeviceID(first: UInt64(number), second: 0)), label: x}"
        }
        let capture = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Self.bob)","public-flags":""}"# + "\n"
        let account = try AccountText.account("devices: [\(entries.joined(separator: ", "))]")
        let explanations = try ExplanationBench.explain(capture, account: account, device: Self.bob)
        #expect(explanations.first?.flips.map(\.commands) == [["policy -addRejectFlag new-did"]])
    }

    // The ban of the first day stays, so the filter would have to be gone by then, as `--change` has it.
    @Test func whatHappenedBeforeCounts() throws {
        let account = try AccountText.account("filters: [{name: f, key: ip, match: 1.2.3.4, ban: true}]")
        let capture = ["1.2.3.4", "5.6.7.8"].enumerated().map { day, address in
            #"{"time":"2020-07-1\#(day)T10:00:00Z","device-id":"\#(Self.bob)","public-flags":"","ip":"\#(address)"}"#
                + "\n"
        }.joined()
        let explanations = try ExplanationBench.explain(capture, account: account, device: Self.bob)
        #expect(explanations.map(\.passed) == [false, false])
        #expect(explanations.map { $0.flips.map(\.commands).contains(["filter -remove f"]) } == [true, true])
    }

    @Test func whereNoSingleChangeDoesItPairsMay() throws {
        let account = try AccountText.account("devices: [{id: \(Self.bob), policy: 'default,strict,default'}]")
        let head = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Self.bob)","public-flags":"#
        let commands = try ["\"bad-hmac\"", "\"bad-hmac,pinning-tampered\""].map { flags in
            try ExplanationBench.explain(head + flags + "}\n", account: account, device: Self.bob)
                .flatMap(\.flips).map(\.commands)
        }
        #expect(commands == [[["device -remove \(Self.bob)", "policy -removeRejectFlag bad-hmac"]], []])
    }

    // On days on which the device is sampled the filtered policy stays when the filter goes.
    @Test func whatTurnsAVerdictMayChangeWithTheDay() throws {
        let account = try AccountText.account(
            """
            rules: [alt]
            policy: default,blacklist,default
            sampling-percentage: 50
            filters: [{name: f, key: device-id, regex: ., reject: true, exec-filtered-sec-policy: true}]
            devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,default,default'}]
            """)
        let capture = (10...29).map { day in
            #"{"time":"2020-07-\#(day)T10:00:00Z","device-id":"\#(Self.bob)","public-flags":""}"# + "\n"
        }.joined()
        let explanations = try ExplanationBench.explain(capture, account: account, device: Self.bob)
        let command = ["filter -remove f"]
        let trial = try ReplayBench.replay(capture, account: try ExplanationBench.changed(account, by: command))
        let verdicts = try DecisionLine.read(try #require(trial.decisions)).map(\.passed)
        #expect(Set(verdicts) == [true, false])
        #expect(explanations.map(\.passed) == Array(repeating: false, count: 20))
        #expect(explanations.map { $0.flips.contains { $0.commands == command } } == verdicts)
    }
}

/// Explains devices of captures that are given as text.
enum ExplanationBench {
    /// The explanations of a device.
    static func explain(_ capture: String, account: Account, device: String) throws -> [Explanation] {
        let folder = try TemporaryFolder()
        let request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: account)
        let outcome = CaptureExplanation(request, device: .id(try #require(DeviceID(device)))).run()
        #expect(!outcome.diagnostics.hasErrors)
        return outcome.explanations
    }

    /// An account after commands.
    static func changed(_ account: Account, by commands: [String]) throws -> Account {
        var changed = account
        for command in commands { _ = try ManagementCommand(command).apply(to: &changed, in: CommandContext()) }
        return changed
    }
}
