internal import Accounts
internal import Documents
package import Figures
package import PolicyEngine

/// The edits that do what was asked for.
package struct SearchAnswers: Sendable {
    /// Edits, and their effects by a comparison with the account as it is.
    package struct Answer: Sendable {
        package let commands: [String]
        /// Devices that newly fail, of them those that nobody asked for, and devices that newly pass.
        package let rejected, besides, accepted: Int
        /// The verdicts on labelled devices; `nil` where there are no labels.
        package let labels: LabelOutcome?
    }

    /// The best answers, the best one first; none where there is none.
    package private(set) var answers: [Answer] = []
    /// The edits that were tried.
    package let mode: SearchQuestion.Mode
    /// The labels of the devices; `nil` where there are none.
    package let labels: LabelFigures?
    /// The numbers of records that have to fail, and to pass.
    package let rejecting, keeping: Int

    init(_ mode: SearchQuestion.Mode, _ selection: RecordSelection, _ labels: LabelFigures?) {
        (self.mode, self.labels) = (mode, labels)
        (rejecting, keeping, _) = selection.counts
    }

    mutating func add(_ answer: Answer) { answers.append(answer) }
}

/// Why a search has no answer.
package enum SearchFailure: Error, Hashable, Sendable {
    /// The captures or the expressions are refused; the diagnostics say why.
    case refused
    /// No device has a label that is asked for.
    case unlabelled(DeviceLabel)
    /// The expressions select no record.
    case nothingSelected
    /// A number of records would have to fail and to pass.
    case contradiction(records: Int)
    /// The account takes no further filter.
    case noFilter(FilterError)
    /// The time is over.
    case late
    /// A pattern of an expression was not searched to the end in some value (R7.2).
    case unsearched
    /// No edit does it, and some were not tried.
    case leftOut
    /// A comparison does not confirm an answer.
    case disagreement

    /// The failure in words; `nil` where diagnostics say it.
    ///
    /// - Parameter limit: The seconds that the search could take.
    package func message(limit: Int) -> String? {
        switch self {
        case .refused: nil
        case .unlabelled(let label): "nothing to search for: no device is labelled \(label.rawValue)"
        case .nothingSelected: "nothing to search for: the expressions select no attestation"
        case .contradiction(let records): "\(records.grouped) attestations would have to fail and to pass"
        case .noFilter(let error): "no filter can be added: \(error.description)"
        case .late: "not decided in \(limit) s"
        case .unsearched: "not decided: a regex of an expression hit its match limit"
        case .leftOut: "not decided: a filter that was left out might be an answer"
        case .disagreement: "not decided: a comparison does not confirm the result of the search"
        }
    }
}
