internal import Documents
internal import PolicyEngine

/// A registration in an account file (R15).
enum RegistrationFields {
    /// The keys of a registration, in their usual order.
    typealias Key = Registration.Field

    /// The key of older files instead of `expires`.
    static let olderExpiry = "expiry"

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
        guard var mapping = reader.mapping(node, "a registration") else { return nil }
        let signature = mapping.require(Key.signature, &reader).flatMap { reader.text($0, "`app-sig`") }
        let package = mapping.take(Key.package)
        let version = mapping.text(Key.version, &reader)
        // The SDK as it is listed; a number is that of the library, with which overall signatures end.
        let sdk = mapping.text(Key.sdk, &reader)
        let library = mapping.text(Key.libraryID, &reader)
        let isLibraryID = library == nil && sdk?.utf8.allSatisfy(\.isDigit) == true
        let label = mapping.text(Key.label, &reader)
        let added = mapping.take(Key.added).flatMap { reader.instant($0, "`added`") }
        let versionName = mapping.text(Key.versionName, &reader)
        let isBundle = mapping.take(Key.bundle).flatMap { reader.boolean($0, "`bundle`") }
        let expiry = self.expiry(&mapping, &reader)
        let addedBy = mapping.text(Key.addedBy, &reader)
        let clonedFrom = mapping.text(Key.clonedFrom, &reader)
        mapping.finish(&reader)
        if package == nil {
            reader.warning(
                "a registration without `appid` applies to every package with its signature", at: node.position)
        }
        guard let signature else { return nil }
        let registration = Registration(
            signature: signature, package: package.flatMap { reader.text($0, "`appid`") }, version: version,
            versionName: versionName, libraryID: isLibraryID ? sdk : library, sdk: isLibraryID ? nil : sdk,
            isBundle: isBundle ?? false, label: label, added: added, expiry: expiry, addedBy: addedBy)
        return clonedFrom == nil ? registration : Registration(registration, clonedFrom: clonedFrom)
    }

    // `expires`, or `expiry` as older files write it.
    private static func expiry(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) -> Instant? {
        let (node, older) = (mapping.take(Key.expires), mapping.take(olderExpiry))
        if node != nil, let older {
            reader.error("`expires` and `expiry` mean the same; give only one of them", at: older.position)
        }
        return node.flatMap { reader.instant($0, "`expires`") } ?? older.flatMap { reader.instant($0, "`expiry`") }
    }

    /// The fields of a registration in a file.
    ///
    /// - Parameter expiryKey: The key of its end: `expires`, or `expiry` where the file has that.
    static func fields(of registration: Registration, expiryKey: String = Key.expires.rawValue) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .signature: DocumentField(key.rawValue, registration.signature)
            case .package: DocumentField(key.rawValue, registration.package)
            case .version: DocumentField(key.rawValue, registration.version)
            case .versionName: DocumentField(key.rawValue, registration.versionName)
            case .sdk: DocumentField(key.rawValue, registration.sdk)
            case .libraryID: DocumentField(key.rawValue, registration.libraryID)
            case .bundle: .truth(key.rawValue, registration.isBundle)
            case .label: DocumentField(key.rawValue, registration.label)
            case .added: DocumentField(key.rawValue, registration.added?.description)
            case .expires: DocumentField(expiryKey, registration.expiry?.description)
            case .addedBy: DocumentField(key.rawValue, registration.addedBy)
            case .clonedFrom: DocumentField(key.rawValue, registration.clonedFrom)
            }
        }
    }
}
