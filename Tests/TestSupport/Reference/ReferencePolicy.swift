/// A security policy in words.
struct ReferencePolicy: Hashable, Sendable {
    var rules = "default"
    var preset = "default"
    var edits: [ReferenceEdit] = []
    var annotation = "default"

    /// `rules,rejection,annotation`, as reports show it (R3.1, R4.4).
    var text: String { "\(rules),\(edits.isEmpty ? preset : "custom"),\(annotation)" }
}
