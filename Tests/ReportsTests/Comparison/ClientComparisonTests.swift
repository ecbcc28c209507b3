import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// Requests, secure strings, custom JWTs and proofs in a comparison on a scenario.
@Suite("R19a.1 A comparison of a scenario compares all that clients get") struct ClientComparisonTests {
    struct Row: LabelledRow {
        let name: String
        var before = "account: a"
        let after: String
        var devices = "devices: {bob: {os: android, flags: [rooted]}, amy: {os: ios}}"
        let steps: [String]
        /// Each as `kind: before → after: times of devices, effect`, in the order of reports.
        let differences: [String]
        /// Devices newly rejected and newly blocked.
        let rejected, blocked: Int
        /// The beginning of the headline.
        let headline: String
    }

    private static let api = "apis: [{domain: api.example.com, pins: ['key:LEAF']}]"
    private static let served = "apis: [{domain: api.example.com}]"
    fileprivate static let strings = "features: [secure-strings]\nsecure-strings: {k: v}"
    private static let none = "no device of 2 would stop getting valid tokens; "

    static let rows = [
        Row(
            name: "pins that no certificate has block every device", before: api,
            after: "apis: [{domain: api.example.com, pins: ['key:OTHER']}]",
            devices: "backends: {api.example.com: {chain: [LEAF]}}\ndevices: {phones: {count: 100, os: android}}",
            steps: ["{at: 0s, request: phones, to: api.example.com, every: 1m, until: 1m}"],
            differences: ["request: accepted → blocked: 200 of 100, worse"], rejected: 0, blocked: 100,
            headline: "100 of 100 devices (100.0 %) would have requests no longer accepted (blocked: 100); "
                + "no device of 100 would stop getting valid tokens; none would start; token fetches stay"),
        Row(
            name: "the same change the other way", before: "apis: [{domain: api.example.com, pins: ['key:OTHER']}]",
            after: api,
            devices: "backends: {api.example.com: {chain: [LEAF]}}\ndevices: {phones: {count: 100, os: android}}",
            steps: ["{at: 0s, request: phones, to: api.example.com}"],
            differences: ["request: blocked → accepted: 100 of 100, better"], rejected: 0, blocked: 0,
            headline: "no device of 100 would stop getting valid tokens; none would start; "),
        Row(
            name: "a token that is no longer valid: the backend refuses the request",
            before: "policy: default,allow-root,default\n\(served)", after: served,
            steps: ["{at: 0s, request: all, to: api.example.com}"],
            differences: ["request: accepted → refused: 1 of 1, worse"], rejected: 1, blocked: 1,
            headline: "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                + "1 of 2 devices (50.0 %) would have requests no longer accepted (refused: 1); "),
        Row(
            name: "a request that ends otherwise, and was not accepted before either", before: api,
            after: "apis: [{domain: api.example.com, pins: ['key:OTHER']}]",
            devices: "backends: {api.example.com: {chain: [LEAF]}}\ndevices: {bob: {flags: [rooted]}, amy: {}}",
            steps: ["{at: 0s, request: bob, to: api.example.com}", "{at: 1s, fetch: amy}"],
            differences: ["request: refused → blocked: 1 of 1, other"], rejected: 0, blocked: 0, headline: none),
        Row(
            name: "R21.2 nobody defines a string any more", before: strings, after: "features: [secure-strings]",
            steps: ["{at: 0s, secure-string: {group: all, key: k}}"],
            differences: ["secure-string: SUCCESS → UNKNOWN_KEY: 1 of 1, worse"], rejected: 1, blocked: 0,
            headline: "1 of 2 devices (50.0 %) would no longer get secure strings; " + none),
        Row(
            name: "R21.2 a string is another one", before: strings,
            after: "features: [secure-strings]\nsecure-strings: {k: w}",
            steps: ["{at: 0s, secure-string: {group: all, key: k}}"],
            differences: ["secure-string: SUCCESS → SUCCESS, another one: 1 of 1, other"], rejected: 0, blocked: 0,
            headline: none),
        Row(
            name: "R21.1 R21.3 custom JWTs are off", before: "features: [custom-jwt]", after: "features: []",
            steps: ["{at: 0s, custom-jwt: {group: all, payload: '{}'}}"],
            differences: [
                "custom-jwt: SUCCESS → DISABLED: 1 of 1, worse", "custom-jwt: REJECTED → DISABLED: 1 of 1, other",
            ], rejected: 1, blocked: 0,
            headline: "1 of 2 devices (50.0 %) would no longer get custom JWTs; " + none),
        Row(
            name: "R21.3 a rejection for a flag is among its causes",
            before: "features: [custom-jwt]\npolicy: default,allow-root,default", after: "features: [custom-jwt]",
            steps: ["{at: 0s, custom-jwt: {group: all, payload: '{}'}}"],
            differences: ["custom-jwt: SUCCESS → REJECTED: 1 of 1, worse"], rejected: 1, blocked: 0,
            headline: "1 of 2 devices (50.0 %) would no longer get custom JWTs; " + none),
        Row(
            name: "R22.2 what is measured for a token that is not valid proves nothing",
            before: "policy: default,allow-root,default\n\(lock)", after: lock,
            steps: [
                "{at: 0s, fetch: all, domain: lock.com?measurement}", "{at: 1s, prove: {group: all, kind: integrity}}",
            ],
            differences: ["proof: match → none: 1 of 1, worse"], rejected: 1, blocked: 0,
            headline: "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                + "1 of 2 devices (50.0 %) would no longer prove measurements; "),
        Row(
            name: "R19.4 the backend of a domain that is removed continues to require tokens",
            before: "apis: [{domain: a.com}, {domain: b.com}]", after: "apis: [{domain: a.com}]",
            steps: ["{at: 0s, request: all, to: b.com}"],
            differences: ["request: accepted → refused: 1 of 1, worse"], rejected: 1, blocked: 1,
            headline: "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                + "1 of 2 devices (50.0 %) would have requests no longer accepted (refused: 1); "
                + "token fetches end\n"),
        Row(
            name: "R21.2 a string that the account newly defines", before: "features: [secure-strings]",
            after: strings, steps: ["{at: 0s, secure-string: {group: all, key: k}}"],
            differences: ["secure-string: UNKNOWN_KEY → SUCCESS: 1 of 1, better"], rejected: 0, blocked: 0,
            headline: none
                + "none would start; 1 of 2 devices (50.0 %) would newly get secure strings; token fetches stay"),
        Row(
            name: "R21.1 R21.3 custom JWTs are on", before: "features: []", after: "features: [custom-jwt]",
            steps: ["{at: 0s, custom-jwt: {group: all, payload: '{}'}}"],
            differences: [
                "custom-jwt: DISABLED → SUCCESS: 1 of 1, better", "custom-jwt: DISABLED → REJECTED: 1 of 1, other",
            ], rejected: 0, blocked: 0,
            headline: none + "none would start; 1 of 2 devices (50.0 %) would newly get custom JWTs; "
                + "1 of 2 devices (50.0 %) would get another answer to calls for custom JWTs (REJECTED: 1); "),
        Row(
            name: "a proxy that pins kept out reads requests", before: api, after: served,
            steps: [
                "{at: 0s, network: {group: amy, state: mitm, only: [api.example.com], trusted: true}}",
                "{at: 1s, request: amy, to: api.example.com}",
            ],
            differences: ["request: blocked → intercepted: 1 of 1, other"], rejected: 0, blocked: 0,
            headline: none.replacing("of 2", with: "of 1") + "none would start; "
                + "1 of 1 device (100.0 %) would have requests with another outcome (intercepted: 1); "),
        Row(
            name: "a domain that is added: tokens where there were none", before: "apis: [{domain: a.com}]",
            after: served, steps: ["{at: 0s, fetch: all, domain: api.example.com}"], differences: [], rejected: 0,
            blocked: 0,
            headline: none + "1 would start; "
                + "1 of 2 devices (50.0 %) would get no valid tokens for another reason (invalid: 1); "
                + "token fetches begin\n"),
        Row(
            name: "tokens that are valid at more times",
            before: "filters: [{name: new, key: device-id, regex: ., new-did-only: true, reject: true}]",
            after: "account: a", devices: "devices: {bob: {os: android}, amy: {os: ios}}",
            steps: ["{at: 0s, fetch: all}", "{at: 10m, fetch: all}"], differences: [], rejected: 0, blocked: 0,
            headline: none + "2 would get valid tokens at more times, none would start; "),
        Row(
            name: "tokens that are lost for a while only", before: "account: a",
            after: "filters: [{name: new, key: device-id, regex: ., new-did-only: true, reject: true}]",
            devices: "devices: {bob: {os: android}, amy: {os: ios}}",
            steps: ["{at: 0s, fetch: all}", "{at: 10m, fetch: all}"], differences: [], rejected: 2, blocked: 0,
            headline: "2 of 2 devices (100.0 %) would get no valid tokens at times, none would stop getting them; "),
    ]

    private static let lock = "features: [measurement]\napis: [{domain: lock.com, alg: A256GCMKW}]"

    private static func compare(_ row: Row) throws -> Comparison {
        let text =
            "scenario: s\naccount: {features: [measurement], apis: [{domain: lock.com, alg: A256GCMKW}, "
            + "{domain: api.example.com}, {domain: b.com}]}\n\(row.devices)\n"
            + "steps:\n" + row.steps.map { "  - \($0)\n" }.joined()
        let outcome = ScenarioComparison(
            try ScenarioText.load(text), before: try AccountText.account(row.before),
            after: try AccountText.account(row.after)
        ).run()
        #expect(outcome.summary.diagnostics.isEmpty)
        #expect(outcome.unmet == nil)
        return try #require(outcome.summary.comparison)
    }

    @Test(arguments: rows) func comparesEachKind(_ row: Row) throws {
        let comparison = try Self.compare(row)
        let clients = try #require(comparison.changes.clients)
        let found = clients.parts.filter { $0.kind != .token }.flatMap { part in
            part.differences.map {
                "\(part.kind.rawValue): \($0.before) → \($0.after): \($0.count.events) of \($0.count.devices), \($0.effect)"
            }
        }
        #expect(found == row.differences)
        #expect(comparison.changes.rejected.devices == row.rejected)
        #expect(comparison.changes.newlyBlocked == row.blocked)
        let text = TextWriter().text(of: comparison.sections)
        #expect(text.hasPrefix(row.headline), "\(text.prefix(300))")
    }

    @Test("R11.1 token fetches of a day are counted before, and expected after the change") func tokensOfADay() throws {
        // In an hour 13 tokens (0, 300, … 3600 s) or 81 (0, 45, … 3600 s): 312 a day, and 81/13 times as many.
        let row = Row(
            name: "an hour", after: "policy: default,allow-raj-only-short-lifetime,default",
            steps: ["{at: 0s, fetch: amy, every: 15s, until: 1h}"], differences: [], rejected: 0, blocked: 0,
            headline: "")
        let text = TextWriter().text(of: try Self.compare(row).sections)
        #expect(text.contains("; token fetches rise 6.23×\n"))
        #expect(text.contains("\n  token fetches a day: 312 before, 1,944 expected after\n"))
    }

    @Test("the cause of a call's rejection is among the causes") func namesTheCauses() throws {
        func parts(_ name: String, _ kind: String) throws -> [String] {
            let row = try #require(Self.rows.first { $0.name.hasPrefix(name) })
            let splits = try Self.compare(row).changes.rejected.splits
            return splits.first { $0.kind.rawValue == kind }?.parts.map { "\($0.name) \($0.devices)" } ?? []
        }
        #expect(try parts("R21.3 a rejection", "flag") == ["rooted 1"])
        #expect(try parts("R21.2 nobody", "other") == ["result:UNKNOWN_KEY 1"])
    }

    // MARK: A change that nobody meets

    struct UnmetRow: LabelledRow {
        let name: String
        /// When the change is made; from the start if at no time.
        let at: Int?
        var account = ClientComparisonTests.strings
        let steps: [String]
        /// Why nothing is compared; `nil` where something is.
        let unmet: String?
    }

    private static let late = "no device attests from 2020-01-01T00:05:30Z on, when the change is in force"

    static let unmet = [
        UnmetRow(
            name: "behind the last step", at: 3600, steps: ["{at: 0s, fetch: all}"],
            unmet: "the change is made at 2020-01-01T01:00:00Z, after the last step"),
        UnmetRow(
            name: "nobody asks for anything after it", at: 300,
            steps: ["{at: 0s, fetch: all}", "{at: 10m, launch: all}"], unmet: late),
        UnmetRow(
            name: "not in force when somebody attests for the last time", at: 300,
            steps: ["{at: 0s, fetch: all}", "{at: 300s, fetch: all}"], unmet: late),
        UnmetRow(
            name: "tokens of before serve to the end", at: 300,
            steps: ["{at: 0s, fetch: all}", "{at: 5m, fetch: all}", "{at: 9m, fetch: all}"], unmet: late),
        UnmetRow(
            name: "no network since", at: 300,
            steps: [
                "{at: 0s, fetch: all}", "{at: 5m, network: {group: all, state: none}}", "{at: 1h, fetch: all}",
            ], unmet: late),
        UnmetRow(
            name: "R20 the account is cancelled", at: nil,
            steps: [
                "{at: 0s, account: cancelled}", "{at: 1s, request: all, to: a.com}",
                "{at: 2s, secure-string: {group: all, key: k}}",
            ], unmet: "there is no attestation"),
        UnmetRow(
            name: "requests to hosts that get no tokens", at: nil,
            account: "apis: [{domain: a.com}, {domain: p.com, type: pinOnly}]",
            steps: ["{at: 0s, request: all, to: p.com}", "{at: 1s, request: all, to: c.com}"],
            unmet: "there is no attestation"),
        UnmetRow(
            name: "R21.1 calls that are disabled", at: nil, account: "features: []",
            steps: [
                "{at: 0s, secure-string: {group: all, key: k}}", "{at: 1s, custom-jwt: {group: all, payload: '{}'}}",
            ],
            unmet: "there is no attestation"),
        UnmetRow(
            name: "R14.2 fetches that bring nothing", at: nil, account: "apis: []",
            steps: ["{at: 0s, fetch: all, domain: a.com}"], unmet: "there is no attestation"),
        UnmetRow(
            name: "somebody attests", at: 300, steps: ["{at: 0s, fetch: all}", "{at: 6m, fetch: all}"], unmet: nil),
        UnmetRow(
            name: "somebody calls", at: 300,
            steps: ["{at: 0s, fetch: all}", "{at: 6m, secure-string: {group: all, key: k}}"], unmet: nil),
    ]

    @Test("R19a.3 nothing is compared where no client meets the change", arguments: unmet)
    func saysThatNothingIsCompared(_ row: UnmetRow) throws {
        let scenario = try ScenarioText.load(
            "scenario: s\ndevices: {bob: {os: android}}\nsteps:\n" + row.steps.map { "  - \($0)\n" }.joined())
        let outcome = ScenarioComparison(
            scenario, before: try AccountText.account(row.account),
            after: try AccountText.account(row.account + "\npolicy: default,strict,default"), changeTime: row.at
        ).run()
        #expect(outcome.unmet == row.unmet)
    }

    @Test("a domain that gives no tokens is compared by its pins alone") func requestsWithoutTokensAreCompared() throws
    {
        let row = Row(
            name: "pins only", before: "apis: [{domain: api.example.com, type: pinOnly, pins: ['key:LEAF']}]",
            after: "apis: [{domain: api.example.com, type: pinOnly, pins: ['key:OTHER']}]",
            devices: "backends: {api.example.com: {chain: [LEAF], token: ignored}}\ndevices: {bob: {}, amy: {}}",
            steps: ["{at: 0s, request: all, to: api.example.com}"], differences: [], rejected: 0, blocked: 2,
            headline: "")
        let comparison = try Self.compare(row)
        #expect(comparison.changes.attestations == 0)
        #expect(comparison.changes.newlyBlocked == 2)
        #expect(comparison.evaluatesAnything)
    }
}

/// The certainty of an answer, in the headline and for programs.
@Suite struct CertaintyTests {
    struct Row: LabelledRow {
        let name: String
        /// Devices in all, those that lose or gain valid tokens, and those of which nothing is known.
        let devices, lockedOut, letIn, unevaluated: Int
        /// Devices that are newly rejected, and newly accepted, at some time; by default none at others than always.
        var rejected = 0, accepted = 0
        /// The effects that cannot be evaluated.
        var sentences: [String] = []
        let certainty: String
        let headline: String
        /// Bounds of the devices that lose valid tokens.
        let bounds: String
    }

    static let rows = [
        Row(
            name: "everything is known", devices: 2000, lockedOut: 104, letIn: 0, unevaluated: 0, certainty: "exact",
            headline: "104 of 2,000 devices (5.2 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":104,"at-most":104}"#),
        Row(
            name: "some devices are not known", devices: 2000, lockedOut: 104, letIn: 3, unevaluated: 12,
            certainty: "bounded",
            headline: "between 104 and 116 of 2,000 devices (5.2 % to 5.8 %) would stop getting valid tokens; "
                + "between 3 and 15 would start; ",
            bounds: #"{"at-least":104,"at-most":116}"#),
        Row(
            name: "none is counted and some are not known", devices: 10, lockedOut: 0, letIn: 0, unevaluated: 1,
            certainty: "bounded",
            headline: "between 0 and 1 of 10 devices (0.0 % to 10.0 %) would stop getting valid tokens; "
                + "between 0 and 1 would start; ",
            bounds: #"{"at-least":0,"at-most":1}"#),
        Row(
            name: "some devices are not known, and some change sides at times", devices: 2000, lockedOut: 4, letIn: 3,
            unevaluated: 12, rejected: 104, accepted: 5, certainty: "bounded",
            headline: "between 104 and 116 of 2,000 devices (5.2 % to 5.8 %) would get no valid tokens at times, "
                + "between 4 and 16 would stop getting them; between 5 and 17 would get valid tokens at more times, "
                + "between 3 and 15 would start; ",
            bounds: #"{"at-least":4,"at-most":16}"#),
        Row(
            name: "a service changes", devices: 10, lockedOut: 1, letIn: 0, unevaluated: 0,
            sentences: ["DeviceCheck changes, and a capture tells only what it found as it was"], certainty: "open",
            headline:
                "as far as is known, 1 of 10 devices (10.0 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":null,"at-most":null}"#),
        Row(
            name: "what is not known does not matter to this change", devices: 10, lockedOut: 1, letIn: 0,
            unevaluated: 0,
            sentences: [Figures.Unevaluated.newDeviceReason + ": effects that depend on it are left out"],
            certainty: "exact",
            headline: "1 of 10 devices (10.0 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":1,"at-most":1}"#),
    ]

    @Test(arguments: rows) func theHeadlineSaysHowSureItIs(_ row: Row) {
        var changes = ComparisonFigures()
        (changes.devices, changes.lockedOut, changes.letIn) = (row.devices, row.lockedOut, row.letIn)
        (changes.rejected.devices, changes.accepted.devices) = (row.rejected, row.accepted)
        changes.unevaluated.devices = row.unevaluated
        let side = Comparison.Side(figures: Figures())
        var comparison = Comparison(
            before: side, after: side, accounts: ComparedAccounts(before: Account(), after: Account()),
            changes: changes, isCapture: true)
        comparison.unevaluated = row.sentences
        let text = TextWriter().text(of: comparison.sections)
        #expect(text.hasPrefix(row.headline))
        let json = String(decoding: JSONComparison.bytes(of: comparison), as: UTF8.self)
        #expect(json.contains(#""certainty":{"answer":"\#(row.certainty)","#))
        #expect(json.contains(#""locked-out":\#(row.bounds)"#))
    }
}

/// The names that stand for devices in comparisons.
@Suite struct DeviceNamesTests {
    private static let key = PseudonymKey(from: Array("a key of a test".utf8))
    private static let devices = (0..<5_000).map { DeviceID(first: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, second: 7) }

    @Test("several names are those of each device, sorted, whatever the number of threads", arguments: [1, 2, 7])
    func sorted(jobs: Int) {
        let names = DeviceNames(Self.key)
        let expected = Self.devices.map { names.name(of: $0) }.sorted()
        #expect(names.sorted(of: Self.devices, jobs: jobs).map(\.text) == expected)
    }

    @Test("who asks again about some of the devices gets the same names") func kept() {
        let names = DeviceNames(Self.key)
        _ = names.sorted(of: Array(Self.devices[1_000..<3_000]), jobs: 2)
        let again = names.sorted(of: Array(Self.devices[..<2_000]), jobs: 2)
        #expect(again == DeviceNames(Self.key).sorted(of: Array(Self.devices[..<2_000]), jobs: 1))
        #expect(Set(again).count == 2_000)
        #expect(names.sorted(of: [], jobs: 2).isEmpty)
    }
}
