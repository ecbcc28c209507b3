/// The captures of a replay, opened one after another, so that many do not lie in memory at once.
struct CaptureQueue {
    private var opened: CaptureFile?
    private var paths: ArraySlice<String>
    private let format: CaptureFormat?
    private let blockBytes: Int

    /// Opens the first capture.
    ///
    /// - Parameter request: Names them.
    init(_ request: ReplayRequest) throws(ReplayFailure) {
        paths = request.captures[...]
        (format, blockBytes) = (request.format, request.blockBytes)
        opened = try open()
    }

    /// The kind of the first capture, which tells what is to be done with all.
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
        if let file = opened {
            opened = nil
            return file
        }
        return try open()
    }

    private mutating func open() throws(ReplayFailure) -> CaptureFile? {
        guard let path = paths.popFirst() else { return nil }
        let (format, blockBytes) = (format, blockBytes)
        return try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try CaptureFile(path: path, format: format, blockBytes: blockBytes)
        }
    }
}
