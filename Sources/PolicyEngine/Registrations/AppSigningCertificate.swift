/// The certificates that Android apps are signed with (manual, App Signing Certificates).
public enum AppSigningCertificate {
    /// The fingerprint by which an account knows a certificate: the first eight bytes of its SHA-256, such as
    /// `C0:F3:15:9B:A5:6C:A8:E1`.
    ///
    /// - Parameter certificate: The certificate's bytes in DER.
    /// - Complexity: O(length of the certificate).
    public static func fingerprint(of certificate: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        return Cryptography.sha256(of: certificate).prefix(8)
            .map { String(digits[Int($0 >> 4)]) + String(digits[Int($0 & 15)]) }
            .joined(separator: ":")
    }
}
