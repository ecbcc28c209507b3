internal import Documents
internal import PolicyEngine
internal import Replay

/// A rejecting filter that matches a large share of a capture.
enum RejectingShare {
    /// The code by which findings name it.
    static let code = "rejects-many"
    /// Why it matters.
    static let why = "a filter that is too wide locks real users out; watch it without `reject` first"
    /// The share of attestations from which on it is told.
    static let limit = (percent: 5, text: "5 %")

    /// What is found in the figures of a capture under an account.
    static func findings(in account: LintedAccount, _ figures: Figures, capture: String) -> [LintFinding] {
        figures.filters.compactMap { filter in
            guard let known = account.account.filters.first(where: { $0.name == filter.name }),
                known.options.contains(.reject), filter.matched * 100 > figures.attestations * limit.percent
            else { return nil }
            return LintFinding(
                message: "filter \(filter.name.quoted) rejects \(filter.matched.share(of: figures.attestations)) of "
                    + "\(capture), more than \(limit.text)",
                position: account.position(ofFilter: filter.name))
        }
    }
}
