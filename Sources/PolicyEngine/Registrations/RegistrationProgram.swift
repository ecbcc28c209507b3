/// Registrations compiled against the numbering of a ``SymbolTable``.
struct RegistrationProgram: Sendable {
    private let signatureKey: AttributeKey
    private let packageKey: AttributeKey
    private let versionKey: AttributeKey
    private var entries: [ValueNumber: [Entry]] = [:]

    private struct Entry {
        let package: ValueNumber?
        let version: ValueNumber?
        let expiry: Instant?
    }

    init(_ registrations: [Registration], attributes: inout AttributeTable) {
        signatureKey = attributes.key(named: "app-sig", keepingAll: true)
        packageKey = attributes.key(named: "appid", keepingAll: true)
        versionKey = attributes.key(named: "app-version", keepingAll: true)
        for registration in registrations {
            let entry = Entry(
                package: registration.package.map { attributes.intern($0, for: packageKey) },
                version: registration.version.map { attributes.intern($0, for: versionKey) },
                expiry: registration.expiry)
            entries[attributes.intern(registration.signature, for: signatureKey), default: []].append(entry)
        }
    }

    /// Whether the app of an attestation is registered and the registration has not ended (R15.1, R15.2).
    ///
    /// - Complexity: O(registrations with the app's signature).
    func isRegistered(_ attestation: borrowing Attestation) -> Bool {
        guard let candidates = entries[attestation.value(of: signatureKey)] else { return false }
        let (package, version) = (attestation.value(of: packageKey), attestation.value(of: versionKey))
        let time = attestation.time
        return candidates.contains { entry in
            (entry.package.map { $0 == package } ?? true) && (entry.version.map { $0 == version } ?? true)
                && (entry.expiry.map { time < $0 } ?? true)
        }
    }
}
