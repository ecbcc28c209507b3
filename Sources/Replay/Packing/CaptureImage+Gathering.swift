package import Documents
internal import Figures

extension CaptureImage {
    /// Reads captures.
    ///
    /// - Parameters:
    ///   - reading: The captures, and how they are read; the account has no meaning.
    ///   - choice: The records of the image.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The image, unless the captures were refused or there is no room for it; and what is wrong with them.
    package static func reading(
        _ reading: ReplayRequest, _ choice: RecordChoice = RecordChoice(), progress: Progress = Progress()
    ) -> (image: CaptureImage?, diagnostics: Diagnostics) {
        do throws(ReplayFailure) {
            let (rows, file) = try ReplayFailure.wrapping(output: Self.name) { () throws(FileFailure) in
                (try SpoolFile(beside: OutputFile.standardOutput), try SpoolFile(beside: OutputFile.standardOutput))
            }
            let gathering = RecordGathering(reading, choice, spool: rows, limits: GatheringLimits(), progress: progress)
            guard let result = gathering.result, let part = gathering.part else { return (nil, gathering.diagnostics) }
            let gathered = GatheredFile(part.table, gathering.columns)
            try ReplayFailure.wrapping(output: Self.name) { () throws(FileFailure) in
                try gathered.write(as: .columns(level: nil)) {
                    bytes throws(FileFailure) in _ = try file.append(bytes)
                }
            }
            let identities =
                reading.image?.captures
                ?? CaptureIdentity.all(reading.captures, digestedUpTo: CaptureIdentity.digestBytes)
            let image = CaptureImage(
                file, of: identities, records: result.figures.attestations, devices: part.devices.count,
                times: result.times, keys: gathered.names.filter { !Self.ownColumns.contains($0) })
            return (image, gathering.diagnostics)
        } catch {
            return (nil, Diagnostics(error.diagnostic))
        }
    }

    // In messages.
    private static let name = "the folder of temporary files"

    private static let ownColumns: Set = ["time", "device-id", ColumnNames.originLine, ColumnNames.originCapture]
}
