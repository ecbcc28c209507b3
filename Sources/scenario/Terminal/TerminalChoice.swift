/// The wishes of the environment for terminals: `NO_COLOR` forbids colours, `CLICOLOR_FORCE` wants them without a terminal,
/// too, and a dumb terminal (`TERM`) shows none.
struct TerminalChoice {
    /// The longest line of help where a terminal does not say how long its lines are, in characters.
    static let usualWidth = 80
    /// The longest line of help on a terminal that has less room than its columns need, and on one that has more.
    static let (leastWidth, greatestWidth) = (60, 100)

    private let isWelcome: Bool
    private let isForced: Bool
    private let isDumb: Bool

    /// Reads the wishes.
    ///
    /// - Parameter environment: The value of a variable; `nil` where it is not set.
    init(environment: (String) -> String?) {
        // A variable that is set to nothing is set.
        isWelcome = environment("NO_COLOR") == nil
        isForced = !["", "0"].contains(environment("CLICOLOR_FORCE") ?? "")
        isDumb = environment("TERM") == "dumb"
    }

    /// True if progress may be shown on a terminal.
    var allowsProgress: Bool { isWelcome && !isDumb }

    /// True if a report is coloured.
    ///
    /// - Parameter columns: The width of the terminal; 0 where it is not known, or there is no terminal.
    func isColoured(columns: Int) -> Bool { isWelcome && (isForced || !isDumb && columns > 0) }

    /// The longest line of help: that of the terminal as far as it is easy to read, or the usual one.
    func helpWidth(columns: Int) -> Int {
        guard !isDumb, columns > 0 else { return Self.usualWidth }
        return min(max(columns, Self.leastWidth), Self.greatestWidth)
    }
}
