internal import Documents

/// The result of a report at a glance: a verdict, large figures with a line each, and notes on what they rest on.
struct ReportCard: Sendable {
    /// The verdict in words, with a sign and an emphasis; `nil` where nothing was to be decided.
    var verdict: ReportText?
    var facts: [Fact] = []
    var notes: [ReportText] = []

    /// A figure and what it counts: `104` and `of 2,000 devices (5.2 %) newly rejected`.
    struct Fact: Sendable {
        let figure: String
        let words: String
        /// ``ReportText/Emphasis/bad`` or ``ReportText/Emphasis/good`` where the figure is a change for the worse or the better.
        let emphasis: ReportText.Emphasis

        init(_ figure: String, _ words: String, _ emphasis: ReportText.Emphasis = .strong) {
            (self.figure, self.words) = (figure, words)
            self.emphasis = figure == "0" ? .plain : emphasis
        }

        /// A count of devices or tokens, as a number and as a share: `104 of 2,000 devices (5.2 %) newly rejected`.
        ///
        /// - Parameters:
        ///   - part: The count.
        ///   - whole: The number of all.
        ///   - unit: The noun for them: `devices`.
        ///   - words: The words about the part.
        ///   - more: The number that there may be besides.
        ///   - interval: The interval of the share for all devices, in words.
        init(
            _ part: Int, of whole: Int, _ unit: String, _ words: String, more: Int = 0, interval: String? = nil,
            _ emphasis: ReportText.Emphasis = .strong
        ) {
            let most = min(part + more, whole)
            let shares = part == most ? part.share(of: whole) : "\(part.share(of: whole)) to \(most.share(of: whole))"
            let known = (most > 0 ? [shares] : []) + (interval.map { [$0] } ?? [])
            self.init(
                part == most ? part.grouped : "\(part.grouped)–\(most.grouped)",
                "of \(whole.counting(String(unit.dropLast())))\(known.isEmpty ? "" : " (\(known.joined(separator: ", ")))") "
                    + words,
                emphasis)
        }
    }

    /// The emphasis of the verdict.
    var emphasis: ReportText.Emphasis { verdict?.spans.first?.emphasis ?? .plain }
}
