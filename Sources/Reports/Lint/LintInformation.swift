/// What a check is called, why it matters, and what it finds.
struct LintInformation {
    /// The code by which findings name it.
    let code: String
    /// Why what it finds matters, in a sentence.
    let why: String
    /// An account in which it finds something.
    let trips: String
    /// A similar account in which it finds nothing.
    let passes: String
}
