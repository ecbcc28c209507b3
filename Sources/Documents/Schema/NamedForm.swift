/// A kind of names that documents declare and refer to, such as those of filters.
package struct NameKind: Hashable, Sendable {
    let word: String

    package init(_ word: String) { self.word = word }

    /// No names, but durations such as `1h30m`.
    package static let duration = NameKind("duration")
}

/// The meaning of a text that is a name: the kind of thing that it names, and if it declares or refers to one.
package struct NameUse: Hashable, Sendable {
    package let kind: NameKind
    package let isDeclaration: Bool

    /// - Parameter isDeclaration: True if it declares what it names.
    package init(_ kind: NameKind, isDeclaration: Bool = false) {
        (self.kind, self.isDeclaration) = (kind, isDeclaration)
    }
}

// A schema knows the form of names; of which kind they are is noted in members that are never written.
extension JSONSchema {
    static let hiddenMark = "names:"
    private static let ofText = hiddenMark + "text"
    private static let ofKeys = hiddenMark + "keys"
    private static let declares = hiddenMark + "declares"

    /// The same form, whose texts are names.
    ///
    /// - Parameter isDeclaration: True if they declare what they name.
    package func naming(_ kind: NameKind, isDeclaration: Bool = false) -> JSONSchema {
        marked(Self.ofText, kind, isDeclaration)
    }

    /// The same form of a mapping, whose keys are names if they are no properties.
    ///
    /// - Parameter isDeclaration: True if they declare what they name.
    package func namingKeys(_ kind: NameKind, isDeclaration: Bool = false) -> JSONSchema {
        marked(Self.ofKeys, kind, isDeclaration)
    }

    // In place of another use.
    private func marked(_ name: String, _ kind: NameKind, _ isDeclaration: Bool) -> JSONSchema {
        JSONSchema(members.filter { !$0.name.hasPrefix(Self.hiddenMark) })
            .with(name, .text(kind.word)).with(Self.declares, .truth(isDeclaration))
    }

    /// The use of its texts as names; `nil` if they are none.
    package var nameUse: NameUse? { use(Self.ofText) }

    /// The use of those keys of a mapping as names that are no properties; `nil` if they are none.
    package var keyUse: NameUse? { use(Self.ofKeys) ?? self["propertyNames"]?.schema?.nameUse }

    private func use(_ member: String) -> NameUse? {
        guard let word = self[member]?.text else { return nil }
        var isDeclaration = false
        if case .truth(true)? = self[Self.declares] { isDeclaration = true }
        return NameUse(NameKind(word), isDeclaration: isDeclaration)
    }

    /// The value of a member; `nil` where there is none.
    package subscript(name: String) -> Value? { members.first { $0.name == name }?.value }
}

extension JSONSchema.Value {
    /// The value as a schema; `nil` if it is none.
    package var schema: JSONSchema? { if case .map(let members) = self { JSONSchema(members) } else { nil } }

    /// The text; `nil` if it is none.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The items of a list; none if it is no list.
    package var items: [JSONSchema.Value] { if case .list(let items) = self { items } else { [] } }
}
