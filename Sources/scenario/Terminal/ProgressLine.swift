internal import Simulation

/// A line on the terminal that tells how far a replay is, for anything longer than a second.
///
/// The only place that reads a clock; nothing of it gets into results.
final class ProgressLine {
    private let console: Console
    private let start = ContinuousClock.now
    private var latest = ContinuousClock.now
    private var isShown = false

    init(console: Console) {
        self.console = console
    }

    /// Shows a position, at most five times a second, from the second second on.
    func show(_ position: Progress.Position) {
        let now = ContinuousClock.now
        guard now - start > .seconds(1), now - latest > .milliseconds(200) else { return }
        latest = now
        isShown = true
        console.error("\r\u{1B}[K" + Self.text(position, after: now - start))
    }

    /// Removes the line, if there is one.
    func clear() {
        if isShown { console.error("\r\u{1B}[K") }
    }

    /// What the line says: records, rate, and the time left where it can be told.
    static func text(_ position: Progress.Position, after elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        guard seconds > 0 else { return "\(position.records.grouped) \(position.unit)" }
        let rate = Int(Double(position.records) / seconds)
        var text = "\(position.records.grouped) \(position.unit), \(rate.grouped)/s"
        if let share = position.share, share > 0.001 {
            let left = Int(seconds * (1 - share) / share + 0.5)
            text += ", \(Int(share * 100)) %, \(DurationText.print(max(0, left))) left"
        }
        return text
    }
}
