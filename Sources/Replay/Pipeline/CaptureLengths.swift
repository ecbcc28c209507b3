internal import Documents

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
