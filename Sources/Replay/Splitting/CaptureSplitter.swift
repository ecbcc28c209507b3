package import Documents
internal import Figures
internal import PolicyEngine

/// Parts captures by device: each part of the devices gets a file with its records, in their order.
///
/// Malformed records belong to no device. They are listed in the manifest, and whoever replays the parts decides what becomes
/// of them.
package struct CaptureSplitter: ~Copyable {
    private let request: SplitRequest
    private let progress: Progress
    private var parser: BlockParser<SplitMatcher>
    private var parsed = ParsedBlock<SplitMatcher.Matches>()
    private var catalogue = FlagCatalogue()
    private var manifest: SplitManifest
    private var capture = SplitManifest.Capture(path: "", format: .jsonl)
    private var problems = ProblemLog(isFatal: false)
    private var latest: Instant?
    private var index = 0
    private var listed = (malformed: 0, disordered: 0)

    /// - Parameters:
    ///   - request: The captures to split.
    ///   - progress: Shows from time to time how far it is.
    package init(_ request: SplitRequest, progress: Progress = Progress()) {
        (self.request, self.progress) = (request, progress)
        parser = BlockParser(zones: request.zones, catalogue: FlagCatalogue()) { _ in SplitMatcher() }
        manifest = SplitManifest(shards: request.shards, zone: request.zones.fallback)
    }

    /// Splits the captures.
    ///
    /// - Returns: The folder's content, unless the captures were refused; and what is wrong with them. Of a part of a capture
    ///   nothing is said: its lines are not known yet.
    package mutating func run() -> (manifest: SplitManifest?, diagnostics: Diagnostics) {
        do throws(ReplayFailure) {
            var writer = try ShardWriter(request)
            for path in request.captures { try split(path, &writer) }
            let diagnostics = problems.closed()
            guard !diagnostics.hasErrors else { return (nil, diagnostics) }
            try writer.finish(manifest)
            return (manifest, request.range == nil ? diagnostics : Diagnostics())
        } catch {
            var diagnostics = problems.closed()
            diagnostics.add(error.diagnostic)
            return (nil, diagnostics)
        }
    }

    private mutating func split(_ path: String, _ writer: inout ShardWriter) throws(ReplayFailure) {
        let (format, blockBytes) = (request.format, request.blockBytes)
        var file = try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try CaptureFile(path: path, format: format, blockBytes: blockBytes)
        }
        guard file.format != .fetches else { throw .capture(.wrongKind(path: path, found: .fetches)) }
        guard file.format != .arrow else {
            throw .split(
                SplitFailure(
                    file: path, message: "a capture in columns is not split",
                    hint: "`--shard` of `scenario replay` evaluates a part of its devices"))
        }
        capture = SplitManifest.Capture(path: path, format: file.format, bytes: file.length, range: request.range)
        let identity = CaptureIdentity(path: path, digestedUpTo: CaptureIdentity.digestBytes)
        (capture.sample, capture.digest) = (identity.sample, identity.digest)
        var ranges = try checkedRanges(of: file)
        var block = CaptureBlock()
        while true {
            var failure: CaptureFailure?
            if ranges != nil {
                guard let range = ranges?.next() else { break }
                failure = try attempt { () throws(CaptureFailure) in try range.read(into: &block) }
            } else {
                guard try attempt({ () throws(CaptureFailure) in try file.next(into: &block) }) else { break }
            }
            try add(block, &writer)
            if let failure { throw moved(failure) }
            progress.show(Progress.Position(records: index, share: ranges == nil ? file.share : nil))
        }
        try writer.finish(capture: manifest.captures.count)
        if capture.isCut, request.range == nil { problems.noteCut(path: path) }
        manifest.captures.append(capture)
    }

    private func checkedRanges(of file: CaptureFile) throws(ReplayFailure) -> CaptureRanges? {
        guard let range = request.range else { return file.ranges }
        guard let length = file.length, !file.isCompressed else {
            throw .split(
                SplitFailure(
                    file: file.path, message: "only a file that is not compressed has ranges of bytes",
                    hint: "without `--range` it is split as a whole"))
        }
        guard range.upperBound <= length else {
            throw .split(
                SplitFailure(
                    file: file.path,
                    message: "the range ends at byte \(range.upperBound.grouped), and the capture has \(length.grouped)"
                ))
        }
        return file.ranges(in: range)
    }

    private func attempt<Value>(_ body: () throws(CaptureFailure) -> Value) throws(ReplayFailure) -> Value {
        do throws(CaptureFailure) {
            return try body()
        } catch {
            throw moved(error)
        }
    }

    // In a part of a capture no line is known.
    private func moved(_ failure: CaptureFailure) -> ReplayFailure {
        guard let range = request.range, case .recordTooLong(let path, _) = failure else {
            return .capture(failure.moved(by: capture.lines))
        }
        let diagnostic = ReplayFailure.capture(failure).diagnostic
        return .split(
            SplitFailure(
                file: path,
                message: "\(diagnostic.message) between byte \(range.lowerBound.grouped) and "
                    + range.upperBound.grouped))
    }
}

// MARK: A block

extension CaptureSplitter {
    private mutating func add(_ block: CaptureBlock, _ writer: inout ShardWriter) throws(ReplayFailure) {
        parser.parse(block, format: capture.format, into: &parsed)
        try admitFlags()
        note(parsed.malformed)
        checkTimes()
        let number = manifest.captures.count
        for record in parsed.records {
            let head = record.head
            try writer.append(
                block.bytes[head.range], to: DeviceShard.offset(of: head.id, count: request.shards), capture: number,
                index: index, line: capture.lines + head.line)
            index += 1
        }
        capture.records += parsed.records.count
        capture.lines += parsed.lineCount
        if block.isLast, capture.format == .info, block.lacksFinalNewline { capture.isCut = true }
    }

    // In the order of first sight (R2.3). Which records have one flag too many depends on the account.
    private mutating func admitFlags() throws(ReplayFailure) {
        let count = catalogue.flags.count
        for new in parsed.newFlags {
            do throws(FlagListError) { _ = try FlagList.read(new.text, catalogue: &catalogue) } catch {
                throw .split(
                    SplitFailure(
                        file: capture.path, message: error.description,
                        hint: "a capture with further flags cannot be split; `--shard` of `replay` takes it"))
            }
        }
        guard catalogue.flags.count > count else { return }
        manifest.flags += catalogue.flags[count...].map(\.name)
        parser.adopt(catalogue)
    }

    private mutating func note(_ records: [MalformedRecord]) {
        capture.malformed += records.count
        for record in records {
            let problem = record.problem.moved(by: capture.lines)
            problems.note(problem, path: capture.path)
            guard listed.malformed < ProblemLog.limit else { continue }
            listed.malformed += 1
            list(.malformed(message: problem.message, hint: problem.hint), line: problem.line)
        }
    }

    private mutating func checkTimes() {
        for record in parsed.records {
            let (time, line) = (record.head.time, capture.lines + record.head.line)
            if capture.first == nil { (capture.first, capture.firstLine) = (time, line) }
            capture.latest = max(capture.latest ?? time, time)
            guard let before = latest, time < before else {
                latest = time
                continue
            }
            capture.disordered += 1
            if request.range == nil {
                problems.noteOrder(time, after: before, at: RecordPlace(path: capture.path, line: line))
            }
            guard listed.disordered < ProblemLog.limit else { continue }
            listed.disordered += 1
            list(.disorder(time: time, latest: before), line: line)
        }
    }

    private mutating func list(_ kind: SplitManifest.Problem.Kind, line: Int) {
        manifest.problems.append(SplitManifest.Problem(capture: manifest.captures.count, line: line, kind: kind))
    }
}
