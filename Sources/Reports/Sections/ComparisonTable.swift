internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

// The effects of a change as CSV: a row for all that is newly rejected or accepted, or has other annotations, and one for each
// part of it. With a confidence level, each row of devices has the interval of their share of all devices.
extension Comparison {
    // Devices or counts, and what they have in common.
    private struct Row {
        let change: String
        var kind = "all"
        var name = ""
        var devices: Int?
        var attestations: Int?
        var fetches: Int?
        var example: DeviceID?
        /// True if the devices are a share of all, which has an interval.
        var isShare = false
    }

    private static let columns = Columns<(row: Row, comparison: Comparison)>(
        inOrder: [
            .field("change", "The kind of change.", \.row.change),
            .field("by", "What the parts of the change have in common; `all` for the whole.", \.row.kind),
            .field("name", "The name of the part.", \.row.name),
            .field("devices", "Devices of the part.", \.row.devices),
            .field("attestations", "Attestations of the part.", \.row.attestations),
            .field("fetches", "Fetches of the part.", \.row.fetches),
            // An ID may begin like a formula.
            .onlyCSV("example", of: "example") { .plain($0.row.example?.description ?? "") },
            .number("lower", "The lower end of the interval of the share of devices.") {
                $0.comparison.interval(of: $0.row)?.lower
            },
            .number("upper", "The upper end of the interval of the share of devices.") {
                $0.comparison.interval(of: $0.row)?.upper
            },
        ])

    /// The comparison as bytes; equal comparisons give equal bytes.
    var csv: [UInt8] {
        let rows =
            turned("newly-rejected", changes.rejected) + turned("newly-accepted", changes.accepted) + annotationRows
            + clientRows + valueRows(valueHits?.rejected, "newly-rejected")
            + valueRows(valueHits?.accepted, "newly-accepted")
            + (hits?.hits ?? []).map { hit in
                Row(change: "newly-rejected", kind: "group", name: hit.condition, devices: hit.rejected)
            } + labelRows
        return Self.columns.csv(
            of: rows.lazy.map { ($0, self) }, without: confidence == nil ? ["lower", "upper"] : [], narrowed: narrowed)
    }

    private func turned(_ name: String, _ change: ChangeFigures) -> [Row] {
        let all = Row(
            change: name, devices: change.devices, attestations: change.attestations, fetches: change.fetches,
            isShare: true)
        return [all]
            + change.splits.flatMap { split in
                split.parts.map { part in
                    Row(
                        change: name, kind: split.kind.rawValue, name: part.name, devices: part.devices,
                        attestations: part.attestations, fetches: isCapture ? nil : part.events, example: part.example,
                        isShare: true)
                }
            }
    }

    private func valueRows(_ hits: [ValueHits.Key]?, _ change: String) -> [Row] {
        (hits ?? []).flatMap { hits in
            hits.values.map { Row(change: change, kind: hits.key, name: $0.text, devices: $0.turned, isShare: true) }
        }
    }

    // The flags that tokens newly name, and those that they name no longer.
    private var annotationRows: [Row] {
        let (figures, change) = (changes.annotations, "annotations-changed")
        let all = Row(
            change: change, devices: figures.devices, attestations: figures.attestations,
            fetches: isCapture ? nil : figures.events, isShare: true)
        return [all]
            + [("gained", figures.gained), ("lost", figures.lost)].flatMap { kind, counts in
                counts.map { name, count in
                    Row(
                        change: change, kind: kind, name: name, attestations: isCapture ? count : nil,
                        fetches: isCapture ? nil : count)
                }
            }
    }

    // R19a: of a scenario, devices whose requests are no longer accepted, and each difference in what clients get. Not all
    // that clients get takes an attestation or a fetch.
    private var clientRows: [Row] {
        guard let clients = changes.clients else { return [] }
        return [Row(change: "newly-blocked", devices: clients[.request]?.worse.devices ?? 0)]
            + clients.parts.flatMap { part in
                part.differences.map { difference in
                    Row(
                        change: part.kind.rawValue, kind: difference.effect.rawValue,
                        name: "\(difference.before) to \(difference.after)", devices: difference.count.devices,
                        example: difference.example)
                }
            }
    }

    // Labelled devices, and those that are rejected before and after.
    private var labelRows: [Row] {
        guard let lanes = changes.labels?.lanes, lanes.count == 2 else { return [] }
        return DeviceLabel.allCases.flatMap { label in
            let (before, after) = (lanes[0][label], lanes[1][label])
            return [
                ("all", after.devices), ("rejected-before", before.rejected), ("rejected-after", after.rejected),
                ("newly-rejected", after.newlyRejected), ("no-longer-rejected", after.noLongerRejected),
                ("unevaluated", after.unevaluated),
            ].map { Row(change: "labels", kind: label.rawValue, name: $0, devices: $1) }
        }
    }

    // The interval of the share that the devices of a row are of all; `nil` where no level was given.
    private func interval(of row: Row) -> ConfidenceInterval? {
        row.isShare ? row.devices.flatMap { interval(of: $0) } : nil
    }
}
