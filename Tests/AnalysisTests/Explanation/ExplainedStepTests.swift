import PolicyEngine
import Testing

@testable import Analysis
@testable import TestSupport

/// The words of every kind of step.
@Suite struct ExplainedStepTests {
    struct Row: LabelledRow {
        let name: String
        var account = "account: test-account"
        /// Bob's records: flags, and further members of the line.
        let records: [Record]
        /// Which of them is looked at, and what its steps say.
        var index = 0
        let lines: [Int: [String]]
    }

    struct Record: Sendable {
        let flags: String
        var members = ""

        init(_ flags: String, _ members: String = "") {
            self.flags = flags
            self.members = members
        }
    }

    private static let bob = SampleDevice.bob
    private static let noMemory = "no remembered flag of the device applies"
    private static let captured = "as captured: DeviceCheck, SafetyNet and registrations are not evaluated again"

    private static func entry(_ rest: String) -> String { "devices: [{id: \(bob), \(rest)}]" }

    private static func filter(_ rest: String) -> String { "filters: [{name: f, \(rest)}]" }

    private static let plain = [
        Row(
            name: "a new device without flags", records: [Record("")],
            lines: [
                1: ["test-account, policy default,default,default"],
                2: ["not seen before, so `new-did`", "observed: none"], 3: ["the device has no entry"], 4: [captured],
                5: [noMemory], 6: ["no risk flag"], 7: ["the account has none"], 8: ["none"],
                9: ["default,default,default, the account's"], 10: ["pass: the policy rejects on none of new-did"],
                11: ["300 s (usual); the token expires at 2020-07-23T10:05:10Z"], 12: ["none: the policy names none"],
            ]),
        Row(
            name: "seen before", records: [Record(""), Record("automated")], index: 1,
            lines: [2: ["seen before", "observed: automated"]]),
        Row(
            name: "flags that no policy knows", records: [Record("strange,rooted"), Record("odd,strange")], index: 1,
            lines: [2: ["seen before", "observed: strange, odd", "no policy knows strange, odd"]]),
        Row(
            name: "seen before, and captured as new", records: [Record(""), Record("new-did")], index: 1,
            lines: [2: ["seen before, but captured with `new-did`", "observed: new-did"]]),
        Row(
            name: "an observed `risky-device` is derived anew", records: [Record("risky-device")],
            lines: [2: ["not seen before, so `new-did`", "observed: none"], 6: ["no risk flag"]]),
        Row(
            name: "risk flags", records: [Record("frida,rooted,automated")],
            lines: [
                6: ["rooted, frida: risk flags, so `risky-device`"], 10: ["fail: rooted, frida"],
                11: ["120 s (risky device); the token expires at 2020-07-23T10:02:10Z"],
            ]),
        Row(
            // As the tests of R12.2 have it for a new device's valid token of this account.
            name: "a response code", account: "account: account", records: [Record("")], lines: [13: ["NOLOY2TX2C"]]),
        Row(name: "no response codes", account: "arc: off", records: [Record("")], lines: [13: ["off"]]),
        Row(
            name: "a short lifetime, which has a grace of its own",
            account: "policy: default,allow-raj-only-short-lifetime,default", records: [Record("rooted")],
            lines: [
                10: ["pass: the policy rejects on none of rooted, new-did, risky-device"],
                11: ["45 s (as allow-raj-only-short-lifetime has it); the token expires at 2020-07-23T10:01:00Z"],
            ]),
        Row(
            name: "everything is rejected", account: "policy: default,blacklist,default", records: [Record("rooted")],
            lines: [10: ["fail: policy:blacklist"]]),
    ]

    private static let annotations = [
        Row(
            name: "annotations that are possible, and none is set", account: "policy: default,default,xposed",
            records: [Record("")], lines: [12: ["empty"]]),
        Row(
            name: "annotations by byte value", account: "policy: default,whitelist,rooted+automated+frida",
            records: [Record("rooted,automated,frida")], lines: [12: ["automated, frida, rooted"]]),
    ]

    private static let bans = [
        Row(
            name: "a ban by the entry", account: entry("ban-mode: ban"), records: [Record("")],
            lines: [
                3: ["the device's entry bans it: `did-ban` persists"], 5: ["remembered of the device: did-ban"],
                10: ["fail: did-ban"],
            ]),
        Row(
            name: "an unban by the entry", account: entry("ban-mode: unban"), records: [Record("did-ban")],
            lines: [
                3: ["the device's entry unbans it: `did-unban` persists, for good"],
                5: ["remembered of the device: did-unban", "did-ban does not count, since the device was unbanned"],
                10: ["pass: the policy rejects on none of did-unban, new-did"],
            ]),
        Row(
            name: "a ban of a device that was unbanned", account: entry("ban-mode: ban"),
            records: [Record("did-unban")],
            lines: [3: ["the device's entry bans it, but it was unbanned once, which always wins"], 5: [noMemory]]),
        Row(
            name: "an entry without a ban", account: entry("label: x"), records: [Record("")],
            lines: [3: ["the device's entry has no ban mode"], 9: ["default,default,default, the account's"]]),
        Row(
            name: "a ban by a filter", account: filter("key: ip, match: 1.2.3.4, ban: true"),
            records: [Record("", #","ip":"1.2.3.4""#)],
            lines: [
                5: [noMemory], 7: ["f: ip is 1.2.3.4, which matches"], 8: ["f: `did-ban` persists"],
                10: ["fail: did-ban"],
            ]),
        Row(
            name: "a ban by a filter, later", account: filter("key: ip, match: 1.2.3.4, ban: true"),
            records: [Record("", #","ip":"1.2.3.4""#), Record("", #","ip":"1.2.3.5""#)], index: 1,
            lines: [
                5: ["remembered of the device: did-ban"], 7: ["f: ip is 1.2.3.5, which does not match"], 8: ["none"],
                10: ["fail: did-ban"],
            ]),
        Row(
            name: "a filter that would ban what was unbanned", account: filter("key: ip, match: 1.2.3.4, ban: true"),
            records: [Record("did-unban", #","ip":"1.2.3.4""#)],
            lines: [7: ["f: ip is 1.2.3.4, which matches"], 8: ["none"]]),
        Row(
            name: "a filter that bans does not see its ban", account: filter("key: flags-all, match: '', ban: true"),
            records: [Record(""), Record("")], lines: [7: ["f: flags-all is empty, which matches"]]),
        Row(
            name: "but sees it the next time", account: filter("key: flags-all, match: '', ban: true"),
            records: [Record(""), Record("")], index: 1,
            lines: [7: ["f: flags-all is did-ban, which does not match"], 8: ["none"]]),
        Row(
            name: "and a ban that was there is seen by the filter that bans again",
            account: filter("key: flags-all, regex: rooted, ban: true"), records: [Record("rooted"), Record("rooted")],
            index: 1, lines: [7: ["f: flags-all is rooted,did-ban, which matches"], 8: ["f: `did-ban` persists"]]),
    ]

    private static let filters = [
        Row(
            name: "an attribute that is absent", account: filter("key: ip, match: 1.2.3.4"), records: [Record("")],
            lines: [7: ["f: ip is absent, which does not match"], 8: ["none"]]),
        Row(
            name: "an attribute that is empty", account: filter("key: ip, regex: '^$'"),
            records: [Record("", #","ip":"""#)], lines: [7: ["f: ip is empty, which matches"]]),
        Row(
            name: "a value that is long", account: filter("key: ip, match: x"),
            records: [Record("", ",\"ip\":\"\(String(repeating: "a", count: 61))\"")],
            lines: [7: ["f: ip is \(String(repeating: "a", count: 60))…, which does not match"]]),
        Row(
            name: "a value that is just not too long", account: filter("key: ip, match: x"),
            records: [Record("", ",\"ip\":\"\(String(repeating: "a", count: 60))\"")],
            lines: [7: ["f: ip is \(String(repeating: "a", count: 60)), which does not match"]]),
        Row(
            name: "what a filter brings about", account: filter("key: ip, match: x, risky: true, reject: true"),
            records: [Record("", #","ip":"x""#)],
            lines: [
                6: ["no risk flag"], 8: ["f: `risky-device`", "f: rejects"], 10: ["fail: filter:f"],
                11: ["120 s (risky device); the token expires at 2020-07-23T10:02:10Z"],
            ]),
        Row(
            name: "a rejecting filter under whitelist",
            account: "policy: default,whitelist,default\n" + filter("key: ip, match: x, reject: true"),
            records: [Record("", #","ip":"x""#)],
            lines: [
                7: ["f: ip is x, which matches"], 8: ["none"], 10: ["pass: the policy rejects on none of new-did"],
            ]),
        Row(
            name: "for new devices only, and it is one",
            account: filter("key: ip, match: x, new-did-only: true"), records: [Record("", #","ip":"x""#)],
            lines: [7: ["f: ip is x, which matches"]]),
        Row(
            name: "for new devices only, and it is none",
            account: filter("key: ip, match: x, new-did-only: true"), records: [Record(""), Record("", #","ip":"x""#)],
            index: 1, lines: [7: ["f: for new devices only"]]),
        Row(
            name: "a search that hits its limit", account: filter("key: ip, regex: '(a+)+$', reject: true"),
            records: [Record("", ",\"ip\":\"\(String(repeating: "a", count: 40))!\"")],
            lines: [7: ["f: its search hit a limit, which counts as no match"], 8: ["none"]]),
        Row(
            name: "conjunctions",
            account: """
                filters:
                  - {name: all, conjunction: [ip, id]}
                  - {name: one, conjunction: [ip, none]}
                  - {name: two, conjunction: [nothing, none, ip]}
                  - {name: gap, conjunction: [ip, gone]}
                  - {name: ip, key: ip, match: x}
                  - {name: id, key: device-id, regex: '^h4gu'}
                  - {name: none, key: ip, match: z}
                  - {name: nothing, key: nowhere, match: z}
                """, records: [Record("", #","ip":"x""#)],
            lines: [
                7: [
                    "all: all of ip, id match", "one: none does not match", "two: nothing, none do not match",
                    "gap: its input gone is missing, so it never matches", "ip: ip is x, which matches",
                    "id: device-id is \(bob), which matches", "none: ip is x, which does not match",
                    "nothing: nowhere is absent, which does not match",
                ]
            ]),
        Row(
            name: "a conjunction for new devices only",
            account: "filters: [{name: c, conjunction: [f], new-did-only: true}, {name: f, key: ip, match: x}]",
            records: [Record(""), Record("", #","ip":"x""#)], index: 1,
            lines: [7: ["c: for new devices only", "f: ip is x, which matches"]]),
        Row(
            name: "the list of flags leaves two out", account: filter("key: public-flags, match: 'rooted,automated'"),
            records: [Record("automated,rooted,new-did")],
            lines: [7: ["f: public-flags is rooted,automated, which matches"]]),
    ]

    private static let filtered =
        "rules: [alt]\ndevices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,allow-root,risk'}]\n"

    private static let policies = [
        Row(
            name: "the device's own policy", account: entry("policy: 'default,whitelist,all'"), records: [Record("")],
            lines: [9: ["default,whitelist,all, of the device's own entry"], 12: ["new-did"]]),
        Row(
            name: "the filtered policy, by filters",
            account: filtered
                + "filters: [{name: f, key: ip, match: x, exec-filtered-sec-policy: true}, "
                + "{name: g, key: ip, regex: x, exec-filtered-sec-policy: true}, {name: h, key: ip, regex: x}]",
            records: [Record("rooted", #","ip":"x""#)],
            lines: [
                9: ["alt,allow-root,risk, the filtered policy, by f, g"],
                10: ["pass: the policy rejects on none of rooted, new-did, risky-device"], 12: ["risky-device"],
            ]),
        Row(
            name: "the filtered policy, sampled", account: filtered + "sampling-percentage: 100", records: [Record("")],
            lines: [9: ["alt,allow-root,risk, the filtered policy, as the device is sampled today"], 12: ["empty"]]),
        Row(
            name: "a filtered policy with the account's rules has no effect",
            account: "sampling-percentage: 100\n"
                + "devices: [{id: ++FilteredSecPolicy++w==, policy: 'default,whitelist,all'}]",
            records: [Record("")], lines: [9: ["default,default,default, the account's"]]),
    ]

    static let rows = plain + annotations + bans + filters + policies

    private static func capture(_ records: [Record]) -> String {
        records.enumerated().map { second, record in
            #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(bob)","public-flags":"\#(record.flags)""#
                + record.members + "}\n"
        }.joined()
    }

    @Test(arguments: rows) func says(_ row: Row) throws {
        let explanations = try ExplanationBench.explain(
            Self.capture(row.records), account: try AccountText.account(row.account), device: Self.bob)
        try #require(explanations.count == row.records.count)
        for (number, lines) in row.lines {
            let step = try #require(explanations[row.index].steps.first { $0.number == number })
            #expect(step.lines == lines, "step \(number)")
        }
    }

    @Test func theStepsHaveTheirNames() throws {
        let explanation = try #require(
            try ExplanationBench.explain(Self.capture([Record("")]), account: Account(), device: Self.bob).first)
        #expect(
            explanation.steps.map(\.name) == [
                "account", "device", "ban", "services", "memory", "risk", "filters", "actions", "policy", "verdict",
                "lifetime", "annotations", "code",
            ])
    }

    @Test func aRegistrationThatWasRemovedCounts() throws {
        let text = "registrations: [{app-sig: \(Self.signature), appid: a}]"
        let account = try AccountText.account(text)
        let name = try #require(account.registrations?.first?.overallSignature)
        let changed = try ExplanationBench.changed(account, by: ["registration -remove \(name)"])
        let capture = Self.capture([
            Record("", ",\"app-sig\":\"\(Self.signature)\",\"appid\":\"a\""), Record("", #","appid":"a""#),
        ])
        let explanations = try ExplanationBench.explain(capture, account: changed, device: Self.bob)
        #expect(
            explanations.map { $0.steps[3].lines } == [
                ["the registration of the app was removed, so `app-not-registered`"], [Self.captured],
            ])
        #expect(explanations.map(\.passed) == [false, true])
        #expect(explanations[0].steps[9].lines == ["fail: app-not-registered"])
    }

    private static let signature = "DRJNqt37tsdHwb9FKFT80dPqXlOHqZnZy68zAiVSsvM="
}
