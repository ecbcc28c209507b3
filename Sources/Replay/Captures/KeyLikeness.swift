internal import PolicyEngine

/// The keys that a record may have, which others may look like.
struct KeyLikeness: Sendable {
    private let known: NameLikeness

    /// - Parameter names: Keys that somebody needs, beside those of the service.
    init(_ names: [String]) { known = NameLikeness(InformationKeys.all + names) }

    /// The known key that a text looks like, unless it is one.
    func key(lookingLike text: String) -> String? {
        guard let meant = known.name(like: text), ExactText(meant) != ExactText(text),
            !InformationKeys.all.contains(where: { ExactText($0) == ExactText(text) })
        else { return nil }
        return meant
    }
}
