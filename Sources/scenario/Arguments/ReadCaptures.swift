internal import Documents
internal import Figures
internal import Replay

/// Captures that were read before the command that asks about them began.
struct ReadCaptures: Hashable, Sendable {
    /// Their records.
    let image: CaptureImage
    /// Ends the command before it has an answer.
    let cancellation: Cancellation

    static func == (left: ReadCaptures, right: ReadCaptures) -> Bool {
        left.image == right.image && left.cancellation === right.cancellation
    }

    func hash(into hasher: inout Hasher) { hasher.combine(image) }
}

extension ParsedArguments {
    /// The captures that the operands name, as reports identify them.
    ///
    /// - Parameter limit: The greatest length at which all of a file is read; files that were read before are not read again.
    func captureIdentities(digestedUpTo limit: Int) -> [CaptureIdentity] {
        captures?.image.captures ?? CaptureIdentity.all(operands, digestedUpTo: limit)
    }
}
