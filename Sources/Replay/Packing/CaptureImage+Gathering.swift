package import Documents
internal import Figures
internal import PolicyEngine

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
        var chosen = reading
        chosen.choice = choice
        let gathered = GatheredImage(chosen, progress: progress)
        let image = gathered.content.map { content in
            CaptureImage(
                ImageFile(content.columns), of: reading.image?.captures ?? identities(of: reading),
                records: content.records, devices: content.devices, times: content.times)
        }
        return (image, gathered.diagnostics)
    }

    /// Reads captures as one account decides on them, so that it can be asked what another one would decide; single values are
    /// read when somebody asks about them first.
    ///
    /// That is for captures which can be read twice and are without fault; others are read as ``reading(_:_:progress:)`` does.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The image, unless the captures were refused or there is no room for it; and what is wrong with them.
    package static func evaluating(
        _ request: ReplayRequest, progress: Progress = Progress()
    ) -> (image: CaptureImage?, diagnostics: Diagnostics) {
        // A change of a file shows in its stamp, also one that a sample of its bytes misses.
        let (identities, stamps) = (identities(of: request), FileStamp.stamps(of: request.captures))
        guard !request.sorts, identities.allSatisfy({ $0.sample != nil }) else {
            return reading(request, progress: progress)
        }
        let (baseline, problems) = Baseline.reading(request, progress: progress)
        if problems.hasErrors { return (nil, problems) }
        guard let baseline, problems.all.isEmpty else { return reading(request, progress: progress) }
        let figures = baseline.counted.value
        let file = ImageFile { () throws(CaptureFailure) in
            let gathered = GatheredImage(request, progress: Progress())
            guard let content = gathered.content else {
                let reason = gathered.diagnostics.all.first { $0.severity == .error }?.message ?? "it was refused"
                throw .notAgain(path: request.captures[0], reason: reason)
            }
            guard FileStamp.stamps(of: request.captures) == stamps, content.records == figures.attestations else {
                throw .notAgain(path: request.captures[0], reason: "it has changed")
            }
            return content.columns
        }
        let image = CaptureImage(
            file, of: identities, records: figures.attestations, devices: figures.devices.unique, times: baseline.span)
        baseline.keep(in: image)
        return (image, Diagnostics())
    }

    /// The keys of the records, in the order of their columns.
    ///
    /// - Parameter diagnostics: Takes the error if the captures cannot be read again.
    /// - Returns: `nil` in that case.
    package func keys(diagnostics: inout Diagnostics) -> [String]? {
        do throws(CaptureFailure) {
            return try columns().keys
        } catch {
            diagnostics.add(ReplayFailure.capture(error).diagnostic)
            return nil
        }
    }

    private static func identities(of request: ReplayRequest) -> [CaptureIdentity] {
        CaptureIdentity.all(request.captures, digestedUpTo: CaptureIdentity.digestBytes)
    }
}

/// The records of captures, gathered as columns in a file without a name.
private struct GatheredImage {
    /// `nil` where the captures were refused, or there is no room.
    let content: Content?
    /// The errors and warnings about the captures.
    let diagnostics: Diagnostics

    struct Content {
        let columns: ImageFile.Columns
        let records: Int
        let devices: Int
        let times: ClosedRange<Instant>?
    }

    // In messages.
    private static let name = "the folder of temporary files"

    private static let ownColumns: Set = ["time", "device-id", ColumnNames.originLine, ColumnNames.originCapture]

    init(_ reading: ReplayRequest, progress: Progress) {
        do throws(ReplayFailure) {
            (content, diagnostics) = try Self.gather(reading, progress)
        } catch {
            (content, diagnostics) = (nil, Diagnostics(error.diagnostic))
        }
    }

    private static func gather(
        _ reading: ReplayRequest, _ progress: Progress
    ) throws(ReplayFailure) -> (Content?, Diagnostics) {
        let (rows, file) = try ReplayFailure.wrapping(output: name) { () throws(FileFailure) in
            (try SpoolFile(beside: OutputFile.standardOutput), try SpoolFile(beside: OutputFile.standardOutput))
        }
        let gathering = RecordGathering(reading, spool: rows, limits: GatheringLimits(), progress: progress)
        guard let result = gathering.result, let part = gathering.part else { return (nil, gathering.diagnostics) }
        let gathered = GatheredFile(part.table, gathering.columns)
        try ReplayFailure.wrapping(output: name) { () throws(FileFailure) in
            try gathered.write(as: .columns(level: nil)) { bytes throws(FileFailure) in _ = try file.append(bytes) }
        }
        let keys = gathered.names.filter { !ownColumns.contains($0) }
        let content = Content(
            columns: ImageFile.Columns(file: file, keys: keys), records: result.figures.attestations,
            devices: part.devices.count, times: result.times)
        return (content, gathering.diagnostics)
    }
}
