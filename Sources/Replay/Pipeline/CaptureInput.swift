/// The blocks of a replay's captures, one capture after another.
struct CaptureInput {
    private var queue: CaptureQueue
    private var file: CaptureFile?
    private var isNew = false

    init(_ queue: CaptureQueue) {
        self.queue = queue
    }

    /// Fills a slot with the block that comes next.
    ///
    /// - Returns: Whether there was one; a failure takes its place, and is the last.
    mutating func next<Matches>(into slot: inout ReplaySlot<Matches>) -> Bool {
        slot.failure = nil
        do throws(ReplayFailure) {
            while true {
                if file == nil {
                    guard let opened = try queue.next() else { return false }
                    guard opened.format != .fetches else {
                        throw .capture(.wrongKind(path: opened.path, found: opened.format))
                    }
                    (file, isNew) = (opened, true)
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

    private mutating func fill<Matches>(_ slot: inout ReplaySlot<Matches>) throws(ReplayFailure) -> Bool {
        guard var open = file.take() else { return false }
        slot.path = open.path
        slot.format = open.format
        slot.startsCapture = isNew
        var block = CaptureBlock()
        swap(&block, &slot.block)
        defer { swap(&block, &slot.block) }
        let isThere = try ReplayFailure.wrapping { () throws(CaptureFailure) in try open.next(into: &block) }
        slot.share = open.share
        file = open
        isNew = isNew && !isThere
        return isThere
    }
}
