/// Why a document cannot be changed in place.
package enum EditFailure: Error, Hashable, Sendable {
    /// There is nothing to change where the change belongs.
    case missing
    /// What came out is no YAML any more.
    case unreadable
    /// What came out can be read, but says something else than it should.
    case different
}

extension EditFailure: CustomStringConvertible {
    /// The failure in words: lower case, no final period.
    package var description: String {
        switch self {
        case .missing: "the file is written in a form that cannot be changed in place"
        case .unreadable, .different: "the file cannot be changed in place so that it says just what was asked for"
        }
    }
}
