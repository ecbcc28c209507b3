internal import Documents
internal import PolicyEngine

/// At the end: a figure about the requests of a group, or of all (R19.6).
struct RequestCheck: FinalCheck {
    static let key = "requests"
    private let figure: Figure
    /// The group by its index; `nil` is all groups of the account.
    private let group: Int?
    let position: SourcePosition
    /// A count, or seconds.
    private let range: CountRange

    /// A figure about requests at the end.
    private enum Figure: Hashable {
        case outcome(RequestOutcome)
        /// Devices that were ever blocked.
        case blockedDevices
        /// Devices that were blocked and had no request accepted since.
        case stillBlocked
        /// Seconds from the first blocked request of a device to its next accepted one.
        case longestBlocked

        /// As scenarios name it.
        var name: String {
            switch self {
            case .outcome(let outcome): outcome.rawValue
            case .blockedDevices: "blocked-devices"
            case .stillBlocked: "still-blocked"
            case .longestBlocked: "longest-blocked"
            }
        }

        /// All of them.
        static let all: [Figure] =
            RequestOutcome.allCases.map(Figure.outcome) + [.blockedDevices, .stillBlocked, .longestBlocked]

        func value(in figures: RequestFigures) -> Int {
            switch self {
            case .outcome(let outcome): figures[outcome]
            case .blockedDevices: figures.blockedDevices
            case .stillBlocked: figures.stillBlocked
            case .longestBlocked: figures.longestBlocked ?? 0
            }
        }

        /// A range of this figure in words.
        func text(_ range: CountRange) -> String {
            self == .longestBlocked ? range.text(DurationText.text) : range.description
        }
    }

    // Figures of all groups, and groups by name with their own.
    static var schema: JSONSchema {
        let bounds = JSONSchema.object([("at-least", .duration), ("at-most", .duration)], atLeast: 1)
        let time = JSONSchema.any(of: [.duration, bounds])
        let figures = Figure.all.map { figure in
            (name: figure.name, schema: figure == .longestBlocked ? time : JSONSchema.reference(to: "count"))
        }
        return .object(figures, atLeast: 1, others: .object(figures, atLeast: 1)).namingKeys(.group)
    }

    static func load(_ node: Node, account: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck] {
        loader.checkEntries(node, "`requests`").flatMap { entry -> [RequestCheck] in
            if let figure = Figure.all.first(where: { $0.name == entry.key }) {
                return [load(figure, entry, of: nil, &loader.reader)].compactMap(\.self)
            }
            guard case .mapping = entry.value.content, loader.groupIndices[ExactText(entry.key)] != nil else {
                let names = Figure.all.map(\.name) + loader.scenario.groups.map(\.name)
                loader.reader.error(
                    "\(entry.key.quoted) is neither a figure of requests nor a group", at: entry.keyPosition,
                    hint: Suggestion.hint(for: entry.key, among: names))
                return []
            }
            guard let group = loader.group(entry.keyNode) else { return [] }
            loader.check(group, isOfAccount: account, at: entry.keyPosition)
            return loader.checkEntries(entry.value, entry.key.quoted).compactMap { entry in
                if let figure = Figure.all.first(where: { $0.name == entry.key }) {
                    return load(figure, entry, of: group, &loader.reader)
                }
                loader.reader.error(
                    "unknown figure \(entry.key.quoted) of requests", at: entry.keyPosition,
                    hint: Suggestion.hint(for: entry.key, among: Figure.all.map(\.name)))
                return nil
            }
        }
    }

    private static func load(
        _ figure: Figure, _ entry: Node.Entry, of group: Int?, _ reader: inout DocumentReader
    ) -> RequestCheck? {
        let range = CountRange.load(
            entry.value, entry.key.quoted, of: figure == .longestBlocked ? .seconds : .things, &reader)
        return range.map { RequestCheck(figure: figure, group: group, position: entry.keyPosition, range: $0) }
    }

    func message(_ scenario: Scenario) -> String {
        "\(figure.name) of \(group.map { scenario.groups[$0].name } ?? "all")"
    }

    func result(_ end: ScenarioEnd, account: Int, _: inout Diagnostics) -> CheckResult? {
        let groups =
            group.map { [$0] } ?? end.scenario.groups.indices.filter { end.scenario.groups[$0].account == account }
        let figures = groups.reduce(into: RequestFigures()) { $0.merge(end.requests[$1]) }
        let value = figure.value(in: figures)
        return CheckResult(
            expected: figure.text(range), actual: figure.text(CountRange(value)), passed: range.contains(value),
            vacuity: range.vacuity ?? (figures.total == 0 ? "no request was made" : nil))
    }
}
