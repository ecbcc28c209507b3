internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// Writes the effects of a change as CSV: a row for all that is newly rejected or accepted, or has other annotations, and
/// one for each part of it. With a confidence level, each row of devices has the interval of their share of all devices.
enum CSVComparison {
    /// The comparison as bytes; equal comparisons give equal bytes.
    static func bytes(of comparison: Comparison) -> [UInt8] {
        let columns: [CSVOutput.Field] = [
            "change", "by", "name", "devices", "attestations", "fetches", "example",
        ]
        var output = CSVOutput(
            columns: columns + (comparison.confidence == nil ? [] : ["lower", "upper"]), narrowed: comparison.narrowed)
        let changes = comparison.changes
        for (name, change) in [("newly-rejected", changes.rejected), ("newly-accepted", changes.accepted)] {
            output.add(
                row(name, "all", "", change.devices, change.attestations, change.fetches)
                    + ends(change.devices, comparison))
            for split in change.splits {
                for part in split.parts {
                    output.add(
                        row(
                            name, split.kind.rawValue, part.name, part.devices, part.attestations,
                            comparison.isCapture ? nil : part.events, example: part.example)
                            + ends(part.devices, comparison))
                }
            }
        }
        addAnnotations(comparison, to: &output)
        if let clients = changes.clients { addClients(clients, to: &output) }
        if let hits = comparison.valueHits {
            addValues(hits.rejected, "newly-rejected", comparison, to: &output)
            addValues(hits.accepted, "newly-accepted", comparison, to: &output)
        }
        for hit in comparison.hits?.hits ?? [] {
            output.add(row("newly-rejected", "group", hit.condition, hit.rejected))
        }
        if let lanes = changes.labels?.lanes, lanes.count == 2 { addLabels(lanes, to: &output) }
        return output.bytes
    }

    private static func addValues(
        _ hits: [ValueHits.Key], _ change: String, _ comparison: Comparison, to output: inout CSVOutput
    ) {
        for hits in hits {
            for value in hits.values {
                output.add(row(change, hits.key, value.text, value.turned) + ends(value.turned, comparison))
            }
        }
    }

    private static func row(
        _ change: String, _ kind: String, _ name: String, _ devices: Int?, _ attestations: Int? = nil,
        _ fetches: Int? = nil, example: DeviceID? = nil
    ) -> [CSVOutput.Field] {
        [.plain(change), .words(kind), .words(name)] + [devices, attestations, fetches].map { .count($0) }
            + [.plain(example?.description ?? "")]
    }

    // The ends of the interval of a share of devices; none where no level was given, and empty ones for other figures.
    private static func ends(_ devices: Int?, _ comparison: Comparison) -> [CSVOutput.Field] {
        guard comparison.confidence != nil else { return [] }
        let interval = devices.flatMap { comparison.interval(of: $0) }
        return [interval?.lower, interval?.upper].map { .plain($0?.sixDigits ?? "") }
    }

    // Which flags the tokens newly name, and which they name no longer.
    private static func addAnnotations(_ comparison: Comparison, to output: inout CSVOutput) {
        let (figures, isCapture) = (comparison.changes.annotations, comparison.isCapture)
        let change = "annotations-changed"
        output.add(
            row(change, "all", "", figures.devices, figures.attestations, isCapture ? nil : figures.events)
                + ends(figures.devices, comparison))
        for (kind, counts) in [("gained", figures.gained), ("lost", figures.lost)] {
            for (name, count) in counts {
                output.add(
                    row(change, kind, name, nil, isCapture ? count : nil, isCapture ? nil : count)
                        + ends(nil, comparison))
            }
        }
    }

    // R19a: of a scenario, devices whose requests are no longer accepted, and each difference in what clients get. Not all
    // that clients get takes an attestation or a fetch.
    private static func addClients(_ clients: ClientChanges, to output: inout CSVOutput) {
        output.add(row("newly-blocked", "all", "", clients[.request]?.worse.devices ?? 0))
        for part in clients.parts {
            for difference in part.differences {
                let name = "\(difference.before) to \(difference.after)"
                output.add(
                    row(
                        part.kind.rawValue, difference.effect.rawValue, name, difference.count.devices,
                        example: difference.example))
            }
        }
    }

    // Labelled devices, and those that are rejected before and after.
    private static func addLabels(_ lanes: [LabelLane], to output: inout CSVOutput) {
        for label in DeviceLabel.allCases {
            let (before, after) = (lanes[0][label], lanes[1][label])
            for (name, devices) in [
                ("all", after.devices), ("rejected-before", before.rejected), ("rejected-after", after.rejected),
                ("newly-rejected", after.newlyRejected), ("no-longer-rejected", after.noLongerRejected),
                ("unevaluated", after.unevaluated),
            ] { output.add(row("labels", label.rawValue, name, devices)) }
        }
    }
}
