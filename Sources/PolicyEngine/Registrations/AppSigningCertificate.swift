/// A certificate that Android apps are signed with (manual, App Signing Certificates).
package struct AppSigningCertificate: Hashable, Sendable {
    /// The first eight bytes of the certificate's SHA-256, such as `C0:F3:15:9B:A5:6C:A8:E1`.
    @ByteExact package var fingerprint: String
    /// Whose it is, such as `CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK`; `nil` where that is not known.
    @ByteExact package var subject: String?
    /// The end of its validity; `nil` where that is not known.
    package var expiry: Instant?

    /// Makes a certificate of what is known of it.
    package init(fingerprint: String, subject: String? = nil, expiry: Instant? = nil) {
        self.fingerprint = fingerprint
        self.subject = subject
        self.expiry = expiry
    }

    /// Reads a certificate.
    ///
    /// - Parameter bytes: The certificate in DER, and nothing else.
    /// - Returns: `nil` for bytes that are no certificate.
    /// - Complexity: O(number of bytes).
    package init?(der bytes: [UInt8]) {
        guard let content = Cryptography.certificate(der: bytes) else { return nil }
        self.init(fingerprint: Self.fingerprint(of: bytes), subject: content.subject, expiry: content.expiry)
    }

    /// The fingerprint by which an account knows a certificate.
    ///
    /// - Parameter certificate: The certificate's bytes in DER.
    /// - Complexity: O(length of the certificate).
    package static func fingerprint(of certificate: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        return Cryptography.sha256(of: certificate).prefix(8)
            .map { String(digits[Int($0 >> 4)]) + String(digits[Int($0 & 15)]) }
            .joined(separator: ":")
    }
}

extension AppSigningCertificate: FieldwiseComparable {
    /// The fields of a certificate, by the names that account files have for them, in their usual order.
    package enum Field: String, CaseIterable, Sendable {
        case fingerprint, subject, expiry
    }

    package mutating func copy(_ field: Field, from other: AppSigningCertificate) {
        switch field {
        case .fingerprint: fingerprint = other.fingerprint
        case .subject: subject = other.subject
        case .expiry: expiry = other.expiry
        }
    }
}
