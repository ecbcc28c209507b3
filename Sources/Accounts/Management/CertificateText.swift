internal import PolicyEngine

/// App signing certificates in the words of the manual (Android App Signing Certificates).
enum CertificateText {
    /// What `appsigncert -list` prints.
    static func list(_ certificates: [AppSigningCertificate]) -> [String] {
        [ListText.heading(certificates.count, "app signing certificate", "app signing certificates")]
            + certificates.map { " \(text(of: $0))" }
    }

    /// A certificate with what is known of it.
    static func text(of certificate: AppSigningCertificate) -> String {
        let subject = certificate.subject.map { " | Subject: \($0)" } ?? ""
        let expiry = certificate.expiry.map { " | Expiry: \(day($0.date))" } ?? ""
        return certificate.fingerprint + subject + expiry
    }

    // 21 May 2041
    private static func day(_ date: CalendarDate) -> String { "\(date.day) \(months[date.month - 1]) \(date.year)" }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
