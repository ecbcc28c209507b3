internal import Documents
internal import PolicyEngine

/// Something that was meant to be in an account until an instant that is over.
enum ExemptionExpired: LintCheck {
    static let information = LintInformation(
        code: "exemption-expired", needs: .instant,
        why: "an exemption that nobody ends lets in devices that the policy would reject",
        mend: "remove what the comment is about, or give it a later end",
        trips: """
            devices:
              # scenario: expires 2020-07-24T00:00:00Z because the test ends
              - {id: Q0FmMy4kGYSjbvDZlpGbRw==, policy: "default,whitelist,default"}

            """,
        passes: """
            devices:
              # scenario: expires 2020-08-01T00:00:00Z because the test ends
              - {id: Q0FmMy4kGYSjbvDZlpGbRw==, policy: "default,whitelist,default"}

            """,
        instant: Instant(rfc3339: "2020-07-25T00:00:00Z"))

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        linted.expired.map { expiry in
            LintFinding(
                message: "this was to expire at \(expiry.instant)", position: expiry.position)
        }
    }
}
