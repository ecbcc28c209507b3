internal import Documents
internal import PolicyEngine

/// DeviceCheck's counter of installs in an account whose developer team another account uses, too (R8.10).
enum AutobanWithSharedTeam: LintCheck {
    static let information = LintInformation(
        code: "autoban-with-shared-team", needs: .accounts,
        why: "Apple keeps the bits by team, so installs of one app count for the other, and bans hit both",
        mend: "let one account alone count installs, by `bits: both`, or keep the bits of the other by `bits: none`",
        trips: """
            scenario: two apps
            accounts:
              a: {account: a, devicecheck: {team-id: T, key-id: K, bits: both}}
              b: {account: b, devicecheck: {team-id: T, key-id: L, bits: bit0}}

            """,
        passes: """
            scenario: two apps
            accounts:
              a: {account: a, devicecheck: {team-id: T, key-id: K, bits: both}}
              b: {account: b, devicecheck: {team-id: S, key-id: L, bits: bit0}}

            """)

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        guard let settings = linted.account.deviceCheck, settings.bits == .both, let team = settings.teamID else {
            return []
        }
        let others = all.filter { other in
            let isOther = other.source.path != linted.source.path || other.position != linted.position
            return isOther && other.scenario == linted.scenario && other.account.deviceCheck?.teamID == team
        }
        guard let other = others.first else { return [] }
        let message =
            "DeviceCheck counts installs of team \(team.quoted), which account \(other.account.name.quoted) uses, too"
        return [LintFinding(message: message, position: linted.position(of: "devicecheck"))]
    }
}
