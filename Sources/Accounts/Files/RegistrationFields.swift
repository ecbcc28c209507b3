internal import Documents
internal import PolicyEngine

/// A registration in an account file (R15).
enum RegistrationFields {
    private typealias Key = Registration.Field

    /// The key of older files instead of `expires`.
    static let olderExpiry = "expiry"

    // The key of older files is read first, so that the newer one holds.
    static let all: [Field<Registration>] = [
        .required(Key.signature.rawValue, \.signature, .text, "The signature of the app."),
        .optional(
            Key.package.rawValue, \.package, .text,
            "The package of the app; without it, any package with the signature."),
        .optional(
            Key.version.rawValue, \.version, .version, "The version of the app; without it, or with *, any version."),
        .optional(Key.versionName.rawValue, \.versionName, .text, "A name that is shown in place of the version."),
        .optional(Key.sdk.rawValue, \.sdk, .text, "The SDK and its version, such as Android(2.5.0)."),
        .optional(
            Key.libraryID.rawValue, \.libraryID, .text,
            "The number of the SDK's library, compared if the device has one."),
        .truth(Key.bundle.rawValue, \.isBundle, "With true, it is an app bundle, whose signature is app-id-sig."),
        .optional(Key.label.rawValue, \.label, .text, "A name for people."),
        .optional(Key.added.rawValue, \.added, .instant, "The time at which the app was registered."),
        Field(olderExpiry, JSONSchema.instant, "The time at which the registration ends, as older files name it.") {
            node, registration, reader in
            registration.expiry = reader.instant(node, olderExpiry.quoted)
        },
        .optional(
            Key.expires.rawValue, \.expiry, .instant, "The time at which the registration ends; without it, never."),
        .optional(Key.addedBy.rawValue, \.addedBy, .text, "The developer who registered the app."),
        .optional(Key.clonedFrom.rawValue, \.clonedFrom, .text, "The account from which the registration was cloned."),
    ]

    /// Reads a list of them; an account with an empty list has no app registered.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`registrations`") else { return }
        account.listRegistrations()
        for entry in entries {
            guard let registration = registration(entry, &reader) else { continue }
            let step: Void? = reader.attempt(at: entry.position) { () throws(ServiceError) in
                try account.append(registration)
            }
            // Only the limit can be exceeded, and it is exceeded for all that follow.
            guard step != nil else { return }
        }
    }

    private static func registration(_ node: Node, _ reader: inout DocumentReader) -> Registration? {
        let read = all.read(node, "a registration", from: Registration(signature: ""), &reader)
        guard case .mapping = node.content else { return nil }
        if node[Key.expires.rawValue] != nil, let older = node[olderExpiry] {
            reader.error("`expires` and `expiry` mean the same; give only one of them", at: older.position)
        }
        if node[Key.package.rawValue] == nil {
            reader.warning(
                "a registration without `appid` applies to every package with its signature", at: node.position)
        }
        guard var registration = read else { return nil }
        // The SDK as it is listed; a number is that of the library, with which overall signatures end.
        if registration.libraryID == nil, registration.sdk?.utf8.allSatisfy(\.isDigit) == true {
            (registration.libraryID, registration.sdk) = (registration.sdk, nil)
        }
        return registration
    }

    /// A registration in a file that has the key of older files for its end.
    static func olderValue(of registration: Registration) -> DocumentValue {
        .mapping(all.values(of: registration).map { $0.key == Key.expires.rawValue ? $0.renamed(olderExpiry) : $0 })
    }
}

extension ValueForm<String> {
    fileprivate static var version: ValueForm {
        ValueForm(.text) { node, what, reader in reader.text(node, what).flatMap(Registration.version) }
    }
}
