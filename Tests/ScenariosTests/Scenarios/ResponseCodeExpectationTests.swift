import Testing

@testable import Scenarios
@testable import TestSupport

/// Expectations of scenarios about response codes (R12; formats: Scenario, `arc`).
@Suite struct ResponseCodeExpectationTests {
    // Of the account `test-account`: what the formats and the rules show.
    private static let (phone, plain) = ("Z4KPZO2QI4", "UDBQD4PPXM")
    private static let flags = "app-not-registered, jailbroken, new-did, risky-device"

    // A phone that fails with those flags, and a device that passes without any.
    private static func scenario(_ expectation: String, group: String) -> String {
        """
        scenario: s
        account: {account: test-account}
        devices: {phone: {os: ios, registered: false, flags: [jailbroken]}, plain: {}}
        steps:
          - {at: 0s, fetch: plain}
          - {at: 300s, fetch: \(group), expect: {arc: \(expectation)}}

        """
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let group, text: String
        let passed: Bool
        let expected, actual: String
        var testDescription: String { "\(group): \(text)" }

        static func holds(_ group: String, _ text: String, _ expected: String) -> Row {
            Row(group: group, text: text, passed: true, expected: expected, actual: expected)
        }

        static func fails(_ group: String, _ text: String, _ expected: String, _ actual: String) -> Row {
            Row(group: group, text: text, passed: false, expected: expected, actual: actual + " (device ID)")
        }
    }

    static let holding: [Row] = [
        .holds("phone", "failed", "failed"), .holds("phone", "'failed'", "failed"),
        .holds("phone", "{failed: [\(flags)]}", "failed [\(flags)]"),
        .holds("phone", "{failed: [risky-device, new-did, jailbroken, app-not-registered]}", "failed [\(flags)]"),
        .holds("phone", "{status: failed}", "failed"),
        .holds("phone", "{status: failed, flags: [\(flags)]}", "failed [\(flags)]"),
        .holds("phone", "{flags: [\(flags)], status: failed}", "failed [\(flags)]"),
        .holds("phone", phone, phone), .holds("phone", "z4kpzo2qi4", phone), .holds("phone", "Z4kpZo2Qi4", phone),
        .holds("plain", "passed", "passed"), .holds("plain", "{passed: []}", "passed []"),
        .holds("plain", "{status: passed}", "passed"), .holds("plain", "{status: passed, flags: []}", "passed []"),
        .holds("plain", plain, plain),
    ]

    static let failing: [Row] = [
        .fails("phone", "passed", "passed", "failed [\(flags)]"),
        .fails("phone", "{passed: []}", "passed []", "failed [\(flags)]"),
        .fails("phone", "{passed: [\(flags)]}", "passed [\(flags)]", "failed [\(flags)]"),
        .fails("phone", "{failed: []}", "failed []", "failed [\(flags)]"),
        .fails("phone", "{failed: [jailbroken]}", "failed [jailbroken]", "failed [\(flags)]"),
        .fails(
            "phone", "{failed: [app-not-registered, jailbroken, new-did, risky-device, frida]}",
            "failed [app-not-registered, frida, jailbroken, new-did, risky-device]", "failed [\(flags)]"),
        .fails("phone", "{status: passed}", "passed", "failed [\(flags)]"),
        .fails("phone", "{status: failed, flags: []}", "failed []", "failed [\(flags)]"),
        .fails("phone", plain, plain, phone), .fails("phone", "none", "none", phone),
        .fails("plain", "failed", "failed", "passed []"), .fails("plain", "none", "none", plain),
        .fails("plain", "{passed: [new-did]}", "passed [new-did]", "passed []"),
        .fails("plain", phone, phone, plain),
    ]

    private static func withoutIDs(_ text: String) -> String {
        text.replacing(/device [A-Za-z0-9+\/]{22}==/, with: "device ID")
    }

    @Test("R12.3 is checked, and the actual meaning shown", arguments: holding + failing) func isChecked(_ row: Row)
        throws
    {
        let results = try ScenarioText.run(Self.scenario(row.text, group: row.group)).expectations
        #expect(results.map(\.passed) == [row.passed])
        #expect(results.map(\.expected) == [row.expected])
        #expect(results.map { Self.withoutIDs($0.actual) } == [row.actual])
        #expect(results.map(\.message) == ["arc of all"])
    }

    @Test("R12.1 one of several that differ is shown") func several() throws {
        let results = try ScenarioText.run(
            """
            devices: {stock: {count: 4}, bad: {count: 3, flags: [frida]}}
            steps: [{at: 0s, fetch: all, expect: [{arc: passed}, {group: stock, arc: {passed: [new-did]}}]}]
            """
        ).expectations
        #expect(results.map(\.passed) == [false, true])
        let actual = Self.withoutIDs(results.first?.actual ?? "")
        #expect(actual == "failed [frida, new-did, risky-device] (device ID, one of 3 that differ)")
    }

    @Test("R12 a fetch without a token has no code") func noToken() throws {
        let results = try ScenarioText.run(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, network: {group: bob, state: none}}
              - {at: 0s, fetch: bob, expect: [{arc: none}, {arc: passed}, {arc: {failed: []}}]}
            """
        ).expectations
        #expect(results.map(\.passed) == [false, false, false])
        #expect(
            results.map { Self.withoutIDs($0.actual) }
                == Array(repeating: "no token, NO_NETWORK (device ID)", count: 3))
    }

    static let withoutCodes = ScenarioRow.table(
        """
        devices: {bob: {}, bad: {flags: [frida]}}
        == off in the account (R12.4)
        account: {arc: off}
        - {at: 0s, fetch: all, expect: {arc: none}}
        == off by command, after the propagation (R1.5, R12.4)
        devices: {bob: {}, amy: {}, eve: {}}
        - {at: 0s, fetch: eve}
        - {at: 100s, approov: policy -setARC off}
        - {at: 129s, fetch: bob, expect: {arc: {passed: [new-did]}}}
        - {at: 130s, fetch: amy, expect: {arc: none}}
        # Cached tokens keep theirs.
        - {at: 299s, fetch: eve, expect: {cached: 1, arc: {passed: [new-did]}}}
        - {at: 300s, fetch: eve, expect: {attested: 1, arc: none}}
        - {at: 428s, fetch: bob, expect: {cached: 1, arc: passed}}
        - {at: 500s, approov: policy -setARC on}
        - {at: 529s, launch: [bob, eve]}
        - {at: 529s, fetch: bob, expect: {arc: none}}
        - {at: 530s, fetch: eve, expect: {arc: {passed: []}}}
        == the failover (R12.4, R14.3)
        - {at: 0s, outage: primary, until: 5m}
        - {at: 60s, fetch: all, expect: [{arc: none}, {group: bad, verdict: fail}]}
        - {at: 300s, launch: all}
        - {at: 300s, fetch: all, expect: [{group: bob, arc: passed}, {group: bad, arc: failed}]}
        == one account off, another on
        accounts: {a: {arc: off}, b: {}}
        devices: {one: {account: a}, two: {account: b}}
        - {at: 0s, fetch: all, expect: [{group: one, arc: none}, {group: two, arc: passed}]}
        """)

    static let meanings = ScenarioRow.table(
        """
        == flags that lie behind the first set: sixteen characters (R12.1)
        account: {flags: [{name: x37}, {name: x38}, {name: x39}, {name: x40, risk: true}]}
        devices: {bob: {flags: [x39]}, amy: {flags: [x38]}, eve: {flags: [x37, x40, rooted]}}
        - at: 0s
          fetch: all
          expect:
            - {group: bob, arc: {passed: [new-did, x39]}}
            - {group: amy, arc: {passed: [new-did, x38]}}
            - {group: eve, arc: {failed: [rooted, new-did, risky-device, x37, x40]}}
        == a change of the policy changes the status alone
        account: {propagation: 0s}
        devices: {bob: {flags: [rooted]}}
        - {at: 0s, fetch: bob, expect: {arc: {failed: [rooted, new-did, risky-device]}}}
        - {at: 1s, approov: "policy -set default,allow-root,default"}
        - {at: 300s, fetch: bob, expect: {arc: {passed: [rooted, risky-device]}}}
        == rejecting filters fail without a flag
        account: {filters: [{name: f, key: ip, match: x, reject: true}]}
        devices: {bob: {attributes: {ip: x}}}
        - {at: 0s, fetch: bob, expect: {verdict: fail, arc: {failed: [new-did]}}}
        == a repeated fetch, by cached tokens too
        devices: {bob: {flags: [root-risk]}}
        - {at: 0s, fetch: bob, every: 10s, until: 110s, expect: {arc: {status: passed}, cached: 11}}
        """)

    @Test("R12 what codes mean, and where there are none", arguments: withoutCodes + meanings)
    func holds(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    // Each account has a secret of its own, by its name (R12.2).
    private static func accounts(_ name: String, _ expectations: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(
            name,
            """
            scenario: s
            accounts: {a: {account: test-account}, b: {account: other}}
            devices: {one: {account: a}, two: {account: b}}
            steps: [{at: 0s, fetch: all, expect: [\(expectations)]}]

            """, problems)
    }

    private static let forms = "`arc` is `passed`, `failed`, `none`, a code, or such as `{failed: [rooted]}`"

    private static func notACode(_ text: String) -> String {
        "`\(text)` is neither a status nor a code of this account"
    }

    static let refused: [LoaderRow] = [
        accounts("a code of this account", "{group: one, arc: KTF6LXEPX4}"),
        accounts(
            "a code of another account", "{group: two, arc: ①KTF6LXEPX4}",
            Problem("①", notACode("KTF6LXEPX4"), hint: forms)),
        accounts(
            "a mistyped code", "{group: one, arc: ①KTF6LXEPX5}", Problem("①", notACode("KTF6LXEPX5"), hint: forms)),
        accounts("a short code", "{group: one, arc: ①KTF6LXEPX}", Problem("①", notACode("KTF6LXEPX"), hint: forms)),
        // R12.3: a zero is not guessed to be an O.
        accounts(
            "a digit for a letter", "{group: one, arc: ①UDBQD4PPX0}",
            Problem("①", notACode("UDBQD4PPX0"), hint: forms)),
        accounts("another status", "{group: one, arc: ①pass}", Problem("①", notACode("pass"), hint: forms)),
        accounts(
            "another status by name", "{group: one, arc: {status: ①pass}}",
            "① `status` must be `passed` or `failed`, not `pass`"),
        accounts(
            "flags without status", "{group: one, arc: ①{flags: [rooted]}}",
            "① `arc` needs one of `passed`, `failed` and `status`"),
        accounts(
            "flags twice", "{group: one, arc: {failed: [rooted], flags: ①[rooted]}}", "① `flags` needs `status`"),
        accounts(
            "two statuses", "{group: one, arc: ①{failed: [], status: failed}}",
            "① `arc` needs one of `passed`, `failed` and `status`"),
        accounts(
            "an unknown key", "{group: one, arc: {failed: [], ①flag: []}}",
            "① unknown key `flag` in `arc`; hint: did you mean `flags`?"),
        accounts(
            "text for flags", "{group: one, arc: {passed: ①rooted}}",
            "① `flags` must be a list, not text; hint: write `[rooted]`"),
        accounts("a list", "{group: one, arc: ①[passed]}", "① `arc` must be text, not a list"),
    ]

    @Test("R12.1 a code that this account could never issue would never be found", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(isLoaded == row.problems.isEmpty)
    }

    // F is 63: the built-in flags and 26 declared ones (R12.2).
    @Test("R12.2 a flag that no code contains is refused") func unencodable() throws {
        let flags = (1...28).map { "{name: x\($0)}" }.joined(separator: ", ")
        let row = LoaderRow(
            "",
            """
            scenario: s
            account: {flags: [\(flags)]}
            devices: {bob: {flags: [x26, x27]}}
            steps:
              - {at: 0s, fetch: bob, expect: {arc: {passed: [new-did, x26, ①x27]}}}
              - {at: 1s, fetch: bob, expect: {arc: {status: passed, flags: [②x28]}}}

            """,
            [
                "① no response code contains flag `x27`",
                "② no response code contains flag `x28`",
            ])
        #expect(row.outcome.found == row.outcome.expected)
        let plain = row.text.replacing(", ①x27", with: "").replacing("{status: passed, flags: [②x28]}", with: "passed")
        #expect(try ScenarioText.failures(plain) == [])
    }
}
