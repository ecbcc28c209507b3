internal import Documents

/// The blocks of a replay's captures, one capture after another.
struct CaptureInput {
    private var queue: CaptureQueue
    private var file: CaptureFile?
    // The parts of the file that were not handed out yet; `nil` if its bytes must be read here, in their order.
    private var ranges: CaptureRanges?
    private var isNew = false
    // The batches of the file, if it has columns.
    private var columns: ColumnInput?
    private let request: ReplayRequest
    // The findings in records that are needed.
    private let needs: RecordNeeds

    /// - Parameters:
    ///   - queue: The captures.
    ///   - request: The request that they are read for.
    ///   - needs: What is looked for in records.
    init(_ queue: CaptureQueue, _ request: ReplayRequest, _ needs: RecordNeeds) {
        (self.queue, self.request, self.needs) = (queue, request, needs)
    }

    /// Fills a slot with the block that comes next, or with the part of a file that ``ReplaySlot/load()`` reads later.
    ///
    /// - Returns: False behind the last block. A failure counts as a block without records, and as the last one.
    mutating func next(into slot: inout ReplaySlot) -> Bool {
        (slot.failure, slot.range, slot.columns, slot.indices) = (nil, nil, nil, nil)
        do throws(ReplayFailure) {
            while true {
                if file == nil {
                    guard let opened = try queue.next() else { return false }
                    guard opened.format != .fetches else {
                        throw .capture(.wrongKind(path: opened.path, found: opened.format))
                    }
                    (file, isNew) = (opened, true)
                    ranges = request.range.map { opened.ranges(in: $0) } ?? opened.ranges
                    columns = try columns(of: opened)
                }
                if try fill(&slot) { return true }
                file = nil
            }
        } catch {
            if case .capture(let failure) = error { slot.failure = failure }
            slot.block.end = 0
            slot.parsed.clear()
            return true
        }
    }

    private func columns(of file: CaptureFile) throws(ReplayFailure) -> ColumnInput? {
        guard file.format == .arrow else { return nil }
        let (request, needs, base) = (request, needs, queue.base)
        return try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try ColumnInput(
                file, needs, keepsAll: request.malformedPath != nil, blockBytes: request.blockBytes, jobs: request.jobs,
                base: base, deadline: request.deadline)
        }
    }

    private mutating func fillColumns(
        _ slot: inout ReplaySlot, _ open: CaptureFile
    ) throws(ReplayFailure) -> Bool {
        var columns = self.columns.take()
        slot.columns = try ReplayFailure.wrapping { () throws(CaptureFailure) in try columns?.next() }
        guard slot.columns != nil else { return false }
        slot.share = queue.lengths.share(ofAll: columns?.share)
        (file, self.columns, isNew) = (open, columns, false)
        return true
    }

    private mutating func fill(_ slot: inout ReplaySlot) throws(ReplayFailure) -> Bool {
        guard var open = file.take() else { return false }
        (slot.path, slot.format, slot.startsCapture) = (open.path, open.format, isNew)
        if columns != nil { return try fillColumns(&slot, open) }
        if ranges != nil {
            guard let range = ranges?.next() else { return false }
            let share = open.length.map { Double(range.part.upperBound) / Double($0) }
            (slot.range, slot.share) = (range, queue.lengths.share(ofAll: share))
            (file, isNew) = (open, false)
            return true
        }
        // Taken out of the slot, since both are changed in a closure.
        var block = CaptureBlock()
        swap(&block, &slot.block)
        defer { swap(&block, &slot.block) }
        let isThere = try ReplayFailure.wrapping { () throws(CaptureFailure) in try open.next(into: &block) }
        slot.share = queue.lengths.share(ofAll: open.share)
        file = open
        isNew = isNew && !isThere
        return isThere
    }
}

/// The captures of a replay, opened one after another, so that many do not lie in memory at once.
struct CaptureQueue {
    private var opened: CaptureFile?
    private var paths: ArraySlice<String>
    private let format: CaptureFormat?
    private let blockBytes: Int
    /// The lengths of the captures, of which the last that was opened is being read.
    private(set) var lengths: CaptureLengths
    /// The captures as files of one part of the devices, if they are such.
    let split: SplitParts?
    // Of the captures that were not opened yet.
    private var bases: ArraySlice<RecordBase>
    /// The records and lines before those of the capture that is being read, if it is such a file.
    private(set) var base: RecordBase?

    /// Opens the first capture.
    ///
    /// - Parameter request: Names them.
    init(_ request: ReplayRequest) throws(ReplayFailure) {
        paths = request.captures[...]
        (format, blockBytes) = (request.format, request.blockBytes)
        lengths = CaptureLengths(request)
        if let image = request.image {
            (paths, split, bases) = ([], nil, [])
            opened = try ReplayFailure.wrapping { () throws(CaptureFailure) in try CaptureFile(image) }
            return
        }
        split = try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try SplitParts(request.captures, shard: request.deviceShard)
        }
        bases = split?.bases[...] ?? []
        opened = try open()
    }

    /// The kind of the first capture, which decides what is done with all.
    var kind: CaptureFormat? { opened?.format }

    /// Refuses fetches where something was asked for that takes attestations.
    ///
    /// - Parameter option: The option that asks for it, if one does.
    func checkUse(of option: String?) throws(ReplayFailure) {
        guard let option, let file = opened, file.format == .fetches else { return }
        throw .nothingToEvaluate(path: file.path, option: option)
    }

    /// The next capture; `nil` behind the last.
    mutating func next() throws(ReplayFailure) -> CaptureFile? {
        let file = if let opened { opened } else { try open() }
        opened = nil
        if file != nil { (base, _) = (bases.popFirst(), lengths.advance()) }
        return file
    }

    private mutating func open() throws(ReplayFailure) -> CaptureFile? {
        guard let path = paths.popFirst() else { return nil }
        let (format, blockBytes) = (format, blockBytes)
        return try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try CaptureFile(path: path, format: format, blockBytes: blockBytes)
        }
    }
}

/// The lengths of some captures that are read one after another, for the share of all that was read.
struct CaptureLengths {
    // In bytes, as the files lie on disk; `nil` where a share would not be true: a length is not known, or records are
    // evaluated only after all were read.
    private let bytes: [Int]?
    private var started = 0

    init(_ request: ReplayRequest) {
        let known = request.captures.compactMap { FileDigest.size(of: $0) }
        bytes = known.count == request.captures.count && !request.sorts ? known : nil
    }

    /// Notes that the next capture is read from here on.
    mutating func advance() { started += 1 }

    /// The share of all captures that was read, 0 through 1; `nil` where it is not known.
    ///
    /// - Parameter share: The share of the current capture.
    func share(ofAll share: Double?) -> Double? {
        guard let bytes, let share, 1...bytes.count ~= started else { return nil }
        let total = bytes.reduce(0, +)
        let before = bytes.prefix(started - 1).reduce(0, +)
        return total > 0 ? (Double(before) + share * Double(bytes[started - 1])) / Double(total) : nil
    }
}
