/// The colours that the environment allows: `NO_COLOR` forbids them, `CLICOLOR_FORCE` wants them without a terminal, too.
struct ColourChoice {
    /// True if colours and progress may be shown at all: `NO_COLOR` is not set, not even to nothing.
    let isWelcome: Bool
    private let isForced: Bool

    /// Reads the choice.
    ///
    /// - Parameter environment: The value of a variable; `nil` where it is not set.
    init(environment: (String) -> String?) {
        isWelcome = environment("NO_COLOR") == nil
        isForced = !["", "0"].contains(environment("CLICOLOR_FORCE") ?? "")
    }

    /// True if a report is coloured.
    func isColoured(onTerminal isTerminal: Bool) -> Bool { isWelcome && (isTerminal || isForced) }
}
