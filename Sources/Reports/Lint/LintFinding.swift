internal import Documents

/// Something that a check found.
struct LintFinding: Hashable {
    /// What is wrong: lower case, no final period.
    let message: String
    /// Where, if the account's text is there.
    let position: SourcePosition?
    /// What might help, where that says more than why it matters.
    var hint: String?
}
