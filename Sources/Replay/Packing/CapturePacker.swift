internal import Columns
package import Documents
internal import Figures
internal import PolicyEngine

/// A request to pack captures.
package struct PackRequest: Sendable {
    /// The captures, and how they are read; the account has no meaning.
    package var reading: ReplayRequest
    /// The path of the output; `-` is standard output.
    package var output: String
    /// The form of the output.
    package var form: GatheredForm
    /// The version of the tool, which the output names.
    package var version: String
    /// The limits of batches and dictionaries.
    package var limits = GatheringLimits()

    package init(reading: ReplayRequest, output: String, form: GatheredForm, version: String) {
        (self.reading, self.output, self.form, self.version) = (reading, output, form, version)
    }
}

/// The result of packing.
package struct PackSummary: Sendable {
    package var records = 0
    package var devices = 0
    package var malformed = 0
}

/// Writes the records of captures into one file, in which each distinct value is written once.
///
/// The file is written as a whole or not at all. Its bytes depend on the records alone.
package struct CapturePacker {
    private let request: PackRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, and what becomes of them.
    ///   - progress: Shows from time to time how far it is.
    package init(_ request: PackRequest, progress: Progress = Progress()) {
        (self.request, self.progress) = (request, progress)
    }

    /// Packs the captures.
    ///
    /// - Returns: What was packed, unless the captures were refused or the output could not be written; nothing is written if
    ///   there are no records. And what is wrong with them.
    package func run() -> (summary: PackSummary?, diagnostics: Diagnostics) {
        do throws(ReplayFailure) {
            let spool = try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                try SpoolFile(beside: request.output)
            }
            // Before anything is read, so that a folder that is not there is noticed first.
            var file = try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                try OutputFile(path: request.output)
            }
            let gathering = RecordGathering(request.reading, spool: spool, limits: request.limits, progress: progress)
            guard let result = gathering.result, let part = gathering.part else { return (nil, gathering.diagnostics) }
            let summary = PackSummary(
                records: result.figures.attestations, devices: part.devices.count, malformed: result.figures.malformed)
            if summary.records > 0 {
                let packed = GatheredFile(part.table, gathering.columns, metadata: metadata(of: result))
                try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                    try packed.write(as: request.form, path: request.output) { bytes throws(FileFailure) in
                        try file.write(bytes)
                    }
                    try file.finish()
                }
            }
            return (summary, gathering.diagnostics)
        } catch {
            var diagnostics = Diagnostics()
            diagnostics.add(error.diagnostic)
            return (nil, diagnostics)
        }
    }

    private func metadata(of result: PackResult) -> [ColumnNote] {
        let captures = request.reading.captures.map { path in
            CaptureIdentity(path: path, digestedUpTo: CaptureIdentity.digestBytes)
        }
        return [
            ColumnNote("scenario.version", request.version),
            ColumnNote("scenario.records", "\(result.figures.attestations)"),
            ColumnNote("scenario.malformed", "\(result.figures.malformed)"),
            ColumnNote("scenario.first", result.times?.lowerBound.description ?? ""),
            ColumnNote("scenario.last", result.times?.upperBound.description ?? ""),
            ColumnNote("scenario.captures", String(decoding: captures.partial.bytes, as: UTF8.self)),
        ]
    }
}
