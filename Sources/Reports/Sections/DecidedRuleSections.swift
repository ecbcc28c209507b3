internal import Figures
internal import PolicyEngine

extension DecidedRules {
    /// The line that names the rules: `this answer rests on R4.6 and R6.1, which the manual leaves open`; none where no rule is
    /// met.
    var lines: [ReportText] {
        isEmpty ? [] : ["this answer rests on \(all.map(\.number).listed), which the manual leaves open"]
    }

    /// The line as a section at the end of a report; none where no rule is met.
    var sections: [ReportSection] { isEmpty ? [] : [ReportSection(.continuation, sentences: lines)] }

    /// The member of a report as JSON.
    var member: (key: String, value: JSONValue) { ("decided-rules", reported) }
}

extension [String] {
    // `R4.6, R6.1 and R7.6`.
    fileprivate var listed: String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
