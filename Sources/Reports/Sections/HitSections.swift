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
    static let form = ObjectForm<HitFigures>(byName: [
        .field("level", \.level.name), .field("keys", \.keys), .field("order", \.order), .field("tried", \.tried),
        .field("support", \.support), .field("devices", \.devices), .field("newly-rejected", \.rejected),
        .list("groups", hit, \.hits),
    ])

    private static let hit = ObjectForm<Hit>(byName: [
        .number("ratio", \.ratio), .number("lower", \.interval.lower), .number("upper", \.interval.upper),
        .number("p", \.pValue), .list("values", term, \.terms), .field("condition", \.condition),
        .field("devices", \.devices), .field("newly-rejected", \.rejected), .field("more", \.more),
    ])

    private static let term = ObjectForm<Term>(byName: [.field("key", \.key), .field("value", \.value)])
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

    private static func form(_ turned: String) -> ObjectForm<ValueHits.Key> {
        let value = ObjectForm<ValueHits.Value>(byName: [
            .field("value", \.text), .field("devices", \.devices), .field(turned, \.turned),
        ])
        return ObjectForm(byName: [
            .field("key", \.key), .field("different", \.different), .list("values", value, \.values),
        ])
    }
}
