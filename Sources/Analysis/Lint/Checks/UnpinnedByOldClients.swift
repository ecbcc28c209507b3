internal import PolicyEngine

/// A domain that has no pins but the managed trust roots, which clients of 2018 do not look for (R18.2, R18.5).
enum UnpinnedByOldClients: LintCheck {
    static let information = LintInformation(
        code: "unpinned-by-old-clients",
        why: "apps that look for the domain's own pins only find none, and accept any certificate",
        mend: "give the domain pins of its own",
        trips: """
            apis:
              - {domain: api.example.com}
              - {domain: "*", pins: [key:ROOT]}

            """,
        passes: """
            apis:
              - {domain: api.example.com, pins: [key:LEAF]}
              - {domain: "*", pins: [key:ROOT]}

            """)

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        let domains = linted.account.apiDomains
        guard domains.contains(where: { $0.holdsManagedRoots && !$0.pins.isEmpty }) else { return [] }
        return domains.filter { !$0.holdsManagedRoots && $0.pins.isEmpty }.map { domain in
            LintFinding(
                message:
                    "API domain `\(domain.name)` has no pins but the managed trust roots, which clients of 2018 ignore",
                position: linted.position(ofDomain: domain.name))
        }
    }
}
