import Testing

@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The limits of installs with an old SDK (R7.8, R9.1, R21.4).
@Suite struct SDKVersionScenarioTests {
    private static func version(_ text: String) -> String { "attributes: {sdk-version: '\(text)'}" }

    static let rows = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com}]}
        == R7.8 user properties need 2.5.0
        account: {propagation: 0s, filters: [{name: gold, key: user-property, match: gold}]}
        devices:
          old: {attributes: {user-property: gold, sdk-version: 2.4.9}}
          new: {attributes: {user-property: gold, sdk-version: 2.5.0}}
          late: {attributes: {sdk-version: 2.10.0, user-property: gold}}
          silent: {attributes: {user-property: gold}}
        - at: 0s
          fetch: all
          expect:
            - {group: old, filters: []}
            - {group: new, filters: [gold]}
            - {group: late, filters: [gold]}
            - {group: silent, filters: [gold]}
        # What the app sets is sent once its SDK can.
        - {at: 1m, set: {group: old, attributes: {sdk-version: 2.5.1-bitcode}}}
        - {at: 1m, launch: old}
        - {at: 1m, fetch: old, expect: {attested: 1, filters: [gold]}}
        == R9.1 SafetyNet needs 2.4.0: with an older one it is missing
        account: {safetynet: {api-key: k}}
        devices:
          old: {os: android, safetynet: fail-token, \(version("2.3.9"))}
          new: {os: android, safetynet: fail-token, \(version("2.4.0"))}
          late: {os: android, safetynet: fail-token, \(version("2.10"))}
          silent: {os: android, safetynet: fail-token}
        - at: 0s
          fetch: all
          expect:
            - {group: old, verdict: pass, flags: [new-did, safetynet-missing]}
            - {group: new, verdict: fail, rejections: [safetynet-fail-token]}
            - {group: late, rejections: [safetynet-fail-token]}
            - {group: silent, rejections: [safetynet-fail-token]}
        - {at: 1m, set: {group: old, attributes: {sdk-version: 2.4.0}}}
        - {at: 1m, launch: old}
        - {at: 1m, fetch: old, expect: {verdict: fail, rejections: [safetynet-fail-token]}}
        == R21.4 message signatures need 2.5.0, and older apps are refused once signatures are wanted
        devices: {old: {\(version("2.4.9"))}, new: {\(version("2.5.0"))}, silent: {}}
        - {at: 0s, request: all, to: a.com, expect: {accepted: 3}}
        - {at: 1s, approov: secret -messageSigningKey change}
        - at: 5m
          request: all
          to: a.com
          expect:
            - {group: old, refused: 1, token: {claims: {mskid: any}}}
            - {group: new, accepted: 1}
            - {group: silent, accepted: 1}
        # The token is the same, and the SDK another.
        - {at: 301s, set: {group: old, attributes: {sdk-version: 2.5.0}}}
        - {at: 302s, request: old, to: a.com, expect: {cached: 1, accepted: 1}}
        # Two of each of the others, with a key and without one, and one of `old`.
        expect: {metrics: {sdk-calls-message-signature: 5}}
        """)

    @Test("R7.8, R9.1, R21.4 what old SDKs cannot do", arguments: rows) func bounds(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R7.8, R9.1 a generated capture lacks it, too") func generated() throws {
        let text = """
            scenario: s
            account: {safetynet: {api-key: k}}
            devices:
              old: {count: 2, os: android, safetynet: pass, attributes: {user-property: gold, sdk-version: 2.3.9}}
              new: {count: 3, os: android, safetynet: pass, attributes: {user-property: gold, sdk-version: 2.5.0}}

            """
        let lines = try GeneratedCapture(text, count: 200) { $0.format = .jsonl }.text.split(separator: "\n")
        let (old, new) = (lines.filter { $0.contains("2.3.9") }, lines.filter { $0.contains("2.5.0") })
        #expect(!old.isEmpty && !new.isEmpty && old.count + new.count == 200)
        for line in old { #expect(line.contains("safetynet-missing") && !line.contains("user-property"), "\(line)") }
        for line in new { #expect(line.contains("safetynet-completed") && line.contains("\"gold\""), "\(line)") }
    }
}

@Suite struct UserPropertyTests {
    static let rows: [Case<String, String?>] = [
        Case("plain", "user 17, gold", gives: "user 17, gold"), Case("empty", "", gives: ""),
        Case("quotes and slashes", "a\"b/c\\d'e", gives: "a?b?c\\d'e"),
        Case("the ends of printable ASCII", " ~", gives: " ~"),
        Case("control characters", "a\tb\nc\u{7F}d\0", gives: "a?b?c?d?"),
        Case("a letter beyond ASCII", "Zoë", gives: "Zo?"),
        Case("the longest", String(repeating: "x", count: 128), gives: String(repeating: "x", count: 128)),
        Case("too long", String(repeating: "x", count: 129), gives: nil),
        Case("the longest of others", String(repeating: "é", count: 128), gives: String(repeating: "?", count: 128)),
    ]

    @Test(arguments: rows) func isCleaned(_ row: Case<String, String?>) {
        #expect(UserProperty.sent(row.input) == row.expected)
    }

    @Test(arguments: [("gold/1", "gold?1", 1), ("gold/1", "gold/1", 0)])
    func filtersSeeWhatTheClientSends(property: String, match: String, count: Int) throws {
        let result = try ScenarioText.run(
            """
            account: {filters: [{name: gold, key: user-property, match: '\(match)'}]}
            devices: {bob: {attributes: {user-property: '\(property)'}}}
            steps: [{at: 0s, fetch: bob, expect: {filters: {gold: \(count)}}}]
            """)
        #expect(result.passed)
    }

    @Test func aPropertyThatIsTooLongIsIgnored() throws {
        let long = String(repeating: "x", count: 129)
        let result = try ScenarioText.run(
            """
            account: {filters: [{name: any, key: user-property, regex: '.'}, {name: short, key: user-property, match: s}]}
            devices: {bob: {attributes: {user-property: \(long)}}}
            steps:
              - {at: 0s, fetch: bob, expect: {filters: []}}
              - {at: 1h, set: {group: bob, attributes: {user-property: s}}}
              - {at: 1h, fetch: bob, expect: {filters: [any, short]}}
              - {at: 2h, set: {group: bob, attributes: {user-property: \(long)}}}
              - {at: 2h, fetch: bob, expect: {filters: [any, short]}}
            """)
        #expect(result.passed)
    }
}

/// Why a client attests, as filters see it (R14.2b).
@Suite struct AttestReasonTests {
    private static let filters = """
        account:
          propagation: 0s
          apis: [{domain: a.com}]
          filters:
            - {name: launch, key: attest-reason, match: launch}
            - {name: expiry, key: attest-reason, match: expiry}
            - {name: change, key: attest-reason, match: change}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios}}
        steps:

        """

    private static func steps(_ lines: String...) -> String {
        filters + lines.map { "  - {\($0)}\n" }.joined()
    }

    private static func fetch(_ time: String, _ reason: String, more: String = "") -> String {
        "at: \(time), fetch: bob\(more), expect: {attested: 1, filters: [\(reason)]}"
    }

    static let rows = [
        ScenarioRow("the first of an install", steps(fetch("0s", "launch"))),
        ScenarioRow(
            "after a launch", steps(fetch("0s", "launch"), "at: 400s, launch: bob", fetch("401s", "launch"))),
        ScenarioRow("after an install", steps(fetch("0s", "launch"), "at: 1s, reinstall: bob", fetch("2s", "launch"))),
        ScenarioRow(
            "after an install that keeps the ID",
            steps(fetch("0s", "launch"), "at: 1s, reinstall: {group: bob, keep-id: true}", fetch("2s", "launch"))),
        ScenarioRow("after a reset", steps(fetch("0s", "launch"), "at: 1s, factory-reset: bob", fetch("2s", "launch"))),
        ScenarioRow("the token had expired", steps(fetch("0s", "launch"), fetch("300s", "expiry"))),
        ScenarioRow(
            "once more", steps(fetch("0s", "launch"), fetch("300s", "expiry"), fetch("600s", "expiry"))),
        ScenarioRow(
            "a flag was added",
            steps(fetch("0s", "launch"), "at: 1s, set: {group: bob, flags: [automated]}", fetch("2s", "change"))),
        ScenarioRow(
            "other data",
            steps(fetch("0s", "launch"), "at: 1s, bind: {group: bob, data: a}", fetch("2s", "change"))),
        ScenarioRow(
            "data before the first",
            steps("at: 0s, bind: {group: bob, data: a}", fetch("0s", "launch"))),
        ScenarioRow(
            "a domain that the token is not for",
            steps(
                fetch("0s", "launch"), "at: 1s, approov: api -add b.com", fetch("2s", "change", more: ", domain: b.com")
            )
        ),
        ScenarioRow(
            "expired, with a flag more",
            steps(fetch("0s", "launch"), "at: 1s, set: {group: bob, flags: [automated]}", fetch("300s", "expiry"))),
        ScenarioRow(
            "a launch without network does not count",
            steps(
                fetch("0s", "launch"), "at: 1s, launch: bob", "at: 1s, network: {group: bob, state: none}",
                "at: 2s, fetch: bob, expect: {result: NO_NETWORK}", "at: 3s, network: {group: bob, state: ok}",
                fetch("4s", "launch"))),
        ScenarioRow(
            "the failover was asked for the launch",
            steps(
                "at: 0s, outage: primary, until: 2m", "at: 1m, fetch: bob, expect: {attested: 1, arc: none}",
                fetch("360s", "expiry"))),
        ScenarioRow(
            "what the scenario says is kept",
            steps("at: 0s, set: {group: bob, attributes: {attest-reason: expiry}}", fetch("1s", "expiry"))),
    ]

    @Test("R14.2b an attestation says why it is made", arguments: rows) func reason(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R14.2b device -getInfo shows it") func isShown() throws {
        let output = try RunOutput(
            "scenario: s\n"
                + Self.steps(
                    "at: 0s, fetch: bob, expect: {attested: 1}", "at: 1s, approov: device -getInfo new-did"))
        #expect(output.lines.filter { $0.hasPrefix("attest-reason") } == ["attest-reason: launch"])
    }
}

/// Data that tokens are bound to and that changes by itself (R19.1a).
@Suite struct ChangingBindingTests {
    private static let bob = "id: h4gubfCFzJu81j/U2BJsdg=="
    private static let own = "h4gubfCFzJu81j/U2BJsdg=="

    static let rows = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com}]}
        == R19.1a the fetch after a change attests
        # The token of 3m would last until 8m.
        devices: {bob: {\(bob)}}
        - {at: 0s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: none}}}}
        - {at: 1s, binding: {group: bob, every: 3m}}
        - {at: 1s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)}}}}}
        - {at: 3m, fetch: bob, domain: a.com, expect: {cached: 1}}
        - {at: 181s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/1}}}}}
        - {at: 360s, fetch: bob, domain: a.com, expect: {cached: 1}}
        - {at: 361s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/2}}}}}
        # At 1s, 181s and 361s.
        expect: {metrics: {sdk-calls-set-data-hash: 3}}
        == R19.1a a header that changes by itself
        devices: {bob: {\(bob), client: {binding-header: Session}}}
        - {at: 0s, binding: {group: bob, every: 3m}}
        - {at: 0s, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)}}}}}
        - {at: 1m, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 3m, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)/1}}}}}
        # What a step says goes before.
        - {at: 4m, request: bob, to: a.com, data: x, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: x}}}}}
        - {at: 4m, request: bob, to: a.com, data: x, expect: {cached: 1, accepted: 1}}
        - {at: 5m, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)/1}}}}}
        == R19.1a it ends when data is bound, and not with the install
        devices: {bob: {\(bob), os: android}}
        - {at: 0s, binding: {group: bob, every: 1m}}
        - {at: 0s, fetch: bob, expect: {attested: 1}}
        - {at: 1m, reinstall: bob}
        - {at: 1m, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/1}}}}}
        - {at: 2m, bind: {group: bob, data: session}}
        - {at: 2m, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: session}}}}}
        - {at: 4m, fetch: bob, expect: {cached: 1}}
        == R19.1a calls bind, too; each device has a value of its own
        account: {features: [custom-jwt]}
        devices: {bob: {\(bob)}, amy: {id: DoYouReadThisText01234==}}
        - {at: 0s, binding: {group: all, every: 1m}}
        - at: 1m
          custom-jwt: {group: all, payload: '{}'}
          expect:
            - {group: bob, token: {claims: {pay: {data: \(own)/1}}}}
            - {group: amy, token: {claims: {pay: {data: DoYouReadThisText01234==/1}}}}
        """)

    @Test("R19.1a what is bound changes by itself", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let refused: [LoaderRow] = [
        .steps("R19.1a no time", "- {at: 0s, binding: ①{group: bob}}", "① `every` is missing from `binding`"),
        .steps("R19.1a nobody", "- {at: 0s, binding: ①{every: 3m}}", "① `group` is missing from `binding`"),
        .steps("R19.1a always", "- {at: 0s, binding: {group: bob, every: ①0s}}", "① `every` must be at least `1s`"),
        .steps("R19.1a text", "- {at: 0s, binding: ①bob}", "① `binding` must be a mapping, not text"),
    ]

    @Test("R19.1a says what is wrong", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
