internal import Documents
internal import Figures

// The frequencies of the values of attributes (formats: Values by frequency).
extension AttributeFrequency {
    /// An attribute as JSON.
    static let columns = Columns<AttributeFrequency>(byName: [
        .field("attribute", "The attribute.", \.attribute), .field("exact", "True if the counts are exact.", \.isExact),
        .field("present", "Attestations that have the attribute.", \.present),
        .field("absent", "Attestations that lack it.", \.absent),
        .field("different", "Different values; null where there are more than were kept.", \.different),
        .field("others-at-most", "The greatest number of attestations of a value that is not shown.", \.restAtMost),
        .list("values", "The commonest values, the commonest first.", values, \.rows),
    ])

    // A value of an attribute.
    private typealias Row = (value: Value, attribute: AttributeFrequency)

    private var rows: [Row] { commonest.map { ($0, self) } }

    private static let values = Columns<Row>(byName: [
        .onlyCSV("attribute", of: "attribute") { .words($0.attribute.attribute) },
        .field("value", "The value.", \.value.text).text("value") { .text(shown($0.value.text)) },
        .field("attestations", "Attestations with the value.", \.value.attestations).figure("attestations"),
        .shown("share", .figure("share")) {
            .share($0.value.attestations, of: $0.attribute.present + $0.attribute.absent)
        },
        .shown("at-most", .figure("at most")) { .number($0.value.attestations + $0.value.missed) },
        .field("failed", "Those of them that failed.", \.value.failed),
        .field("devices", "Devices that showed it.", \.value.devices).figure("devices"),
        .shown("at-most", .figure("at most")) { .number($0.value.devices + $0.value.missedDevices) },
        .field("missed-at-most", "The greatest number of attestations that are not counted.", \.value.missed),
        .field("missed-devices-at-most", "The greatest number of devices that are not counted.", \.value.missedDevices),
        .shown("failed", .figure("failed")) { .number($0.value.failed) },
        .shown("failing", .figure("failing", bars: .worse)) { .share($0.value.failed, of: $0.value.attestations) },
    ])

    /// The values of some attributes as CSV.
    static func csv(of frequencies: [AttributeFrequency], narrowed: NarrowedRecords?) -> [UInt8] {
        values.csv(of: frequencies.flatMap(\.rows), narrowed: narrowed)
    }

    /// The commonest values in a table, and what of it is exact.
    var section: ReportSection {
        var table = Self.values.table(
            of: rows, without: isExact ? ["at-most"] : [], anchor: { "\(attribute) \($0.value.text)" })
        table.omitted = different.map { $0 - commonest.count } ?? 0
        return ReportSection(.title("Values of \(attribute)"), sentences: sentences, table: table)
    }

    private var sentences: [ReportText] {
        let all =
            "\(present.grouped) of \((present + absent).counting("attestation")) \(present.agreeing("has", "have")) it"
        guard let different else {
            return [
                ReportText("\(all), with more different values than were kept."),
                ReportText(
                    "The counts are lower bounds, and the table has the upper bounds. A value that is not shown has at "
                        + "most \(restAtMost.counting("attestation"))."),
            ]
        }
        let count = ReportText("\(all), with \(different.counting("different value")).")
        return isExact
            ? [count]
            : [
                count,
                "The counts of devices are lower bounds, because there are too many devices; the table has the upper bounds.",
            ]
    }

    // Long values are cut in tables for people; other forms have all of them.
    private static func shown(_ text: String) -> String {
        text.utf8.count <= shownLength ? text : String(text.prefix(shownLength)) + "…"
    }

    private static let shownLength = 120
}
