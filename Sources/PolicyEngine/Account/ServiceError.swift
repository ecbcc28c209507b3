/// Why a list of an account cannot be changed: API domains, app signing certificates, registrations.
public enum ServiceError: Error, Hashable, Sendable {
    /// Other characters than letters, digits, `-` and `.` (manual, Managing API Domains).
    case invalidDomain(String)
    /// A domain cannot be edited: it is removed and added again.
    case duplicateDomain(String)
    /// It would be the 26th domain (R16).
    case domainLimitReached(String)
    /// No domain of that name.
    case unknownDomain(String, known: [String])
    /// Not the base64 of 32 bytes (R18.1).
    case invalidPin(String, domain: String)
    /// More than ten pins of one domain (R16).
    case pinLimitReached(Int, domain: String)
    /// Not eight bytes in upper-case hexadecimal, joined by colons.
    case invalidFingerprint(String)
    /// The certificate is there already.
    case duplicateCertificate(String)
    /// It would be the 11th certificate (R16).
    case certificateLimitReached(String)
    /// No certificate with that fingerprint.
    case unknownCertificate(String, known: [String])
    /// It would be the 251st registration (R16).
    case registrationLimitReached(String)
    /// No registration with that overall signature.
    case unknownRegistration(String, known: [String])
}

extension ServiceError {
    /// The names that there are, where one was given that is not, for suggestions.
    public var choice: (wrong: String, known: [String])? {
        switch self {
        case .unknownDomain(let wrong, let known), .unknownCertificate(let wrong, let known),
            .unknownRegistration(let wrong, let known):
            (wrong, known)
        default: nil
        }
    }
}

extension ServiceError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidDomain(let name): "`\(name)` is not a domain; it has letters, digits, `-` and `.` only"
        case .duplicateDomain(let name): "API domain `\(name)` is there already"
        case .domainLimitReached(let name):
            "API domain `\(name)` is one too many; an account has at most \(AccountLimits.apiDomains)"
        case .unknownDomain(let name, _): "there is no API domain `\(name)`"
        case .invalidPin(let pin, let domain):
            "`\(pin)` is not a pin of `\(domain)`; a pin is the base64 of \(PublicKeyPin.byteCount) bytes"
        case .pinLimitReached(let count, let domain):
            "\(count) pins of `\(domain)`; there can be at most \(AccountLimits.pinsPerDomain)"
        case .invalidFingerprint(let text):
            "`\(text)` is not a fingerprint; it has eight bytes such as `C0:F3:15:9B:A5:6C:A8:E1`"
        case .duplicateCertificate(let text): "app signing certificate `\(text)` is there already"
        case .certificateLimitReached(let text):
            "app signing certificate `\(text)` is one too many; an account has at most "
                + "\(AccountLimits.appSigningCertificates)"
        case .unknownCertificate(let text, _): "there is no app signing certificate `\(text)`"
        case .registrationLimitReached(let text):
            "registration `\(text)` is one too many; an account has at most \(AccountLimits.registrations)"
        case .unknownRegistration(let text, _): "there is no registration `\(text)`"
        }
    }
}
