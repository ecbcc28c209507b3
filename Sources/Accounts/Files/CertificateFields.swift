internal import Documents
internal import PolicyEngine

/// An app signing certificate in an account file: its fingerprint, or a mapping that says more.
enum CertificateFields {
    /// The keys of a certificate, in their usual order.
    typealias Key = AppSigningCertificate.Field

    /// Reads a list of them.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for entry in reader.sequence(node, "`app-signing-certs`") ?? [] {
            guard let (certificate, position) = certificate(entry, &reader) else { continue }
            reader.attempt(at: position) { () throws(ServiceError) in try account.append(certificate) }
        }
    }

    // A fingerprint, or a mapping that says more.
    private static func certificate(
        _ node: Node, _ reader: inout DocumentReader
    ) -> (AppSigningCertificate, SourcePosition)? {
        guard case .mapping = node.content else {
            let fingerprint = reader.text(node, "an entry of `app-signing-certs`")
            return fingerprint.map { (AppSigningCertificate(fingerprint: $0), node.position) }
        }
        guard var mapping = reader.mapping(node, "a certificate") else { return nil }
        let fingerprint = mapping.require(Key.fingerprint, &reader)
        let text = fingerprint.flatMap { reader.text($0, "`fingerprint`") }
        let subject = mapping.text(Key.subject, &reader)
        let expiry = mapping.take(Key.expiry).flatMap { reader.instant($0, "`expiry`") }
        mapping.finish(&reader)
        guard let text, let position = fingerprint?.position else { return nil }
        return (AppSigningCertificate(fingerprint: text, subject: subject, expiry: expiry), position)
    }

    /// The value of a certificate in a file: its fingerprint alone if nothing else is known.
    static func value(of certificate: AppSigningCertificate) -> DocumentValue {
        guard certificate.subject != nil || certificate.expiry != nil else { return .text(certificate.fingerprint) }
        return .mapping(
            Key.allCases.map { key in
                switch key {
                case .fingerprint: DocumentField(key.rawValue, certificate.fingerprint)
                case .subject: DocumentField(key.rawValue, certificate.subject)
                case .expiry: DocumentField(key.rawValue, certificate.expiry?.description)
                }
            })
    }
}
