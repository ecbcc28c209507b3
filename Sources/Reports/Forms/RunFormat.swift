/// The forms in which the report of a run can be written.
package enum RunFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// JUnit's XML, as CI servers read it.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    /// Annotations of GitHub Actions.
    case github
}
