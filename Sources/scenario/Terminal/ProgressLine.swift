internal import Documents

/// A line on the terminal that says how far a replay is, for anything longer than a second.
///
/// Nothing else reads a clock; nothing of it gets into results.
final class ProgressLine: Sendable {
    private let write: @Sendable (String) -> Void
    private let isShown: Bool
    private let start = ContinuousClock.now
    // When it was shown last; `nil` where it never was.
    private let latest = Lock<ContinuousClock.Instant?>(nil)

    private static let interval = Duration.milliseconds(200)

    /// Makes a line that is not there yet.
    ///
    /// - Parameter isShown: True if the user wants it; if the console shows no progress, it is not shown in any case.
    init(console: Console, isShown: Bool = true) {
        (write, self.isShown) = (console.error, isShown && console.showsProgress)
    }

    /// The progress that shows the line, or does nothing if it is not to be shown.
    var progress: Progress { isShown ? Progress { self.show($0) } : Progress() }

    /// Shows a position, at most five times a second, from the second second on.
    func show(_ position: Progress.Position) {
        let now = ContinuousClock.now
        let isDue = latest.withLock { latest in
            guard now - start > .seconds(1), latest.map({ now - $0 > Self.interval }) ?? true else { return false }
            latest = now
            return true
        }
        guard isDue else { return }
        write("\r\u{1B}[K" + Self.text(position, after: now - start))
    }

    /// Removes the line, if there is one.
    func clear() {
        if latest.withLock({ $0 != nil }) { write("\r\u{1B}[K") }
    }

    /// The text of the line: records, rate, and the time left if it is known.
    static func text(_ position: Progress.Position, after elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        guard seconds > 0 else { return "\(position.records.grouped) \(position.unit)" }
        let rate = Int(Double(position.records) / seconds)
        var text = "\(position.records.grouped) \(position.unit), \(rate.grouped)/s"
        if let share = position.share, share > 0.001 {
            let left = Int(seconds * (1 - share) / share + 0.5)
            text += ", \(Int(share * 100)) %, \(DurationText.text(max(0, left))) left"
        }
        return text
    }
}
