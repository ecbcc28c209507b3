/// Why folders of split captures cannot be read, or captures cannot be split.
package struct SplitFailure: Error, Hashable, Sendable {
    /// The file or folder that it is about.
    package let file: String
    /// The line, where one is known.
    package var line: Int?
    /// What is wrong, for people.
    package let message: String
    /// What to do about it, where there is something.
    package var hint: String?
}
