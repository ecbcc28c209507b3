/// The forms in which a report can be written.
package enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
}
