/// The certificate of a server, as far as its pin goes (R18.2a; manual, Certificate File Pin Extraction).
package struct PinnedCertificate: Hashable, Sendable {
    /// The SHA-256 of its public key (R18.1).
    package let pin: String
    /// Whose it is, such as `CN=mydomain.com`.
    package let subject: String
    /// The end of its validity.
    package let expiry: Instant

    /// Reads a certificate.
    ///
    /// - Parameter bytes: The certificate in DER, and nothing else.
    /// - Returns: `nil` for bytes that are no certificate.
    /// - Complexity: O(number of bytes).
    package init?(der bytes: [UInt8]) {
        guard let content = Cryptography.certificate(der: bytes) else { return nil }
        pin = Base64.text(of: Cryptography.sha256(of: content.publicKey))
        (subject, expiry) = (content.subject, content.expiry)
    }

    /// Reads the certificates in a text, as PEM has them; text between them is left out (RFC 7468).
    ///
    /// - Returns: One for each, `nil` for one that cannot be read.
    /// - Complexity: O(length).
    package static func all(pem text: String) -> [PinnedCertificate?] {
        var found: [PinnedCertificate?] = []
        var digits: String?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line {
            case "-----BEGIN CERTIFICATE-----": digits = ""
            case "-----END CERTIFICATE-----":
                guard let whole = digits else { continue }
                found.append(Base64.bytes(of: whole).flatMap(PinnedCertificate.init))
                digits = nil
            default: digits?.append(contentsOf: line)
            }
        }
        return found
    }
}
