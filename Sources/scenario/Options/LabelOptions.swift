internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// The options on the labels of devices.
enum LabelOptions {
    /// The option for the file of labels.
    static let labels = Option(
        "--labels",
        """
        Count verdicts by the labels in FILE, CSV or JSON Lines: an attribute such as device-id, label (bad, good or \
        empty), and from and until at will.
        """, .file(.reads), in: .count,
        relations: [
            .excludes([OptionUse("--format", ["openmetrics", "summary-mail"])], hint: "these forms have no labels")
        ])

    /// The option for the costs of wrong verdicts.
    static let cost = Option(
        "--cost",
        "Add up what verdicts cost by device and day: of missed bad devices, blocked good ones, and unknown ones.",
        .text("missed=N,blocked=N[,rejected-unknown=N]"), in: .count, relations: [.needs([labels.given])])

    /// Asks a search to reject bad devices.
    static let caught = Limit<SearchFigures>(
        "--catch", .least, summary: "Reject at least this share of the bad devices.",
        relations: [.needs([labels.given])]
    ) { LimitedFigure(count: $0.labels.caught, all: $0.labels.bad, unit: "bad devices") }

    /// Limits the good devices that the edits of a search reject.
    static let blocked = Limit<SearchFigures>(
        "--max-good-blocked", summary: "Reject at most this number of the good devices, or this share of them.",
        relations: [.needs([labels.given])]
    ) { LimitedFigure(count: $0.labels.blocked, all: $0.labels.good, unit: "good devices") }

    /// Reads the labels.
    ///
    /// - Parameter diagnostics: Gets all mistakes in them.
    /// - Returns: `nil` where none were given, or after noting an error.
    static func labels(_ call: CommandCall, _ diagnostics: inout Diagnostics) -> Labels? {
        guard let path = call[labels] else { return nil }
        return Labels.read(path: path, isSecret: call.redactor != nil, diagnostics: &diagnostics)
    }

    /// The costs of wrong verdicts; `nil` where none were given.
    static func cost(_ arguments: ParsedArguments) throws(CommandFailure) -> LabelCost? {
        guard let text = arguments[cost] else { return nil }
        var (result, given): (LabelCost, Set<String>) = (LabelCost(), [])
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, words[1].utf8.allSatisfy(\.isDigit), let number = Int(words[1]),
                number <= LabelCost.limit, given.insert(words[0]).inserted
            else { throw refusal(text) }
            switch words[0] {
            case "missed": result.missed = number
            case "blocked": result.blocked = number
            case "rejected-unknown": result.rejectedUnknown = number
            default: throw refusal(text)
            }
        }
        guard given.isSuperset(of: ["missed", "blocked"]) else { throw refusal(text) }
        return result
    }

    private static func refusal(_ text: String) -> CommandFailure {
        .usage(
            "`\(cost.name)` takes whole numbers up to \(LabelCost.limit.grouped) by their names, not \(text.asTyped)",
            hint: "such as `missed=40,blocked=6` or `missed=40,blocked=6,rejected-unknown=1`")
    }

    /// The labels on which the limits that were set rest, and of which there must be a device.
    static func needed(_ arguments: ParsedArguments) -> [DeviceLabel] {
        [(caught.option, DeviceLabel.bad), (blocked.option, .good)].filter { arguments.isSet($0.0) }.map(\.1)
    }
}
