internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// Writes the effects of a change as CSV: a row for all that is newly rejected or accepted, or has other annotations, and
/// one for each part of it. With a confidence level, each row of devices has the interval of their share of all devices.
enum CSVComparison {
    /// The comparison as bytes; equal comparisons give equal bytes.
    static func bytes(of comparison: Comparison) -> [UInt8] {
        var output = CSVOutput()
        for name in ["change", "by", "name", "devices", "attestations", "fetches", "example"] { output.plain(name) }
        if comparison.confidence != nil { for name in ["lower", "upper"] { output.plain(name) } }
        output.endRow()
        for (name, change) in [
            ("newly-rejected", comparison.changes.rejected), ("newly-accepted", comparison.changes.accepted),
        ] {
            let fetches = change.fetches.map(String.init) ?? ""
            write(
                name, "all", "", [change.devices, change.attestations], fetches, example: "",
                ends(change.devices, comparison), to: &output)
            for split in change.splits {
                for part in split.parts {
                    let fetches = comparison.isCapture ? "" : String(part.events)
                    write(
                        name, split.kind.rawValue, part.name, [part.devices, part.attestations], fetches,
                        example: part.example.description, ends(part.devices, comparison), to: &output)
                }
            }
        }
        writeAnnotations(comparison, to: &output)
        writeClients(comparison, to: &output)
        for hit in comparison.hits?.hits ?? [] {
            let fields = ["newly-rejected", "group", hit.condition, "\(hit.rejected)", "", "", ""]
            for field in fields { output.field(field) }
            output.endRow()
        }
        writeLabels(comparison.changes.labels, to: &output)
        return output.bytes
    }

    // R19a: of a scenario, devices whose requests are no longer accepted, and each difference in what clients get.
    private static func writeClients(_ comparison: Comparison, to output: inout CSVOutput) {
        guard let clients = comparison.changes.clients else { return }
        let blocked = clients[.request]?.worse ?? ClientChanges.Count()
        write("newly-blocked", "all", "", blocked, example: "", to: &output)
        for part in clients.parts {
            for difference in part.differences {
                write(
                    part.kind.rawValue, difference.effect.rawValue, "\(difference.before) to \(difference.after)",
                    difference.count, example: difference.example.description, to: &output)
            }
        }
    }

    // Labelled devices, and those that are rejected before and after.
    private static func writeLabels(_ figures: LabelFigures?, to output: inout CSVOutput) {
        guard let lanes = figures?.lanes, lanes.count == 2 else { return }
        for label in DeviceLabel.allCases {
            let (before, after) = (lanes[0][label], lanes[1][label])
            for (name, devices) in [
                ("all", after.devices), ("rejected-before", before.rejected), ("rejected-after", after.rejected),
                ("newly-rejected", after.newlyRejected), ("no-longer-rejected", after.noLongerRejected),
                ("unevaluated", after.unevaluated),
            ] {
                for text in ["labels", label.rawValue, name, String(devices), "", "", ""] { output.plain(text) }
                output.endRow()
            }
        }
    }

    private static func write(
        _ kind: String, _ effect: String, _ name: String, _ count: ClientChanges.Count, example: String,
        to output: inout CSVOutput
    ) {
        output.plain(kind)
        output.plain(effect)
        output.field(name)
        output.field(count.devices)
        // Not all that clients get takes an attestation or a fetch.
        output.plain("")
        output.plain("")
        output.plain(example)
        output.endRow()
    }

    // Which flags the tokens newly name, and which they name no longer.
    private static func writeAnnotations(_ comparison: Comparison, to output: inout CSVOutput) {
        let (figures, isCapture) = (comparison.changes.annotations, comparison.isCapture)
        let change = "annotations-changed"
        write(
            change, "all", "", [figures.devices, figures.attestations], isCapture ? "" : String(figures.events),
            example: "", ends(figures.devices, comparison), to: &output)
        for (kind, counts) in [("gained", figures.gained), ("lost", figures.lost)] {
            for (name, count) in counts {
                output.plain(change)
                output.plain(kind)
                output.field(name)
                output.plain("")
                output.plain(isCapture ? String(count) : "")
                output.plain(isCapture ? "" : String(count))
                output.plain("")
                for end in ends(nil, comparison) { output.plain(end) }
                output.endRow()
            }
        }
    }

    // The ends of the interval of a share of devices; none where no level was given, and empty ones for other figures.
    private static func ends(_ devices: Int?, _ comparison: Comparison) -> [String] {
        guard comparison.confidence != nil else { return [] }
        let interval = devices.flatMap(comparison.interval)
        return [interval?.lower, interval?.upper].map { $0?.sixDigits ?? "" }
    }

    private static func write(
        _ change: String, _ kind: String, _ name: String, _ counts: [Int], _ fetches: String, example: String,
        _ ends: [String], to output: inout CSVOutput
    ) {
        output.plain(change)
        output.plain(kind)
        output.field(name)
        for count in counts { output.field(count) }
        output.plain(fetches)
        output.plain(example)
        for end in ends { output.plain(end) }
        output.endRow()
    }
}
