internal import PolicyEngine

/// Recognises keys of records that look like a known key, and are probable typing errors.
struct KeyLikeness: Sendable {
    private let known: NameLikeness

    /// - Parameter names: The known keys besides those of the service: those that accounts or reports need.
    init(_ names: [String]) { known = NameLikeness(InformationKeys.all + names) }

    /// The known key that a text looks like: another case or other separators alone distinguish them.
    ///
    /// - Returns: `nil` if there is no such key, or if the text is itself a known key.
    func key(lookingLike text: String) -> String? {
        guard let meant = known.name(like: text), ExactText(meant) != ExactText(text),
            !InformationKeys.all.contains(where: { ExactText($0) == ExactText(text) })
        else { return nil }
        return meant
    }
}
