internal import Documents
internal import PolicyEngine

/// The topic `appsigncert`: the certificates with which the account's Android apps are signed.
package enum CertificateTopic: ManagementTopic {
    case add(String)
    case list
    case remove(String)

    static let name = "appsigncert"

    static let actions: [CommandAction] = [
        action("-add", "certificate or fingerprint", for: .developersAndDelegates, changes: true) { .add($0.operand) },
        action("-list", for: .developersAndDelegates) { _ in .list },
        action(
            "-remove", "fingerprint", for: .adminsAndDelegates, changes: true,
            impact: "removing an app signing certificate"
        ) { .remove($0.operand) },
    ]

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let text):
            let certificate = try Self.certificate(text, in: context)
            try CommandError.wrapping { () throws(ServiceError) in try account.append(certificate) }
            effect.reported =
                account.certificates.last.map { ["successfully added \(CertificateText.text(of: $0))"] } ?? []
        case .list: effect.printed = CertificateText.list(account.certificates)
        case .remove(let text):
            try CommandError.wrapping { () throws(ServiceError) in try account.removeAppSigningCertificate(text) }
            let fingerprint = Account.shortenedFingerprint(text) ?? text
            effect.reported = ["successfully removed app signing certificate with fingerprint \(fingerprint)"]
        }
    }

    // The fingerprint itself, or the file of a certificate.
    private static func certificate(
        _ text: String, in context: CommandContext
    ) throws(CommandError) -> AppSigningCertificate {
        if Account.shortenedFingerprint(text) != nil { return AppSigningCertificate(fingerprint: text) }
        let path = try context.location(ofFile: text)
        let hint = "a fingerprint can be given instead"
        let bytes = try CommandError.wrapping(about: "certificate \(path.quoted)", hint: hint) {
            () throws(FileFailure) in try TextFile.bytes(path: path)
        }
        if let certificate = AppSigningCertificate(der: bytes) { return certificate }
        throw CommandError("\(path.quoted) is not a certificate in DER", hint: hint)
    }
}

/// App signing certificates in the words of the manual (Android App Signing Certificates).
private enum CertificateText {
    /// The output of `appsigncert -list`.
    static func list(_ certificates: [AppSigningCertificate]) -> [String] {
        [ListText.heading(certificates.count, "app signing certificate", "app signing certificates")]
            + certificates.map { " \(text(of: $0))" }
    }

    /// A certificate with its subject and expiry, as far as they are known.
    static func text(of certificate: AppSigningCertificate) -> String {
        let subject = certificate.subject.map { " | Subject: \($0)" } ?? ""
        let expiry = certificate.expiry.map { " | Expiry: \(day($0.date))" } ?? ""
        return certificate.fingerprint + subject + expiry
    }

    // 21 May 2041
    private static func day(_ date: CalendarDate) -> String { "\(date.day) \(months[date.month - 1]) \(date.year)" }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
