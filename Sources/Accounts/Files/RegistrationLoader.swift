internal import Documents
internal import PolicyEngine

/// Reads the registrations of an account (R15).
enum RegistrationLoader {
    /// Reads a list of them; an account with an empty list has no app registered.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`registrations`") else { return }
        account.listRegistrations()
        for entry in entries {
            guard let registration = registration(entry, &reader) else { continue }
            do throws(ServiceError) {
                try account.append(registration)
            } catch {
                reader.error(error.description, at: entry.position)
                return
            }
        }
    }

    private static func registration(_ node: Node, _ reader: inout DocumentReader) -> Registration? {
        guard var mapping = reader.mapping(node, "a registration") else { return nil }
        let signature = mapping.require("app-sig", &reader).flatMap { reader.text($0, "`app-sig`") }
        let package = mapping.take("appid")
        let version = mapping.take("app-version").flatMap { reader.text($0, "`app-version`") }
        // The SDK as it is listed; a number is that of the library, with which overall signatures end.
        let sdk = mapping.take("sdk").flatMap { reader.text($0, "`sdk`") }
        let library = mapping.take("library-id").flatMap { reader.text($0, "`library-id`") }
        let isLibraryID = library == nil && sdk?.utf8.allSatisfy(\.isDigit) == true
        let label = mapping.take("label").flatMap { reader.text($0, "`label`") }
        let added = mapping.take("added").flatMap { reader.instant($0, "`added`") }
        let versionName = mapping.take("version-name").flatMap { reader.text($0, "`version-name`") }
        let isBundle = mapping.take("bundle").flatMap { reader.boolean($0, "`bundle`") }
        let expiry = self.expiry(&mapping, &reader)
        let addedBy = mapping.take("added-by").flatMap { reader.text($0, "`added-by`") }
        mapping.finish(&reader)
        if package == nil {
            reader.warning(
                "a registration without `appid` stands for every package with its signature", at: node.position)
        }
        guard let signature else { return nil }
        return Registration(
            signature: signature, package: package.flatMap { reader.text($0, "`appid`") }, version: version,
            versionName: versionName, libraryID: isLibraryID ? sdk : library, sdk: isLibraryID ? nil : sdk,
            isBundle: isBundle ?? false, label: label, added: added, expiry: expiry, addedBy: addedBy)
    }

    // `expires`, or `expiry` as older files write it.
    private static func expiry(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) -> Instant? {
        let (node, older) = (mapping.take("expires"), mapping.take("expiry"))
        if node != nil, let older {
            reader.error("`expires` and `expiry` say the same; one of them is enough", at: older.position)
        }
        return node.flatMap { reader.instant($0, "`expires`") } ?? older.flatMap { reader.instant($0, "`expiry`") }
    }
}
