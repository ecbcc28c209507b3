package import Accounts
internal import Documents
package import Figures
package import PolicyEngine
internal import Statistics

/// The edits that do what was asked for.
package struct SearchAnswers: Sendable {
    /// Edits, and their effects by a comparison with the account as it is.
    package struct Answer: Sendable {
        package let commands: [ManagementCommand]
        /// Devices that newly fail, of them those that nobody asked for, and devices that newly pass.
        package let rejected, besides, accepted: Int
        /// Devices that are not evaluated, so that they may be any of these.
        package let unevaluated: Int
        /// The verdicts on labelled devices; `nil` where there are no labels.
        package let labels: LabelOutcome?
        /// The devices of the held-out part that pass somewhere though they have to fail, and that fail though they have
        /// to pass; `nil` without such a part, where there are none.
        package var unmet: (passing: Int, failing: Int)?
        /// Of an exemption: the devices that it lets in and was asked to, those of them that remain out, and others that it lets in.
        package var exempted: (devices: Int, remaining: Int, others: Int)?
    }

    /// The best answers, the best one first; none where there is none.
    package private(set) var answers: [Answer] = []
    /// The edits that were tried.
    package let mode: SearchQuestion.Mode
    /// The labels of the devices; `nil` where there are none.
    package let labels: LabelFigures?
    /// The numbers of records that have to fail, and to pass.
    package let rejecting, keeping: Int
    /// The number of devices that answers are reported on.
    package let devices: Int
    /// The number of sets of edits that were tried.
    package let tried: Int
    /// The part of the captures on which answers are reported, but were not looked for; `nil` for none.
    package internal(set) var heldOut: HeldOut?
    /// The proof on whether the best exemption lets in a device that was not asked for, of all possible ones; `nil` where that is not known.
    package internal(set) var others: ChangeProof?
    /// The number of answers that are left out, because they are not within the limits on the held-out part.
    package private(set) var leftOut = 0
    /// The level of intervals; `nil` for none.
    package let confidence: ConfidenceLevel?
    /// The name of the account; empty if it has none.
    package let account: String

    /// The part of captures that a search leaves out.
    package struct HeldOut: Sendable {
        /// Its start.
        package let start: Instant
        /// The number of its devices that were seen before, too.
        package let seenBefore: Int
    }

    init(
        _ question: SearchQuestion, _ selection: RecordSelection, _ labels: LabelFigures?, account: String,
        devices: Int, tried: Int
    ) {
        (mode, confidence, self.labels, self.account) = (question.mode, question.confidence, labels, account)
        (rejecting, keeping, _) = selection.counts
        (self.devices, self.tried) = (devices, tried)
    }

    /// Takes out the answers that are not within the limits: with a level those of which the held-out part does not prove
    /// it, of all answers together (Holm).
    mutating func keep(within limit: SearchLimit) {
        let figures = answers.map { answer in
            SearchFigures(
                devices: devices, besides: answer.besides, unevaluated: answer.unevaluated,
                labels: answer.labels ?? LabelOutcome())
        }
        let isWithin =
            if let pValue = limit.pValue, let confidence {
                AdjustedPValues.holm(figures.map(pValue)).map { $0 <= confidence.confidence.significance }
            } else {
                figures.map(limit.allows)
            }
        let kept = zip(answers, isWithin).filter(\.1).map(\.0)
        leftOut = answers.count - kept.count
        answers = kept
    }

    mutating func add(_ answer: Answer) { answers.append(answer) }

    /// The greatest number of exemptions that are answers.
    static let exemptions = 5

    /// Puts an exemption in front of the others, of which it takes the last one's place if it is none of them.
    ///
    /// - Parameter index: Its place among all that were found.
    mutating func prefer(_ answer: Answer, at index: Int) {
        answers.remove(at: min(index, answers.count - 1))
        answers.insert(answer, at: 0)
    }
}

/// Why a search has no answer.
package enum SearchFailure: Error, Hashable, Sendable {
    /// The captures or the expressions are refused; the diagnostics say why.
    case refused
    /// No device has a label that is asked for.
    case unlabelled(DeviceLabel)
    /// The expressions select no record.
    case nothingSelected
    /// All records that are to be let in pass already.
    case nothingToExempt
    /// A number of records would have to fail and to pass; one of the first device.
    case contradiction(records: Int, first: DeviceID)
    /// No record is in the part of the captures that is held out, or none is before it.
    case nothingHeldOut
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
        case .nothingToExempt: "nothing to exempt: no attestation that `--exempt` selects fails"
        case .nothingHeldOut: "there are no attestations before the instant of `--holdout`, or none after it"
        case .contradiction(let records, let first):
            "the expressions of `--reject` and `--keep` both select \(records.counting("attestation")), such as one of "
                + "\(first): no account can reject and pass the same one"
        case .noFilter(let error): "no filter can be added: \(error.description)"
        case .late: "not decided in \(limit) s"
        case .unsearched: "not decided: a regex of an expression hit its match limit"
        case .leftOut: "not decided: a filter that was left out might be an answer"
        case .disagreement: "not decided: a comparison does not confirm the result of the search"
        }
    }
}
