internal import Documents
internal import Figures
internal import PolicyEngine

/// Files with the same part of the devices, which are read one after another in place of the captures that were split.
struct SplitParts: Sendable {
    /// The part of the devices.
    let shard: DeviceShard
    /// For each file the records and lines before its own.
    let bases: [RecordBase]
    let parts: [SplitPart]

    /// Finds out if captures are files of a part, and checks that they belong together and are whole.
    ///
    /// - Parameters:
    ///   - paths: The captures, in the order of time.
    ///   - shard: The part that was asked for; `nil` for the one that the files have.
    /// - Returns: `nil` if none of them is a file of a part.
    /// - Throws: ``CaptureFailure``.
    init?(_ paths: [String], shard: DeviceShard?) throws(CaptureFailure) {
        var parts: [SplitPart] = []
        var others: [String] = []
        for path in paths {
            if let part = try SplitPart(path: path) { parts.append(part) } else { others.append(path) }
        }
        guard let first = parts.first else { return nil }
        if let other = others.first {
            throw .wrongPart(
                path: other, message: "is no part of split captures, and \(first.path.quoted) is one", hint: nil)
        }
        let wanted = shard ?? first.shard
        for part in parts where part.shard != wanted {
            throw .wrongPart(
                path: part.path, message: "is the part \(part.shard) of the devices, not \(wanted)",
                hint: "`--partial` of each part, and then `scenario merge`, make the report of all")
        }
        (self.shard, self.parts) = (wanted, parts)
        bases = try Self.linked(parts)
    }

    private var captures: [SplitOrigin.Capture] { parts.flatMap(\.origin.captures) }

    /// The number of malformed records of all devices.
    var malformedCount: Int { captures.reduce(0) { $0 + $1.malformed } }

    /// A catalogue with the flags that records bring, in the order of first sight over all devices (R2.3).
    ///
    /// - Parameter catalogue: The flags that are known without them.
    /// - Throws: ``CaptureFailure`` if there are too many, since which records were refused depends on all of them.
    func seeded(_ catalogue: FlagCatalogue) throws(CaptureFailure) -> FlagCatalogue {
        var catalogue = catalogue
        for part in parts {
            for flag in part.origin.flags {
                do throws(FlagError) { _ = try catalogue.intern(observed: flag) } catch {
                    throw .wrongPart(
                        path: part.path, message: error.description,
                        hint: "without `scenario split`, records with further flags are malformed")
                }
            }
        }
        return catalogue
    }
}

// MARK: Ranges

extension SplitParts {
    // Finds out what comes before each file, and ranges that are missing.
    private static func linked(_ parts: [SplitPart]) throws(CaptureFailure) -> [RecordBase] {
        var (bases, index): ([RecordBase], Int) = ([], 0)
        // The capture that was read last, up to which line.
        var before: (capture: SplitOrigin.Capture, lines: Int)?
        for part in parts {
            var base = RecordBase(index: index)
            for capture in part.origin.captures {
                let start = capture.from ?? 0
                let isNext = before.map { $0.capture.identity == capture.identity && $0.capture.to == start }
                if start > 0, isNext != true {
                    let isSame = before?.capture.identity == capture.identity
                    throw missing(capture, from: isSame ? before?.capture.to ?? 0 : 0, to: start)
                }
                if let known = before?.capture, start == 0 { try checkEnd(of: known) }
                let lines = start > 0 ? before?.lines ?? 0 : 0
                base.line = lines
                index += capture.records
                before = (capture, lines + capture.lines)
            }
            bases.append(base)
        }
        if let known = before?.capture { try checkEnd(of: known) }
        return bases
    }

    private static func checkEnd(of capture: SplitOrigin.Capture) throws(CaptureFailure) {
        if let end = capture.to, let bytes = capture.identity.bytes, end < bytes {
            throw missing(capture, from: end, to: bytes)
        }
    }

    private static func missing(_ capture: SplitOrigin.Capture, from: Int, to: Int) -> CaptureFailure {
        .wrongPart(
            path: capture.identity.path, message: "the records from byte \(from.grouped) to \(to.grouped) are missing",
            hint: "give the parts of `--range` in the order of their ranges")
    }
}
