internal import PolicyEngine
internal import Replay

/// Writes what a change does as CSV: a row for all that is newly rejected or accepted, and one for each part of it.
enum CSVComparison {
    /// The comparison as bytes; equal comparisons give equal bytes.
    static func bytes(of comparison: Comparison) -> [UInt8] {
        var output = CSVOutput()
        for name in ["change", "by", "name", "devices", "attestations", "fetches", "example"] { output.plain(name) }
        output.endRow()
        for (name, change) in [
            ("newly-rejected", comparison.changes.rejected), ("newly-accepted", comparison.changes.accepted),
        ] {
            let fetches = change.fetches.map(String.init) ?? ""
            write(name, "all", "", [change.devices, change.attestations], fetches, example: "", to: &output)
            for split in change.splits {
                for part in split.parts {
                    let fetches = comparison.isCapture ? "" : String(part.events)
                    write(
                        name, split.kind, part.name, [part.devices, part.attestations], fetches,
                        example: part.example.description, to: &output)
                }
            }
        }
        return output.bytes
    }

    private static func write(
        _ change: String, _ kind: String, _ name: String, _ counts: [Int], _ fetches: String, example: String,
        to output: inout CSVOutput
    ) {
        output.plain(change)
        output.plain(kind)
        output.field(name)
        for count in counts { output.field(count) }
        output.plain(fetches)
        output.plain(example)
        output.endRow()
    }
}
