package import Documents

extension DocumentKind {
    /// A file of management commands, one a line.
    package static let commands = DocumentKind(
        name: "a list of management commands",
        keys: Set(ManagementCommand.topics.map { $0.name }).union(UnsimulatedCommand.reasons.keys).union([
            "approov", "scenario",
        ]), secretKeys: KeyFields.topWords)
}
