internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

extension HitFigures {
    /// The groups in a table; a sentence if there is none.
    var sections: [ReportSection] {
        let shown = ["condition", "devices", "newly-rejected", "rate", "ratio", "lower", "more"]
        let table = Self.groups(at: level).table(of: hits, showing: shown, anchor: { "group \($0.condition)" })
        return [
            ReportSection(
                .title("Groups that are newly rejected more often"), sentences: sentences,
                table: hits.isEmpty ? nil : table)
        ]
    }

    private var sentences: [ReportText] {
        let tried =
            "\(tried.counting("combination")) of up to \(order.counting("value")) of \(keys.joined(separator: ", ")) "
            + "\(tried.agreeing("was", "were")) tried on \(devices.counting("device")), \(rejected.grouped) of them newly rejected"
        guard !hits.isEmpty else {
            let reason = rejected < support ? ": too few devices are newly rejected" : ""
            let none = "no group is newly rejected at least twice as often as the rest\(reason)"
            return [ReportText(tried), ReportText(none)]
        }
        return [
            ReportText(tried),
            ReportText(
                "each group is newly rejected at least twice as often as the rest, by more than chance explains among all "
                    + "combinations (Benjamini–Yekutieli, 5 %), and no simpler group explains as much"),
            ReportText(
                "a ratio compares devices that are in no group above; its interval allows for the selection of "
                    + "\(hits.count.counting("group")) among all combinations"),
        ]
    }

    /// `12.3×`, and `∞` where the rest has none.
    static func times(_ ratio: Double) -> String {
        ratio.isFinite && ratio < 1e12 ? ratio.text(significantDigits: 3, leastDecimals: 1) + "×" : "∞"
    }

    /// The figures as JSON (formats: Groups that are hit).
    static let columns = Columns<HitFigures>(byName: [
        .field("level", "The level of the intervals, which hold together.", \.level.name),
        .field("keys", "The attributes whose values make groups.", \.keys),
        .field("order", "The greatest number of values that make a group.", \.order),
        .field("tried", "Combinations of values that enough devices show to make a group.", \.tried),
        .field("support", "The least number of newly rejected devices of a group.", \.support),
        .field("devices", "Devices that were looked at.", \.devices),
        .field("newly-rejected", "Those of them that are newly rejected.", \.rejected),
        .list("groups", "The groups that are newly rejected more often than the rest.", groups(at: .usual), \.hits),
    ])

    private static func groups(at level: ConfidenceLevel) -> Columns<Hit> {
        Columns(byName: [
            .number("ratio", "The rate of the group by that of all other devices.", \.ratio)
                .figure("times the rest") { .text(times($0.ratio)) },
            .number("lower", "The lower end of the ratio's interval.", \.interval.lower).figure(level.text) { hit in
                let ends = (times(hit.interval.lower), times(hit.interval.upper))
                let isDrawn = hit.interval.upper.isFinite
                return .interval("\(ends.0) to \(ends.1)", estimate: isDrawn ? hit.ratio : nil, hit.interval)
            },
            .number("upper", "The upper end of the ratio's interval; null where there is none.", \.interval.upper),
            .number("p", "The p-value of the difference between the group and the rest.", \.pValue),
            .list("values", "The values that the devices of the group showed.", term, \.terms),
            .field("condition", "The group as an expression of `search`.", \.condition)
                .text("group") { .code($0.condition) },
            .field("devices", "Devices of the group.", \.devices).figure("devices"),
            .field("newly-rejected", "Those of them that are newly rejected.", \.rejected).figure("newly rejected"),
            .field("more", "Those of them that are in no group before it.", \.more).figure("not in a group above"),
            .shown("rate", .figure("rate", bars: .worse)) { .share($0.rejected, of: $0.devices) },
        ])
    }

    private static let term = Columns<Term>(byName: [
        .field("key", "The attribute, or what else the value is of.", \.key), .field("value", "The value.", \.value),
    ])
}

extension Comparison {
    /// The newly rejected devices by the values of each key, as groups of the section before; none where nobody asked for them.
    var rejectedValues: [ReportSection] {
        sections(of: valueHits?.rejected, "Newly rejected", .worse, among: changes.rejected.devices)
    }

    /// The newly accepted devices, likewise.
    var acceptedValues: [ReportSection] {
        sections(of: valueHits?.accepted, "Newly accepted", .better, among: changes.accepted.devices)
    }

    private func sections(
        of hits: [ValueHits.Key]?, _ title: String, _ tone: ReportPlot.Tone, among turned: Int
    ) -> [ReportSection] {
        (hits ?? []).filter { !$0.values.isEmpty }.map { hits in
            let columns = ValueHits.Key.columns("", tone)
            var table = columns.table(
                of: hits.values, showing: ["value", "", "devices", "rate"],
                anchor: { "\(title) \(hits.key) \($0.text)" })
            table.omitted = hits.different - hits.values.count
            if let rate = table.columns.indices.last {
                table.columns[rate].reference = .share(turned, of: changes.devices)
            }
            return ReportSection(.title("\(title), by \(hits.key)"), table: table, place: .beside)
        }
    }
}

// The devices that are turned one way by the values of each key (formats: Devices by values).
extension ValueHits.Key {
    static let rejected = columns(named: "newly-rejected")
    static let accepted = columns(named: "newly-accepted")

    private static func columns(named turned: String) -> Columns<ValueHits.Key> {
        Columns(byName: [
            .field("key", "The attribute, or what else the values are of.", \.key),
            .field("different", "Its different values.", \.different),
            .list(
                "values", "The values, those of the most such devices first.", columns(turned, .neutral),
                \.values),
        ])
    }

    /// The columns of values.
    ///
    /// - Parameters:
    ///   - turned: The name of the devices that are turned, as JSON has it.
    ///   - tone: The meaning of a high rate.
    fileprivate static func columns(
        _ turned: String, _ tone: ReportPlot.Tone
    ) -> Columns<ValueHits.Value> {
        Columns(byName: [
            .field("value", "The value.", \.text).text(""),
            .field("devices", "Devices that showed it.", \.devices).figure("of"),
            .field(turned, "Those of them that are turned so.", \.turned).figure("devices"),
            .shown("rate", .figure("rate", bars: tone)) { .share($0.turned, of: $0.devices) },
        ])
    }
}
