internal import Documents
internal import Figures
internal import PolicyEngine

/// Folders of split captures that are read one after another, for one part of the devices.
struct SplitCaptures: Sendable {
    /// The part of the devices.
    let shard: DeviceShard
    private let folders: [Folder]

    struct Folder: Sendable {
        let path: String
        let manifest: SplitManifest
        /// The number of valid records before those of the folder.
        var firstIndex = 0
        /// For each capture, its lines before what was split.
        var lines: [Int] = []

        func path(of shard: DeviceShard) -> String {
            FileLocation.join(path, manifest.files[shard.number - 1].name)
        }
    }

    /// Opens folders, and checks that they belong together and are whole.
    ///
    /// - Parameters:
    ///   - paths: The folders, in the order of time.
    ///   - shard: Which devices.
    /// - Throws: ``SplitFailure``.
    init(_ paths: [String], shard: DeviceShard?) throws(SplitFailure) {
        var folders: [Folder] = []
        for path in paths { folders.append(Folder(path: path, manifest: try Self.manifest(of: path))) }
        self.shard = try Self.checked(shard, folders)
        try Self.link(&folders)
        self.folders = folders
        try checkFiles()
    }

    /// The kind of the captures.
    var format: CaptureFormat? { folders.first?.manifest.captures.first?.format }

    /// The time zones that were known.
    var zones: TimeZones { TimeZones(fallback: folders.first?.manifest.zone) }

    /// The malformed records of all devices.
    var malformedCount: Int { captures.reduce(0) { $0 + $1.malformed } }

    private var captures: [SplitManifest.Capture] { folders.flatMap(\.manifest.captures) }

    /// A catalogue with the flags that records bring, in the order of first sight over all devices (R2.3).
    ///
    /// - Parameter catalogue: The flags that are known without them.
    /// - Throws: ``SplitFailure`` where there are too many, since which records were refused depends on all of them.
    func seeded(_ catalogue: FlagCatalogue) throws(SplitFailure) -> FlagCatalogue {
        var catalogue = catalogue
        for folder in folders {
            for flag in folder.manifest.flags {
                do throws(FlagError) { _ = try catalogue.intern(observed: flag) } catch {
                    throw SplitFailure(
                        file: folder.path, message: error.description,
                        hint: "without `scenario split`, records with further flags are malformed")
                }
            }
        }
        return catalogue
    }

    /// Reads the records.
    func makeReader() -> SplitReader { SplitReader(folders, shard: shard) }
}

// MARK: Checks

extension SplitCaptures {
    private static func manifest(of path: String) throws(SplitFailure) -> SplitManifest {
        let name = FileLocation.join(path, SplitManifest.name)
        let bytes: [UInt8]
        do throws(FileFailure) { bytes = try TextFile.bytes(path: name) } catch {
            throw SplitFailure(
                file: path,
                message: "not a folder that `scenario split` has finished: `\(SplitManifest.name)` in it: \(error)",
                hint: "name the captures of a folder one by one")
        }
        return try SplitManifest(bytes, path: name)
    }

    private static func checked(_ shard: DeviceShard?, _ folders: [Folder]) throws(SplitFailure) -> DeviceShard {
        for folder in folders {
            let count = folder.manifest.shards
            guard let shard else {
                throw SplitFailure(
                    file: folder.path, message: "the captures are split into \(count.grouped) parts",
                    hint: "`--shard K/\(count)` says which is to be evaluated")
            }
            guard shard.count == count else {
                throw SplitFailure(
                    file: folder.path,
                    message: "the captures are split into \(count.grouped) parts, and \(shard) is one of "
                        + shard.count.grouped)
            }
            guard folder.manifest.zone == folders[0].manifest.zone else {
                throw SplitFailure(
                    file: folder.path, message: "was split with another `--timezone` than `\(folders[0].path)`")
            }
        }
        guard let shard else { throw SplitFailure(file: "", message: "there is no folder") }
        return shard
    }

    // Says of each folder what comes before it, and finds parts of captures that are missing.
    private static func link(_ folders: inout [Folder]) throws(SplitFailure) {
        var (index, before): (Int, Ending?) = (0, nil)
        for number in folders.indices {
            folders[number].firstIndex = index
            for capture in folders[number].manifest.captures {
                let start = capture.range?.lowerBound ?? 0
                let isNext = before.map { $0.path == capture.path && $0.bytes == capture.bytes && $0.end == start }
                if start > 0, isNext != true {
                    throw missing(capture, from: before?.path == capture.path ? before?.end ?? 0 : 0, to: start)
                }
                if let before, isNext != true || start == 0 { try before.checkEnd() }
                let lines = start > 0 ? before?.lines ?? 0 : 0
                folders[number].lines.append(lines)
                index += capture.records
                before = Ending(capture, lines: lines + capture.lines)
            }
        }
        try before?.checkEnd()
    }

    // The end of what was read of a capture.
    private struct Ending {
        let capture: SplitManifest.Capture
        let lines: Int

        init(_ capture: SplitManifest.Capture, lines: Int) {
            (self.capture, self.lines) = (capture, lines)
        }

        var path: String { capture.path }
        var bytes: Int? { capture.bytes }
        var end: Int? { capture.range?.upperBound }

        func checkEnd() throws(SplitFailure) {
            if let end, let bytes, end < bytes { throw SplitCaptures.missing(capture, from: end, to: bytes) }
        }
    }

    private static func missing(_ capture: SplitManifest.Capture, from: Int, to: Int) -> SplitFailure {
        SplitFailure(
            file: capture.path, message: "the records from byte \(from.grouped) to \(to.grouped) are missing",
            hint: "give folders of `--range` in the order of their ranges")
    }

    private func checkFiles() throws(SplitFailure) {
        for folder in folders {
            let (path, file) = (folder.path(of: shard), folder.manifest.files[shard.number - 1])
            guard let digest = FileDigest(path: path) else {
                throw SplitFailure(
                    file: path, message: "the records of the part \(shard) are missing, or cannot be read")
            }
            guard digest.size == file.bytes, digest.text == file.digest else {
                throw SplitFailure(
                    file: path, message: "was cut or changed: it is not the file that `\(SplitManifest.name)` names")
            }
        }
    }
}

// MARK: Problems

/// An error in a record of a capture that was split, at its original position.
struct SplitProblem {
    let path: String
    let line: Int
    let kind: SplitManifest.Problem.Kind
}

extension SplitCaptures {
    /// The errors in the records of all devices: the first of each kind of each folder.
    var problems: [SplitProblem] {
        var (problems, latest): ([SplitProblem], Instant?) = ([], nil)
        for folder in folders {
            for (number, capture) in folder.manifest.captures.enumerated() {
                if let first = capture.first, let before = latest, first < before {
                    let line = folder.lines[number] + capture.firstLine
                    problems.append(
                        SplitProblem(
                            path: capture.path, line: line, kind: .disorder(time: first, latest: before)))
                }
                latest = [latest, capture.latest].compactMap(\.self).max()
                for problem in folder.manifest.problems where problem.capture == number {
                    let line = folder.lines[number] + problem.line
                    problems.append(SplitProblem(path: capture.path, line: line, kind: problem.kind))
                }
            }
        }
        return problems
    }

    /// True if the manifests say that all records are in the order of time.
    var areInOrder: Bool {
        captures.allSatisfy { $0.disordered == 0 }
            && !problems.contains { if case .disorder = $0.kind { true } else { false } }
    }

    /// The number of further errors of each kind.
    var unlisted: (malformed: Int, disordered: Int) {
        var count = (malformed: malformedCount, disordered: captures.reduce(0) { $0 + $1.disordered })
        for problem in folders.flatMap(\.manifest.problems) {
            if case .malformed = problem.kind { count.malformed -= 1 } else { count.disordered -= 1 }
        }
        return (max(0, count.malformed), max(0, count.disordered))
    }

    /// The captures whose last line lacks its newline.
    var cutCaptures: [String] { captures.filter(\.isCut).map(\.path) }
}

// MARK: Records

/// Reads the records of a part of the devices, folder by folder.
struct SplitReader {
    private var folders: ArraySlice<SplitCaptures.Folder>
    private let shard: DeviceShard
    private var open: (folder: SplitCaptures.Folder, file: FileSource, offset: Int)?

    init(_ folders: [SplitCaptures.Folder], shard: DeviceShard) {
        (self.folders, self.shard) = (folders[...], shard)
    }

    /// The chunk that comes next, and the capture that it is of; `nil` behind the last.
    mutating func next() throws(CaptureFailure) -> (chunk: SplitChunk, capture: SplitManifest.Capture)? {
        while true {
            if open == nil {
                guard let folder = folders.popFirst() else { return nil }
                open = (folder, try FileSource(path: folder.path(of: shard)), 0)
            }
            guard let (folder, file, offset) = open else { return nil }
            var bytes = [UInt8](repeating: 0, count: SplitChunkHead.bytes)
            let count = try file.read(into: &bytes, range: 0..<bytes.count, at: offset)
            guard count > 0 else {
                open = nil
                continue
            }
            let captures = folder.manifest.captures
            guard count == bytes.count, let head = SplitChunkHead(bytes), captures.indices.contains(head.capture) else {
                throw .damaged(path: file.path, format: "split")
            }
            let base = (index: folder.firstIndex, line: folder.lines[head.capture])
            let chunk = SplitChunk(file: file, offset: offset, head: head, base: base)
            guard chunk.isPossible else { throw .damaged(path: file.path, format: "split") }
            open = (folder, file, chunk.end)
            return (chunk, captures[head.capture])
        }
    }
}
