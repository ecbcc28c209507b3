internal import Documents
internal import PolicyEngine

/// An app signing certificate in an account file: its fingerprint, or a mapping that says more.
enum CertificateFields {
    private typealias Key = AppSigningCertificate.Field

    private static let all: [Field<AppSigningCertificate>] = [
        .required(
            Key.fingerprint.rawValue, \.fingerprint, .text.described(by: fingerprint),
            "The fingerprint of the certificate: bytes joined by colons."),
        .optional(Key.subject.rawValue, \.subject, .text, "The owner of the certificate."),
        .optional(Key.expiry.rawValue, \.expiry, .instant, "The time up to which the certificate is valid."),
    ]

    private static let fingerprint = JSONSchema.text(matching: "([0-9A-Fa-f]{2}:){7,}[0-9A-Fa-f]{2}")

    /// Reads a list of them.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for entry in reader.sequence(node, "`app-signing-certs`") ?? [] {
            guard let certificate = certificate(entry, &reader) else { continue }
            let position = (entry[Key.fingerprint.rawValue] ?? entry).position
            reader.attempt(at: position) { () throws(ServiceError) in try account.append(certificate) }
        }
    }

    private static func certificate(_ node: Node, _ reader: inout DocumentReader) -> AppSigningCertificate? {
        guard case .mapping = node.content else {
            return reader.text(node, "an entry of `app-signing-certs`").map { AppSigningCertificate(fingerprint: $0) }
        }
        return all.read(node, "a certificate", from: AppSigningCertificate(fingerprint: ""), &reader)
    }

    /// The value of a certificate in a file: its fingerprint alone if nothing else is known.
    static func value(of certificate: AppSigningCertificate) -> DocumentValue {
        guard certificate.subject != nil || certificate.expiry != nil else { return .text(certificate.fingerprint) }
        return all.value(of: certificate)
    }

    static var schema: JSONSchema { .any(of: [fingerprint, all.schema()]) }
}
