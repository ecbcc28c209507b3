internal import Documents
internal import Scenarios

/// A certificate rotation whose new chain has none of the account's pins (R18.6).
enum RotationWithoutPin: LintCheck {
    static let information = LintInformation(
        code: "rotation-without-pin",
        why: "apps are blocked from then on; the new pin has to be in the account days before",
        mend: "add the pin of the new key before it is served, as long before as apps keep a configuration",
        trips: """
            scenario: a rotation
            account: {apis: [{domain: a.com, pins: [key:OLD]}]}
            backends: {a.com: {chain: [OLD, CA]}}
            steps:
              - {at: 5d, serve: {a.com: [NEW, CA]}}

            """,
        passes: """
            scenario: a rotation
            account: {apis: [{domain: a.com, pins: [key:OLD]}]}
            backends: {a.com: {chain: [OLD, CA]}}
            steps:
              - {at: 4d, approov: pin -api a.com -add key:NEW}
              - {at: 5d, serve: {a.com: [NEW, CA]}}

            """)

    static func findings(in linted: LintedScenario) -> [LintFinding] {
        linted.scenario.rotationsWithoutPin.map { rotation in
            LintFinding(
                message: "none of the account's pins of \(rotation.domain.quoted) is in the chain that it serves here",
                position: rotation.position)
        }
    }
}
