internal import Glibc

/// Why a file could not be read or written, in the system's words.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `no such file or directory` and the like.
    package let description: String
    /// Whether a pipe was written to that nobody reads any more.
    package let isClosedPipe: Bool

    /// Takes the words for an error number of the system.
    package init(_ number: Int32) {
        // SAFETY: strerror returns a string that lives until the next call on this thread, and is copied here.
        let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        isClosedPipe = number == EPIPE
        description = words.prefix(1).lowercased() + words.dropFirst()
    }
}
