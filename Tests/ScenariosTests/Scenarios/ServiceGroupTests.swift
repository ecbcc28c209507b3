import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ServiceGroupTests {
    @Test("R8.3 the bits belong to the team of whatever account evaluates the devices") func bitsOfACandidate() throws {
        let scenario = try ScenarioText.load(
            """
            account: {team: T}
            devices: {bob: {os: ios, devicecheck: {state: available, bits: 1}}}
            steps:
              - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID STEP -bits bit0}
              - {at: 1m, fetch: bob, expect: {verdict: pass}}
            """)
        expect(scenario.developerTeams(ofAccount: 0), equals: ["T"])
        let other = try AccountText.account("team: U")
        expect(scenario.replacingAccount(by: other).developerTeams(ofAccount: 0), equals: ["U"])
        let none = try AccountText.account("account: a")
        expect(scenario.replacingAccount(by: none).developerTeams(ofAccount: 0), equals: ["account\na", "STEP"])
    }
}
