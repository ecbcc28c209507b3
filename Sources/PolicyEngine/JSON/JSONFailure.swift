/// Why some bytes are no JSON document.
package struct JSONFailure: Error, Hashable, Sendable {
    /// What is wrong, for people; it tells nothing of what the document holds.
    package let message: String
    /// The byte at which it is, counted from 0.
    package let offset: Int
}
