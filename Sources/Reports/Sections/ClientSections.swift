internal import Documents
internal import Figures
internal import PolicyEngine

// The effects of a change on all that clients of a scenario get as JSON (R19a).
extension ClientChanges {
    /// The effects on one kind: `{"kind":…,"events":n,"devices":n,"worse":{…},"better":{…},"differences":[…]}`.
    static let part = Columns<Part>(byName: [
        .field("events", "Fetches, requests or calls of the kind.", \.events),
        .field("devices", "Devices that made them.", \.devices),
        .field("kind", "What clients get.") { $0.kind.rawValue },
        .object("worse", "Changes for the worse.", count, \.worse),
        .object("better", "Changes for the better.", count, \.better),
        .list("differences", "The different changes, those of the most devices first.", difference, \.differences),
    ])

    /// The requests that are no longer accepted: `{"requests":n,"devices":n}`.
    static let blocked = Columns<Count>(byName: [
        .field("requests", "Requests.", \.events), .field("devices", "Devices that made them.", \.devices),
    ])

    private static let count = Columns<Count>(byName: [
        .field("events", "Fetches, requests or calls.", \.events),
        .field("devices", "Devices that made them.", \.devices),
    ])

    private static let difference = Columns<Difference>(byName: differences)

    private static let differences: [Column<Difference>] = [
        .field("events", "Fetches, requests or calls that changed so.", \.count.events).figure("times"),
        .field("devices", "Devices that made them.", \.count.devices).figure("devices"),
        .word(
            "effect", "Whether that is worse, better, or neither.", of: ["worse", "better", "other"], \.effect.rawValue),
        .field("before", "What the client got before the change.", \.before).text("before"),
        .field("after", "What the client gets after it.", \.after).text("after"),
        .field("example", "A device that meets the change.", \.example)
            .text("first device") { .code($0.example.description) },
    ]

    // A difference, and the kind of what clients get.
    private typealias Row = (difference: Difference, part: Part)

    private static let shown = Columns<Row>(
        inOrder: [
            .shown("kind", .text("what")) { .text($0.part.kind.rawValue) },
            .shown("share", .figure("share")) { .share($0.difference.count.devices, of: $0.part.devices) },
        ] + differences.map { column in column.of(\.difference) })

    /// The changes of what clients get beside tokens; nothing if there are none.
    var sections: [ReportSection] {
        let rows = parts.filter { $0.kind != .token }.flatMap { part in part.differences.map { ($0, part) } }
        guard !rows.isEmpty else { return [] }
        let table = Self.shown.table(
            of: rows, showing: ["kind", "before", "after", "events", "devices", "share", "example"],
            anchor: { "clients \($0.part.kind.rawValue) \($0.difference.before) \($0.difference.after)" })
        return [ReportSection(.title("Differences in what clients get"), table: table)]
    }
}
