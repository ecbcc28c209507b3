import Testing

@testable import TestSupport

/// Groups that share the hardware (R1.3, R8.10; formats: Scenario, `physical`).
@Suite struct SharedHardwareTests {
    private static func differ(_ first: String, _ second: String, _ name: String = "p") -> String {
        "groups `\(first)` and `\(second)` share the hardware `\(name)`, but describe it differently"
    }

    static let conflicts: [LoaderRow] = [
        .head(
            "two systems", "devices: {a: {os: ios, physical: p}, ①b: {os: android, physical: p}}",
            Problem("①", differ("a", "b"))),
        .head(
            "available and not",
            "devices: {a: {os: ios, physical: p, devicecheck: available}, "
                + "①b: {os: ios, physical: p, devicecheck: unavailable}}", Problem("①", differ("a", "b"))),
        .head(
            "other outcomes of SafetyNet (R14.2c)",
            "devices: {a: {os: android, physical: p, safetynet: pass}, "
                + "①b: {os: android, physical: p, safetynet: unavailable}}", Problem("①", differ("a", "b"))),
        .head(
            "other bits",
            "devices: {a: {os: ios, physical: p, devicecheck: {state: available, bits: 1}}, "
                + "①b: {os: ios, physical: p, devicecheck: {state: available, bits: 2}}}",
            Problem("①", differ("a", "b"))),
        .head(
            "bits of other months",
            "devices: {a: {os: ios, physical: p, devicecheck: {state: available, bits: 1, changed: 2019-01}}, "
                + "①b: {os: ios, physical: p, devicecheck: {state: available, bits: 1, changed: 2019-02}}}",
            Problem("①", differ("a", "b"))),
        .head(
            "the third and the first",
            "devices: {a: {os: ios, physical: p}, b: {os: ios, physical: p}, ①c: {os: android, physical: p}}",
            Problem("①", differ("a", "c"))),
        .head(
            "two of one name and two of another",
            "devices: {a: {os: ios, physical: p}, b: {os: android, physical: q}, ①c: {os: ios, physical: q}, "
                + "②d: {os: android, physical: p}}", Problem("①", differ("b", "c", "q")),
            Problem("②", differ("a", "d"))),
        .head(
            "the third and what the second said",
            "devices: {a: {os: ios, physical: p}, b: {os: ios, physical: p, devicecheck: available}, "
                + "①c: {os: ios, physical: p, devicecheck: unavailable}}", Problem("①", differ("a", "c"))),
        .head(
            "the third and the system that the second said",
            "devices: {a: {physical: p}, b: {os: ios, physical: p}, ①c: {os: android, physical: p}}",
            Problem("①", differ("a", "c"))),
        .twoAccounts(
            "in two accounts",
            "devices: {one: {account: a, os: ios, physical: p}, ①two: {account: b, os: android, physical: p}}",
            Problem("①", differ("one", "two"))),
    ]

    @Test("formats: what cannot be the same hardware is an error", arguments: conflicts)
    func conflict(_ row: LoaderRow) { row.expect(isLoaded: false) }

    static let agreements: [LoaderRow] = [
        .head(
            "the same words",
            "devices: {a: {os: ios, physical: p, devicecheck: {state: available, bits: 1, changed: 2019-01}}, "
                + "b: {os: ios, physical: p, devicecheck: {state: available, bits: 1, changed: 2019-01}}}"),
        .head("one that says less", "devices: {a: {os: ios, physical: p, devicecheck: available}, b: {physical: p}}"),
        .head(
            "bits of one, and a state",
            "devices: {a: {os: ios, physical: p, devicecheck: {state: available, bits: 1}}, "
                + "b: {os: ios, physical: p, devicecheck: available}}"),
        .head("other hardware", "devices: {a: {os: ios, physical: p}, b: {os: android, physical: q}}"),
        .head("hardware of their own", "devices: {a: {os: ios}, b: {os: android}}"),
        .head(
            "other attributes and flags",
            "devices: {a: {os: ios, physical: p, flags: [jailbroken]}, b: {os: ios, physical: p, attributes: {ip: x}}}"),
    ]

    @Test("formats: what can be the same hardware is taken", arguments: agreements)
    func agreement(_ row: LoaderRow) { row.expect(isLoaded: true) }

    static let sharing = ScenarioRow.table(
        """
        account: {safetynet: {api-key: k}}
        == a ban in one group is found in the other (R8.4)
        account:
          propagation: 0s
          devicecheck: {team-id: T, key-id: K, bits: bit0}
          devices: [{id: h4gubfCFzJu81j/U2BJsdg==, ban-mode: ban}]
        devices:
          one: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios, physical: p, devicecheck: available}
          two: {os: ios, physical: p, devicecheck: available}
          other: {os: ios, devicecheck: available}
        # The ban of step 3 is there for the DeviceCheck of step 4 (R10).
        - {at: 0s, fetch: one, expect: {verdict: fail, rejections: [did-ban, devicecheck-ban]}}
        - {at: 1s, fetch: two, expect: {verdict: fail, rejections: [devicecheck-ban]}}
        - {at: 1s, fetch: other, expect: {verdict: pass}}
        == what one group says holds for the other: the system and the state
        account: {devicecheck: {team-id: T, key-id: K, bits: bit0}}
        devices:
          one: {os: ios, physical: p, devicecheck: {state: available, bits: 1}}
          two: {physical: p}
        - {at: 0s, fetch: all, expect: {rejections: [devicecheck-ban]}}
        == what one group says holds for the other: SafetyNet (R14.2c)
        devices:
          one: {physical: p}
          two: {os: android, physical: p, safetynet: fail-token}
        - {at: 0s, fetch: all, expect: {rejections: [safetynet-fail-token]}}
        == what `set` says of a phone holds for every install on it (R14.2c)
        account: {devicecheck: {team-id: T, key-id: K, bits: bit0}, safetynet: {api-key: k}}
        devices:
          one: {count: 2, os: ios, physical: p, devicecheck: available}
          two: {count: 3, os: ios, physical: p, devicecheck: available}
          third: {os: android, physical: q, safetynet: pass}
          fourth: {os: android, physical: q, safetynet: pass}
          other: {os: ios, devicecheck: available}
        - {at: 0s, set: {group: one, devicecheck: invalid}}
        - {at: 0s, set: {group: fourth, safetynet: fail-token}}
        - at: 1s
          fetch: all
          expect:
            - {group: one, rejections: [devicecheck-failed]}
            # The third phone has no app of the other group.
            - {group: two, fail: 2, pass: 1, rejections: {devicecheck-failed: 2}}
            - {group: third, rejections: [safetynet-fail-token]}
            - {group: fourth, rejections: [safetynet-fail-token]}
            - {group: other, verdict: pass}
        == but flags and attributes are those of the install
        account: {filters: [{name: f, key: ip, match: x}]}
        devices: {one: {os: ios, physical: p}, two: {os: ios, physical: p}}
        - {at: 0s, set: {group: one, flags: [jailbroken], attributes: {ip: x}}}
        - at: 1s
          fetch: all
          expect: [{group: one, rejections: [jailbroken], filters: [f]}, {group: two, verdict: pass, filters: []}]
        == devices of the same number share, where groups have several
        account:
          propagation: 0s
          devicecheck: {team-id: T, key-id: K, bits: bit0}
          filters: [{name: f, key: ip, match: bad, ban: true}]
        devices:
          one: {count: 3, os: ios, physical: p, devicecheck: available, attributes: {ip: bad}}
          two: {count: 5, os: ios, physical: p, devicecheck: available}
        - {at: 0s, fetch: one, expect: {fail: 3, rejections: [did-ban]}}
        - {at: 1s, fetch: two, expect: {fail: 3, pass: 2, rejections: {devicecheck-ban: 3}}}
        == a reinstall keeps the hardware (R1.3)
        account:
          propagation: 0s
          devicecheck: {team-id: T, key-id: K, bits: bit1}
          filters: [{name: f, key: ip, match: bad, ban: true}]
        devices:
          one: {os: ios, physical: p, devicecheck: available, attributes: {ip: bad}}
          two: {os: ios, physical: p, devicecheck: available}
        - {at: 0s, fetch: two, expect: {verdict: pass}}
        - {at: 1s, fetch: one, expect: {verdict: fail}}
        - {at: 2s, reinstall: two}
        - {at: 3s, fetch: two, expect: {verdict: fail, rejections: [devicecheck-ban]}}
        == SafetyNet's five a minute are those of the hardware (R9.3)
        devices:
          a: {os: android, physical: p, safetynet: pass}
          b: {os: android, physical: p, safetynet: pass}
          c: {os: android, physical: p, safetynet: pass}
          d: {os: android, physical: p, safetynet: pass}
          e: {os: android, physical: p, safetynet: pass}
          f: {os: android, physical: p, safetynet: pass}
          other: {os: android, safetynet: pass}
        - {at: 0s, fetch: [a, b, c, d, e], expect: {flags: [new-did, safetynet-completed]}}
        - {at: 59s, fetch: [f, other], expect: {flags: {safetynet-unavailable: 1, safetynet-completed: 1}}}
        - {at: 60s, launch: f}
        - {at: 60s, fetch: f, expect: {flags: [safetynet-completed]}}
        """)

    @Test("R1.3, R8.10 the hardware is shared", arguments: sharing) func shares(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}

/// The device that `latest` stands for (R6.2).
@Suite struct LatestDeviceTests {
    private static let command = "approov: 'device -add latest -policy default,whitelist,all'"
    private static let none = "no device attested in the last two minutes, so there is no `latest`"

    /// Steps, and the problem of the command at the one marked ①; `nil` when it is carried out.
    static let rows: [Case<[String], String?>] = [
        Case("119 s", ["at: 0s, fetch: bob", "at: 119s, \(command)"], gives: nil),
        Case("121 s", ["at: 0s, fetch: bob", "at: 121s, \(command)"], gives: none),
        Case("nobody", ["at: 0s, \(command)"], gives: none),
        Case(
            "a cached token is no attestation",
            ["at: 0s, fetch: bob", "at: 200s, fetch: bob", "at: 201s, \(command)"], gives: none),
        Case(
            "four", ["at: 0s, fetch: all", "at: 60s, \(command)"],
            gives: "4 devices attested in the last two minutes, so `latest` is not one"),
        Case(
            "the others attested before",
            ["at: 0s, fetch: stock", "at: 121s, fetch: bob", "at: 122s, \(command)"], gives: nil),
        Case(
            "one device twice",
            ["at: 0s, fetch: bob", "at: 1s, launch: bob", "at: 2s, fetch: bob", "at: 3s, \(command)"],
            gives: nil),
        Case(
            "before and after a reinstall that brought another ID",
            ["at: 0s, fetch: bob", "at: 1s, reinstall: bob", "at: 2s, fetch: bob", "at: 3s, \(command)"],
            gives: "2 devices attested in the last two minutes, so `latest` is not one"),
    ]

    private static func scenario(_ steps: [String]) -> String {
        """
        scenario: s
        account: {propagation: 0s}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios}, stock: {count: 3}}
        steps:
        \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
        expect: {metrics: {fail: 0}}

        """
    }

    @Test(arguments: rows) func isTheOneDeviceThatAttested(_ row: Case<[String], String?>) throws {
        let (_, diagnostics) = try ScenarioText.attempt(Self.scenario(row.input))
        let line = 4 + row.input.count
        #expect(diagnostics == (row.expected.map { ["\(line):5: \($0)"] } ?? []))
    }

    @Test func theDeviceGetsTheEntry() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, \(Self.command)",
            "at: 300s, fetch: bob, expect: {policy: 'default,whitelist,all'}",
            "at: 300s, fetch: stock, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }

    @Test func aNewIDThatDidNotAttestGetsNoEntry() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, reinstall: bob", "at: 2s, \(Self.command)",
            "at: 3s, fetch: bob, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }

    @Test func anEntryOfTheLatestDeviceCanBeRemoved() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, \(Self.command)", "at: 2s, approov: device -remove h4gubfCFzJu81j/U2BJsdg==",
            "at: 300s, fetch: bob, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }
}
