internal import PolicyEngine

/// What newly rejected attestations have in common, or newly accepted ones.
package struct ChangeCause: Hashable {
    let kind: Kind
    private let exactName: ExactText

    var name: String { exactName.text }

    init(kind: Kind, name: String) {
        (self.kind, exactName) = (kind, ExactText(name))
    }

    /// The ways in which a change is split up, in the order of reports.
    package enum Kind: String, Hashable, CaseIterable {
        /// A flag that rejects, on the side that rejects.
        case flag
        /// A filter that rejects there.
        case filter
        /// Another reason there: a policy that rejects everything, or no token at all.
        case other
        case app
        case version
        case system
    }
}
