internal import Documents
internal import PolicyEngine
internal import Replay

/// What an earlier comparison found: a limit is not exceeded by what was there already.
struct ComparisonBaseline {
    private let rejected, accepted: Side

    // Devices that change sides one way: all, and by what they have in common.
    private struct Side {
        let devices: Int
        let parts: [String: [ExactText: Int]]
    }

    // Parts that say why; an app or a system is no reason.
    private static let reasons = ["flag", "filter", "other"]

    /// Names the earlier comparison.
    static let option = OptionDefinition(
        name: "--baseline",
        value: .file(.reads),
        summary: "Let limits count only what is new since the comparison in FILE, which `--format json` wrote."
    )

    /// Reads the file that the option names.
    ///
    /// - Returns: `nil` after noting an error, and where the option was not given.
    static func read(_ arguments: ParsedArguments, _ diagnostics: inout Diagnostics) -> ComparisonBaseline? {
        guard let path = arguments.value(of: option) else { return nil }
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes = read else { return nil }
        guard let report = try? JSONParser.parse(bytes, maximumNesting: DocumentLimits.maximumNesting),
            let baseline = ComparisonBaseline(report)
        else {
            diagnostics.add(
                Diagnostic(
                    file: path, message: "this is no comparison",
                    hint: "`scenario diff … --format json --output FILE` writes one"))
            return nil
        }
        return baseline
    }

    private init?(_ report: JSONContent) {
        guard let changes = report["changes"], let rejected = Self.side(changes["newly-rejected"]),
            let accepted = Self.side(changes["newly-accepted"])
        else { return nil }
        (self.rejected, self.accepted) = (rejected, accepted)
    }

    private static func side(_ content: JSONContent?) -> Side? {
        guard let devices = content?["devices"]?.integer else { return nil }
        var parts: [String: [ExactText: Int]] = [:]
        for kind in reasons {
            guard case .array(let items)? = content?[ExactText(kind + "s")] else { return nil }
            for item in items {
                guard let name = item["name"]?.text, let count = item["devices"]?.integer else { return nil }
                parts[kind, default: [:]][ExactText(name)] = count
            }
        }
        return Side(devices: devices, parts: parts)
    }

    /// How many devices are newly rejected that were not in the earlier comparison.
    func newlyRejected(_ changes: ComparisonFigures) -> Int { Self.new(changes.rejected, since: rejected) }

    /// How many devices are newly accepted that were not in the earlier comparison.
    func newlyAccepted(_ changes: ComparisonFigures) -> Int { Self.new(changes.accepted, since: accepted) }

    // A reason that has more devices than it had is new by so many, also where another one has as many fewer. A device
    // may have several reasons; it counts once at most.
    private static func new(_ change: ChangeFigures, since known: Side) -> Int {
        let byReason = change.splits.filter { reasons.contains($0.kind) }.reduce(0) { sum, split in
            sum
                + split.parts.reduce(0) { sum, part in
                    sum + max(0, part.devices - (known.parts[split.kind]?[ExactText(part.name)] ?? 0))
                }
        }
        return min(change.devices, max(change.devices - known.devices, byReason, 0))
    }
}
