internal import PolicyEngine
internal import Replay

/// The options on the file of single decisions of a replay or a comparison.
enum DecisionOptions {
    /// The decisions of a replay.
    static let ofReplay = Options.decisions.described(
        as:
            "Write every decision to FILE in input order, as JSON Lines or, with an ending .arrow, as columns; - is standard output."
    )

    /// The decisions of a comparison.
    static let ofComparison = Options.decisions.described(
        as: "Write the decisions before and after on each attestation to FILE, whose ending is .arrow, as columns.")

    /// The attributes that are written beside the decisions.
    static let with = Option(
        "--with", "Write these attributes of the records beside the decisions, which are columns: ip,app-version.",
        .text("KEYS", words: .attributes), in: .output,
        relations: [.needs([Options.decisions.given]), .excludes([PartialOptions.partial.given])])

    /// Refuses a file of columns, where decisions are written as lines.
    static func checkLines(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let path = arguments[Options.decisions], DecisionTable.isMeant(by: path) else { return }
        throw .usage(
            "the decisions of scenarios are lines, and \(path.asTyped) stands for columns",
            hint: "a name such as `decisions.jsonl`; `replay` and `diff` write columns")
    }

    /// Says in a request which decisions are written, and with which attributes.
    ///
    /// - Parameter areColumns: True if lines cannot be written.
    static func apply(
        _ arguments: ParsedArguments, to request: inout ReplayRequest, areColumns: Bool = false
    ) throws(CommandFailure) {
        guard let path = arguments[Options.decisions] else { return }
        request.decisionsPath = path
        let keys = arguments[with]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard request.writesDecisionColumns || !areColumns && keys == nil else {
            throw .usage(
                "`\(keys == nil ? Options.decisions.name : with.name)` writes columns, and "
                    + "\(path.asTyped) does not stand for them", hint: "a name such as `decisions.arrow`")
        }
        guard let keys else { return }
        guard !keys.contains(""), keys.exactTexts.count == keys.count else {
            throw .usage(
                "`\(with.name)` takes different keys, not \((arguments[with] ?? "").asTyped)",
                hint: "such as `ip,app-version`")
        }
        request.decisionKeys = keys
    }
}
