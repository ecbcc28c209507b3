internal import Columns
package import Documents
package import Figures

/// A request to split captures.
package struct SplitRequest: Sendable {
    /// The captures, and how they are read; the account has no meaning.
    package var reading: ReplayRequest
    /// The number of parts of the devices.
    package var shards: Int
    /// The folder to write, which must not be there.
    package var output: String
    /// The version of the tool, which the output names.
    package var version: String
    /// The limits of batches and dictionaries of all parts together.
    package var limits = GatheringLimits()

    /// - Parameter range: The bytes of the only capture in which the records start that are split; `nil` for all.
    package init(reading: ReplayRequest, range: Range<Int>? = nil, shards: Int, output: String, version: String) {
        (self.reading, self.shards, self.output, self.version) = (reading, shards, output, version)
        (self.reading.range, self.reading.skipsMalformed, self.reading.refusesExcessFlags) = (range, true, true)
    }
}

/// Splits captures by device: the records of each part of the devices are packed into a file, in their order.
///
/// Malformed records belong to no device. Each file names them, and whoever replays the parts decides what becomes of them. The
/// bytes depend on the records alone.
package struct CaptureSplitter {
    private let request: SplitRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures to split.
    ///   - progress: Shows from time to time how far it is.
    package init(_ request: SplitRequest, progress: Progress = Progress()) {
        (self.request, self.progress) = (request, progress)
    }

    /// Splits the captures.
    ///
    /// - Returns: The captures, unless they were refused or the folder could not be written; nothing is written then. And
    ///   what is wrong with them. Of a range of a capture only errors are reported: its lines are not known yet.
    package func run() -> (origin: SplitOrigin?, diagnostics: Diagnostics) {
        do throws(ReplayFailure) {
            try checkCaptures()
            var folder = try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                try OutputFile.folder(request.output)
            }
            let spool = try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                try SpoolFile(beside: request.output)
            }
            let ordering = PackOrdering(request.limits, splitting: request.reading.captures.map(extent))
            var replay = CaptureReplay<PackResult>(
                request.reading,
                .packing(ordering, spool: spool, limits: request.limits, shards: request.shards), progress: progress)
            let diagnostics = reported(replay.run().diagnostics)
            guard !diagnostics.hasErrors, let result = replay.result else { return (nil, diagnostics) }
            var origin = ordering.origin
            origin.flags = result.flags
            let dictionaries = ordering.takeDictionaries()
            try ReplayFailure.wrapping(output: request.output) { () throws(FileFailure) in
                for (number, part) in result.parts.enumerated() {
                    try write(part, number + 1, origin, dictionaries, to: folder)
                }
                try folder.finish()
            }
            return (origin, diagnostics)
        } catch {
            var diagnostics = Diagnostics()
            diagnostics.add(error.diagnostic)
            return (nil, reported(diagnostics))
        }
    }

    private func extent(of path: String) -> SplitOrigin.Capture {
        SplitOrigin.Capture {
            $0.identity = CaptureIdentity(path: path, digestedUpTo: CaptureIdentity.digestBytes)
            ($0.from, $0.to) = (request.reading.range?.lowerBound, request.reading.range?.upperBound)
        }
    }

    private func write(
        _ part: PackedPart, _ number: Int, _ origin: SplitOrigin, _ dictionaries: PackedDictionaries,
        to folder: borrowing OutputFile
    ) throws(FileFailure) {
        guard let shard = DeviceShard(number: number, of: request.shards) else { return }
        let name = "shard-\(number).arrow"
        let file = GatheredFile(
            part.table, part.columns(by: dictionaries, areSplit: true),
            metadata: [ColumnNote("scenario.version", request.version)] + SplitPart.notes(of: shard, origin),
            keepsUnused: false)
        try file.write(as: .columns(level: 1), path: name) { bytes throws(FileFailure) in
            try folder.append(bytes, to: name)
        }
        try folder.synchronize(name)
    }
}

// MARK: Checks

extension CaptureSplitter {
    private func checkCaptures() throws(ReplayFailure) {
        for path in request.reading.captures {
            let part = try ReplayFailure.wrapping { () throws(CaptureFailure) in try SplitPart(path: path) }
            if let part {
                throw .refused(Diagnostic(file: path, message: "is the part \(part.shard) of split captures"))
            }
        }
        guard let range = request.reading.range, let path = request.reading.captures.first else { return }
        let format = request.reading.format
        let file = try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try CaptureFile(path: path, format: format)
        }
        guard let length = file.length, !file.isCompressed, file.format != .arrow else {
            throw .refused(
                Diagnostic(
                    file: path, message: "only lines in a file that is not compressed have ranges of bytes",
                    hint: "without `--range` it is split as a whole"))
        }
        guard range.upperBound <= length else {
            throw .refused(
                Diagnostic(
                    file: path,
                    message: "the range ends at byte \(range.upperBound.grouped), and the capture has \(length.grouped)"
                ))
        }
    }

    // In a range of a capture, lines are counted from its start.
    private func reported(_ diagnostics: Diagnostics) -> Diagnostics {
        guard let range = request.reading.range else { return diagnostics }
        var reported = Diagnostics()
        for diagnostic in diagnostics.all where diagnostic.severity == .error {
            let place = diagnostic.line.map { ", on line \($0.grouped) from byte \(range.lowerBound.grouped) on" } ?? ""
            reported.add(Diagnostic(file: diagnostic.file, message: diagnostic.message + place, hint: diagnostic.hint))
        }
        return reported
    }
}
