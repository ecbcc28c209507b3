internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

extension HitFigures {
    /// The groups in a table; a sentence if there is none.
    var sections: [ReportSection] {
        var section = ReportSection(.title("Groups that are newly rejected more often"), sentences: sentences)
        if !hits.isEmpty {
            let columns: [ReportTable.Column] = [
                .text("group"), .figure("devices"), .figure("newly rejected"), .figure("rate", bars: .worse),
                .figure("times the rest"), .figure(level.text), .figure("not in a group above"),
            ]
            let rows = hits.map { hit in
                ReportTable.Row(
                    cells: [
                        .code(hit.condition), .number(hit.devices), .number(hit.rejected),
                        .share(hit.rejected, of: hit.devices), .text(Self.times(hit.ratio)),
                        .interval(
                            "\(Self.times(hit.interval.lower)) to \(Self.times(hit.interval.upper))",
                            estimate: hit.interval.upper.isFinite ? hit.ratio : nil, hit.interval),
                        .number(hit.more),
                    ], anchor: "group \(hit.condition)")
            }
            section.table = ReportTable(columns, rows: rows)
        }
        return [section]
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
                    + "combinations (Benjamini–Yekutieli, 5 %), and no smaller group says the same"),
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
        .list("groups", "The groups that are newly rejected more often than the rest.", hit, \.hits),
    ])

    private static let hit = Columns<Hit>(byName: [
        .number("ratio", "The rate of the group by that of all other devices.", \.ratio),
        .number("lower", "The lower end of the ratio's interval.", \.interval.lower),
        .number("upper", "The upper end of the ratio's interval; null where there is none.", \.interval.upper),
        .number("p", "The p-value of the difference between the group and the rest.", \.pValue),
        .list("values", "The values that the devices of the group showed.", term, \.terms),
        .field("condition", "The group as an expression of `search`.", \.condition),
        .field("devices", "Devices of the group.", \.devices),
        .field("newly-rejected", "Those of them that are newly rejected.", \.rejected),
        .field("more", "Those of them that are in no group before it.", \.more),
    ])

    private static let term = Columns<Term>(byName: [
        .field("key", "The attribute, or what else the value is of.", \.key), .field("value", "The value.", \.value),
    ])
}

extension JSONValue {
    /// A number of six significant digits; null for one that is not finite.
    static func reported(_ number: Double) -> JSONValue {
        number.isFinite && number.magnitude < 1e9 ? .number(number.sixDigits) : .null
    }
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
        (hits ?? []).filter { !$0.values.isEmpty }.enumerated().map { index, hits in
            let columns: [ReportTable.Column] = [
                .text(), .figure("devices"), .figure("share"), .figure("of"), .figure("rate", bars: tone),
            ]
            let rows = hits.values.map { value in
                ReportTable.Row(
                    cells: [
                        .text(value.text), .number(value.turned), .share(value.turned, of: turned),
                        .number(value.devices), .share(value.turned, of: value.devices),
                    ], anchor: "\(title) \(hits.key) \(value.text)")
            }
            let table = ReportTable(columns, rows: rows, omitted: hits.different - hits.values.count)
            let rate = ReportText("the rate is the part of the devices with the value that are \(title.lowercased())")
            return ReportSection(
                .title("\(title), by \(hits.key)"), sentences: index == 0 ? [rate] : [], table: table, place: .beside)
        }
    }
}

// The devices that are turned one way by the values of each key (formats: Devices by values).
extension ValueHits.Key {
    static let rejected = form("newly-rejected")
    static let accepted = form("newly-accepted")

    private static func form(_ turned: String) -> Columns<ValueHits.Key> {
        let value = Columns<ValueHits.Value>(byName: [
            .field("value", "The value.", \.text), .field("devices", "Devices that showed it.", \.devices),
            .field(turned, "Those of them that are turned so.", \.turned),
        ])
        return Columns(byName: [
            .field("key", "The attribute, or what else the values are of.", \.key),
            .field("different", "Its different values.", \.different),
            .list("values", "The values, those of the most such devices first.", value, \.values),
        ])
    }
}
