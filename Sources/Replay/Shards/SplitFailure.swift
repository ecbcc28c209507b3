/// Why folders of split captures cannot be read, or captures cannot be split.
package struct SplitFailure: Error, Hashable, Sendable {
    /// The file or folder that it is about.
    package let file: String
    /// The line, where one is known.
    package var line: Int?
    /// The error message, for people.
    package let message: String
    /// Advice on what to do about it, where there is some.
    package var hint: String?
}
