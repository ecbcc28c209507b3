import Testing

@testable import Scenarios
@testable import TestSupport

/// The limits of installs with an old SDK (R7.8, R9.1, R21.4).
@Suite struct SDKVersionScenarioTests {
    private static func version(_ text: String) -> String { "attributes: {sdk-version: '\(text)'}" }

    static let rows = [
        ScenarioRow(
            "R7.8 user properties need 2.5.0",
            """
            account: {propagation: 0s, filters: [{name: gold, key: user-property, match: gold}]}
            devices:
              old: {attributes: {user-property: gold, sdk-version: 2.4.9}}
              new: {attributes: {user-property: gold, sdk-version: 2.5.0}}
              late: {attributes: {sdk-version: 2.10.0, user-property: gold}}
              silent: {attributes: {user-property: gold}}
            steps:
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
            """),
        ScenarioRow(
            "R9.1 SafetyNet needs 2.4.0: with an older one it is missing",
            """
            account: {safetynet: {api-key: k}}
            devices:
              old: {os: android, safetynet: fail-token, \(version("2.3.9"))}
              new: {os: android, safetynet: fail-token, \(version("2.4.0"))}
              late: {os: android, safetynet: fail-token, \(version("2.10"))}
              silent: {os: android, safetynet: fail-token}
            steps:
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
            """),
        ScenarioRow(
            "R21.4 message signatures need 2.5.0, and older apps are refused once signatures are wanted",
            """
            account: {propagation: 0s, apis: [{domain: a.com}]}
            devices: {old: {\(version("2.4.9"))}, new: {\(version("2.5.0"))}, silent: {}}
            steps:
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
            """),
    ]

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
