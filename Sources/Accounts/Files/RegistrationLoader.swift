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
        let expiry = mapping.take("expiry").flatMap { reader.instant($0, "`expiry`") }
        mapping.finish(&reader)
        if package == nil {
            reader.warning(
                "a registration without `appid` stands for every package with its signature", at: node.position)
        }
        guard let signature else { return nil }
        return Registration(
            signature: signature, package: package.flatMap { reader.text($0, "`appid`") }, version: version,
            libraryID: isLibraryID ? sdk : library, sdk: isLibraryID ? nil : sdk, label: label, added: added,
            expiry: expiry)
    }
}
