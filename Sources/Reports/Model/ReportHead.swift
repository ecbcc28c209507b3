internal import Documents
internal import Statistics

/// The head of a page: the answer in a sentence, how sure it is, and the figures that a reader asks for next.
package struct ReportHead: Sendable {
    /// The verdict in words behind a sign, `✗ Limit exceeded`; `nil` where nothing was to be decided.
    package var verdict: ReportText?
    /// The answer, in the largest letters: `104 of 2,000 devices would stop getting valid tokens`.
    package var answer: ReportText
    /// The certainty of the answer, and its most important consequence.
    package var details: [ReportText] = []
    /// The sentences on limits and on the data that the answer rests on, in small letters.
    package var notes: [ReportText] = []
    /// The picture beside the answer.
    var intervals: IntervalPlot?
    /// The next questions, each with a figure; a page shows at most four beside each other.
    package var facts: [Fact] = []
    /// The sentences on what did not happen: all of them together take a line.
    package var zeros: [String] = []

    package init(_ answer: String, verdict: ReportText? = nil, details: [ReportText] = [], notes: [ReportText] = []) {
        (self.answer, self.verdict, self.details, self.notes) = (ReportText(answer), verdict, details, notes)
    }

    /// The head of an answer that limits are held against.
    ///
    /// - Parameters:
    ///   - answer: The answer in a sentence; its first letter becomes a capital.
    ///   - limits: The caller's limits, and which are exceeded.
    package init(_ answer: String, limits: [LimitResult]) {
        self.init(
            answer.prefix(1).uppercased() + answer.dropFirst(), verdict: LimitResult.verdict(limits),
            notes: limits.map(\.line))
    }

    /// A figure: `Good devices blocked`, `4 → 12`, `of 86`, and `8 more, worse`.
    package struct Fact: Sendable {
        let name: String
        let figure: String
        let whole: String
        let words: ReportText

        package init(_ name: String, _ figure: String, of whole: String = "", _ words: ReportText = "") {
            (self.name, self.figure, self.whole, self.words) = (name, figure, whole, words)
        }

        /// A count before and after a change: `4 → 12 of 86`, and `8 more, worse`.
        ///
        /// - Parameter more: The meaning of a greater count.
        package init(_ name: String, from before: Int, to after: Int, of whole: Int?, more: ReportText.Emphasis) {
            let change = after - before
            let isWorse = (change > 0) == (more == .bad)
            let words: ReportText =
                change == 0
                ? "none more"
                : ReportText(
                    "\(abs(change).grouped) \(change > 0 ? "more" : "fewer"), \(isWorse ? "worse" : "better")",
                    isWorse ? .bad : .good)
            self.init(name, "\(before.grouped) → \(after.grouped)", of: whole.map { "of \($0.grouped)" } ?? "", words)
        }
    }

    /// The emphasis of the verdict, which the rule above the answer has, too.
    var emphasis: ReportText.Emphasis { verdict?.spans.first?.emphasis ?? .plain }
}

/// Shares of devices on one axis: a dot for the capture, a bar for all devices, and a line for a limit.
struct IntervalPlot: Sendable {
    /// The subject of the axis, in a sentence.
    let title: ReportText
    let rows: [Row]
    /// The limit that the shares are compared with; `nil` for none.
    var limit: Limit?

    /// A share, from 0 to 1, and the interval in which that of all devices is.
    struct Row: Sendable {
        /// Empty where the title has said it.
        var name = ""
        let estimate: Double
        let interval: ConfidenceInterval
        let tone: ReportPlot.Tone
    }

    /// A share that should not be exceeded.
    struct Limit: Sendable {
        let share: Double
        /// `limit 1 %`
        let words: String
    }
}
