internal import Documents
internal import Figures
internal import PolicyEngine

/// A rejecting filter that matches a large share of a capture.
enum RejectingShare: LintCheck {
    static let information = LintInformation(
        code: "rejects-many", needs: .capture,
        why: "a filter that is too wide locks real users out; watch it without `reject` first",
        mend: "take `reject` off the filter, look at the devices that match, and make it narrower",
        trips: "filters: [{name: lab, key: ip, match: 1.2.3.4, reject: true}]\n",
        passes: "filters: [{name: lab, key: ip, match: 1.2.3.4}]\n",
        capture: """
            {"time":"2020-07-23T11:10:43Z","device-id":"Q0FmMy4kGYSjbvDZlpGbRw==","flags":"","ip":"1.2.3.4"}

            """)

    /// The largest share of attestations that is not mentioned.
    private static let limit = (percent: 5, text: "5 %")

    static func findings(in linted: LintedAccount, counted: CountedCapture) -> [LintFinding] {
        let figures = counted.figures
        return figures.filters.compactMap { filter in
            guard let known = linted.account.filters.first(where: { $0.name == filter.name }),
                known.options.contains(.reject), filter.matched * 100 > figures.attestations * limit.percent
            else { return nil }
            return LintFinding(
                message: "filter \(filter.name.quoted) rejects \(filter.matched.share(of: figures.attestations)) of "
                    + "\(counted.capture), more than \(limit.text)",
                position: linted.position(ofFilter: filter.name))
        }
    }
}
