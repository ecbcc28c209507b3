internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// The option by which a command assumes other signals than the captures have.
enum AssumptionOptions {
    /// The option for one assumption.
    static let assume = Option(
        "--assume",
        "Assume other signals: add FLAG to, remove FLAG from, or set KEY to VALUE of SHARE, EXPR or SHARE of EXPR.",
        .texts("ASSUMPTION"), in: .change, relations: relations)

    /// The option for a file of them.
    static let file = Option(
        "--assumptions", "Assume the other signals that FILE lists, behind those of `--assume`; a YAML file.",
        .file(.reads), in: .change, relations: relations)

    /// Both.
    static let all: [any CommandOption] = [assume, file]

    private static let relations = [
        OptionRelation.excludes([PartialOptions.partial.given], hint: "`--shard` alone can be combined with it"),
        .excludes([GroupOptions.since.given], hint: "`\(GroupOptions.since.name)` compares the captures as they are"),
    ]

    /// The help on the option.
    static let discussion = """
        With --assume the devices that it names show other flags or attributes than they did: add
        safetynet-fail-profile to 2.5% of os-version="Android 13". Devices are drawn by their IDs. The report says
        what to expect over all draws, and the fewest and the most devices that could be turned. A file of assumptions has
        the list `assumptions`.
        """

    /// The assumptions that were typed, and behind them those of a file.
    ///
    /// - Throws: ``CommandFailure`` for one that cannot be read, or a second one with a share; after showing all that is wrong with the
    ///   file.
    static func assumptions(_ call: CommandCall) throws(CommandFailure) -> [SignalAssumption] {
        let arguments = call.arguments
        guard let option = all.first(where: arguments.isSet) else { return [] }
        try ExpressionOptions.refuseOpenExpression(arguments, of: assume)
        try NarrowingOptions.refuseReadOnce(arguments, for: option)
        var assumptions: [SignalAssumption] = []
        for text in arguments[assume] {
            assumptions.append(
                try ExpressionOptions.reading(of: assume, within: arguments.reach) {
                    file throws(RecordExpressionError) in
                    try SignalAssumption(text, file: file)
                })
        }
        if let path = arguments[file] { assumptions += try read(path, call) }
        let sampled = assumptions.filter(\.isSampled)
        guard sampled.count > 1 else { return assumptions }
        guard let place = sampled[1].place else { throw .usage(twoShares, hint: oneShare) }
        call.console.show(
            Diagnostics(place.located(Diagnostic(file: "", message: twoShares, hint: oneShare))))
        throw .shown(.invalidInput)
    }

    private static let twoShares = "two assumptions are about a share of devices"
    private static let oneShare =
        "only one `\(assume.name)` may have a share below 100%: which devices have both would be left open"

    // Files of devices are looked for in the folder of the file that names them.
    private static func read(_ path: String, _ call: CommandCall) throws(CommandFailure) -> [SignalAssumption] {
        var diagnostics = Diagnostics()
        let assumptions = AssumptionFile.read(
            path: path,
            devices: { name throws(RecordExpressionError) in
                try ExpressionOptions.lines(of: KeyFile.path(name, besides: path), within: call.arguments.reach)
            }, diagnostics: &diagnostics)
        try call.require(diagnostics)
        return assumptions
    }
}
