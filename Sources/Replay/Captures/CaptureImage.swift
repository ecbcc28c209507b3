internal import Documents
package import Figures
package import PolicyEngine

/// The records of captures that were read before, to be evaluated as often as somebody asks.
///
/// They are plain columns in a file without a name, which the system keeps in memory while there is room, and removes with the
/// process. A request that has an image reads it in place of the captures, and gives the same figures.
package struct CaptureImage: Sendable {
    /// The captures that were read, as reports identify them.
    package let captures: [CaptureIdentity]
    /// The number of attestations.
    package let records: Int
    /// The number of devices.
    package let devices: Int
    /// The times of the earliest and the latest attestation; `nil` where there is none.
    package let times: ClosedRange<Instant>?
    private let file: ImageFile
    /// The findings about it that somebody keeps.
    let memory = ImageMemory()

    init(
        _ file: ImageFile, of captures: [CaptureIdentity], records: Int, devices: Int, times: ClosedRange<Instant>?
    ) {
        (self.file, self.captures, self.records, self.devices, self.times) = (file, captures, records, devices, times)
    }

    /// The columns, which are made first where nobody needed them before.
    ///
    /// - Throws: ``CaptureFailure`` if the captures cannot be read again.
    func columns() throws(CaptureFailure) -> ImageFile.Columns { try file.columns() }

    /// The path that messages name: that of the first capture.
    var path: String { captures.first?.path ?? "" }
}

extension CaptureImage: Hashable {
    package static func == (left: CaptureImage, right: CaptureImage) -> Bool { left.file === right.file }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(file)) }
}

/// Findings about an image that somebody keeps for the next question.
final class ImageMemory: Sendable {
    private let kept = Lock<(any Sendable)?>(nil)

    /// The value that is kept, or a new one in its place.
    ///
    /// - Parameters:
    ///   - isUsable: True if a value answers the question, too.
    ///   - make: Makes a new one; `nil` if that is not possible.
    func value<Value: Sendable>(isUsable: (Value) -> Bool, orMaking make: () -> Value?) -> Value? {
        if let known = kept.withLock({ $0 }) as? Value, isUsable(known) { return known }
        guard let new = make() else { return nil }
        kept.withLock { $0 = new }
        return new
    }
}

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
