/// What a key of a mapping is to say.
package struct DocumentField: Hashable, Sendable {
    let key: String
    /// The value; `nil` where the key must not stand.
    let value: DocumentValue?
    /// Whether the key is added where it is missing; one that says what is so anyway is not.
    let isNeeded: Bool
    /// Whether a key that is not needed goes where it says something else, instead of being changed.
    let goesRatherThanChanges: Bool

    package init(
        _ key: String, _ value: DocumentValue?, isNeeded: Bool = true, goesRatherThanChanges: Bool = false
    ) {
        self.key = key
        self.value = value
        self.isNeeded = isNeeded
        self.goesRatherThanChanges = goesRatherThanChanges
    }

    /// A key with a text, or none.
    package init(_ key: String, _ text: String?, isNeeded: Bool = true) {
        self.init(key, text.map(DocumentValue.text), isNeeded: isNeeded)
    }

    /// A key that is `true` or `false`, and is left out where it is `false`.
    package static func truth(_ key: String, _ isTrue: Bool) -> DocumentField {
        DocumentField(key, .text(isTrue ? "true" : "false"), isNeeded: isTrue, goesRatherThanChanges: true)
    }
}
