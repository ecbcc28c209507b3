internal import Documents

/// The columns of an image, which are made when somebody needs them first.
final class ImageFile: Sendable {
    /// The columns.
    struct Columns: Sendable {
        let file: SpoolFile
        /// The keys of the records, in the order of their columns.
        let keys: [String]
    }

    private enum State {
        case missing(@Sendable () throws(CaptureFailure) -> Columns)
        case made(Columns)
        case failed(CaptureFailure)
    }

    private let state: Lock<State>

    /// Keeps columns that were made.
    init(_ columns: Columns) { state = Lock(.made(columns)) }

    /// - Parameter make: Makes the columns; called once.
    init(making make: @escaping @Sendable () throws(CaptureFailure) -> Columns) { state = Lock(.missing(make)) }

    /// The columns; whoever asks while they are made waits for them.
    ///
    /// - Throws: ``CaptureFailure`` if the captures cannot be read again.
    func columns() throws(CaptureFailure) -> Columns {
        try state.withLock { state throws(CaptureFailure) in
            switch state {
            case .made(let columns): return columns
            case .failed(let failure): throw failure
            case .missing(let make):
                do throws(CaptureFailure) {
                    let columns = try make()
                    state = .made(columns)
                    return columns
                } catch {
                    state = .failed(error)
                    throw error
                }
            }
        }
    }
}
