/// The forms of a comparison.
package enum ComparisonFormat: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
}
