internal import PolicyEngine

/// The names that the keys of records have in captures of others, such as `device_id` for `device-id`.
package struct RecordNames: Hashable, Sendable {
    // By the key as it is read.
    private var given: [ExactText: String] = [:]
    private var read: [ExactText: String] = [:]

    /// The keys have their own names.
    package init() {}

    /// Reads `device_id=device-id,ts=time`: the name in the captures, and the key that it is.
    ///
    /// - Throws: ``RecordNamesError``.
    package init(_ text: String) throws(RecordNamesError) {
        let likeness = KeyLikeness([])
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let names = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else {
                throw RecordNamesError(
                    "`\(part)` is not `NAME=KEY`", hint: "such as device_id=device-id,ts=time")
            }
            if let meant = likeness.key(lookingLike: names[1]) {
                throw RecordNamesError("`\(names[1])` is no key", hint: "did you mean `\(meant)`?")
            }
            guard given.updateValue(names[0], forKey: ExactText(names[1])) == nil else {
                throw RecordNamesError("two names are `\(names[1])`")
            }
            guard read.updateValue(names[1], forKey: ExactText(names[0])) == nil else {
                throw RecordNamesError("`\(names[0])` is renamed twice")
            }
        }
    }

    /// The name of a key in the captures.
    func given(_ key: String) -> String { given.isEmpty ? key : given[ExactText(key)] ?? key }

    /// The key of a name in the captures.
    func key(_ name: String) -> String { read.isEmpty ? name : read[ExactText(name)] ?? name }
}

/// Why a text does not rename keys.
package struct RecordNamesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error in words: lower case, no final period.
    package let description: String
    /// Advice that might help.
    package let hint: String?

    init(_ description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }
}
