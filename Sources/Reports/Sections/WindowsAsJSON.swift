internal import Documents
internal import Figures
internal import PolicyEngine

/// Writes the counts of windows as JSON. Most windows have the same metrics, so the names of all are put in order once.
struct JSONWindows {
    // In the order of their bytes.
    private let names: [ExactText]
    private let places: [ExactText: Int]
    private let metricPlaces: [Metric: Int]

    static let schema = JSONSchema.members(
        WindowKind.allCases.map { kind in
            (
                kind.rawValue,
                [Figures.Window].reportedForm.described(as: "The \(kind.rawValue) windows, in the order of time.")
            )
        })

    /// The windows of each kind, in the order of time.
    static func value(of windows: [WindowKind: [Figures.Window]]) -> JSONValue {
        let writer = JSONWindows(windows.values.joined())
        return .sorted(
            Dictionary(
                uniqueKeysWithValues: WindowKind.allCases.map { kind in
                    (ExactText(kind.rawValue), writer.list(windows[kind] ?? []))
                }))
    }

    private init(_ windows: some Sequence<Figures.Window>) {
        var metrics: [Metric: ExactText] = [:]
        var names: Set<ExactText> = []
        for window in windows {
            for metric in window.counts.keys where metrics[metric] == nil { metrics[metric] = ExactText(metric.name) }
            if names.isEmpty { names.formUnion(window.reportedMembers(.attestations).keys) }
        }
        self.names = names.union(metrics.values).sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(self.names, self.names.indices))
        self.places = places
        metricPlaces = metrics.compactMapValues { places[$0] }
    }

    private func list(_ windows: [Figures.Window]) -> JSONValue {
        var list = JSONBytes()
        list.raw("[")
        for (index, window) in windows.enumerated() {
            list.raw(index == 0 ? "{" : ",{")
            for (index, member) in members(of: window).enumerated() {
                if index > 0 { list.raw(",") }
                list.string(names[member.place].text)
                list.raw(":")
                member.value.write(to: &list)
            }
            list.raw("}")
        }
        list.raw("]")
        return .written(list)
    }

    private func members(of window: Figures.Window) -> [(place: Int, value: JSONValue)] {
        let fields = window.reportedMembers(.attestations).compactMap { name, value in
            places[name].map { (place: $0, value: value) }
        }
        let counts = window.counts.compactMap { metric, count in
            metricPlaces[metric].map { (place: $0, value: JSONValue.integer(count)) }
        }
        return (fields + counts).sorted { $0.place < $1.place }
    }
}
