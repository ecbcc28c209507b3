/// The version of the tool.
enum ToolVersion {
    /// Grows with every change that users can see; CHANGELOG.md says what changed.
    static let current = "1.0.0"
}
