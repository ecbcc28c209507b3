internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// The option by which a command assumes other signals than the captures have.
enum AssumptionOptions {
    /// The option.
    static let assume = Option(
        "--assume",
        "Assume other signals: add FLAG to, remove FLAG from, or set KEY to VALUE of SHARE, EXPR or SHARE of EXPR.",
        .texts("ASSUMPTION"), in: .change,
        relations: [
            .excludes([PartialOptions.partial.given], hint: "`--shard` alone can be combined with it"),
            .excludes(
                [GroupOptions.since.given], hint: "`\(GroupOptions.since.name)` compares the captures as they are"),
        ])

    /// The help on the option.
    static let discussion = """
        With --assume the devices that it names show other flags or attributes than they did: add
        safetynet-fail-profile to 2.5% of os-version="Android 13". Devices are drawn by their IDs. The report says
        what to expect over all draws, and the fewest and the most devices that could be turned.
        """

    /// The assumptions that were typed.
    ///
    /// - Throws: ``CommandFailure`` for one that cannot be read, or a second one with a share.
    static func assumptions(_ arguments: ParsedArguments) throws(CommandFailure) -> [SignalAssumption] {
        let texts = arguments[assume]
        guard !texts.isEmpty else { return [] }
        try ExpressionOptions.refuseOpenExpression(arguments, of: assume)
        try NarrowingOptions.refuseReadOnce(arguments, for: assume)
        var assumptions: [SignalAssumption] = []
        for text in texts {
            assumptions.append(
                try ExpressionOptions.reading(of: assume, within: arguments.reach) {
                    file throws(RecordExpressionError) in
                    try SignalAssumption(text, file: file)
                })
        }
        guard assumptions.count(where: \.isSampled) <= 1 else {
            throw .usage(
                "two assumptions are about a share of devices",
                hint:
                    "only one `\(assume.name)` may have a share below 100%: which devices have both would be left open")
        }
        return assumptions
    }
}
