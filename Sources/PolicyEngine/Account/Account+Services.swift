extension Account {
    /// Adds an API domain; tokens for it can be had at once (R1.5).
    ///
    /// - Throws: ``ServiceError/invalidDomain(_:)``, ``ServiceError/managedDomain(_:)``,
    ///   ``ServiceError/duplicateDomain(_:)``, ``ServiceError/domainLimitReached(_:)``,
    ///   ``ServiceError/pinLimitReached(_:domain:)``, ``ServiceError/invalidPin(_:domain:)``.
    public mutating func append(_ domain: APIDomain) throws(ServiceError) {
        let isManagedRoots = domain.holdsManagedRoots && domain.type == .pinOnly
        guard APIDomain.isName(domain.name) || isManagedRoots else { throw .invalidDomain(domain.name) }
        guard domain.type == .restricted || !APIDomain.isDemonstration(domain.name) else {
            throw .managedDomain(domain.name)
        }
        guard !apiDomains.contains(where: { $0.isNamed(domain.name) }) else { throw .duplicateDomain(domain.name) }
        guard apiDomains.count < AccountLimits.apiDomains else { throw .domainLimitReached(domain.name) }
        guard domain.pins.count <= AccountLimits.pinsPerDomain else {
            throw .pinLimitReached(domain.pins.count, domain: domain.name)
        }
        if let pin = domain.pins.first(where: { !PublicKeyPin.isPin($0) }) {
            throw .invalidPin(pin, domain: domain.name)
        }
        apiDomains.append(domain)
        listAPIDomains()
    }

    /// Makes the account one that lists its API domains; with none in the list no domain is served (R14.2a).
    package mutating func listAPIDomains() { listsAPIDomains = true }

    /// Removes an API domain; the list stays, though it be empty, so that nothing is served that was not before
    /// (R14.2a).
    ///
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``.
    public mutating func removeAPIDomain(named name: String) throws(ServiceError) {
        guard let index = apiDomains.firstIndex(where: { $0.isNamed(name) }) else {
            throw .unknownDomain(name, known: apiDomains.map(\.name))
        }
        apiDomains.remove(at: index)
    }

    /// Adds an app signing certificate; it affects apps launched when it is in force (R1.5).
    ///
    /// - Parameter certificate: The certificate; of its fingerprint, eight bytes or more, eight are kept.
    /// - Throws: ``ServiceError/invalidFingerprint(_:)``, ``ServiceError/duplicateCertificate(_:)``,
    ///   ``ServiceError/certificateLimitReached(_:)``.
    package mutating func append(_ certificate: AppSigningCertificate) throws(ServiceError) {
        guard let fingerprint = Self.shortenedFingerprint(certificate.fingerprint) else {
            throw .invalidFingerprint(certificate.fingerprint)
        }
        guard !appSigningCertificates.contains(fingerprint) else { throw .duplicateCertificate(fingerprint) }
        guard certificates.count < AccountLimits.appSigningCertificates else {
            throw .certificateLimitReached(fingerprint)
        }
        certificates.append(
            AppSigningCertificate(
                fingerprint: fingerprint, subject: certificate.subject, expiry: certificate.expiry))
    }

    /// The fingerprints of the app signing certificates, in their order.
    package var appSigningCertificates: [String] { certificates.map(\.fingerprint) }

    /// Removes an app signing certificate.
    ///
    /// - Parameter fingerprint: Eight bytes or more of its fingerprint, in any case.
    /// - Throws: ``ServiceError/unknownCertificate(_:known:)``.
    package mutating func removeAppSigningCertificate(_ fingerprint: String) throws(ServiceError) {
        guard let index = Self.shortenedFingerprint(fingerprint).flatMap(appSigningCertificates.firstIndex) else {
            throw .unknownCertificate(fingerprint, known: appSigningCertificates)
        }
        certificates.remove(at: index)
    }

    /// The first eight bytes of a fingerprint in upper case.
    ///
    /// - Returns: `nil` for a text that is not eight to thirty-two bytes in hexadecimal, joined by colons.
    package static func shortenedFingerprint(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isSound = parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) }
        return isSound && 8...32 ~= parts.count ? parts.prefix(8).joined(separator: ":").uppercased() : nil
    }

    /// Makes the account one that lists its registrations; with none in the list no app is registered (R15.1).
    package mutating func listRegistrations() { registrations = registrations ?? [] }

    /// Adds a registration as it is, as an account file does.
    ///
    /// - Throws: ``ServiceError/registrationLimitReached(_:)``.
    public mutating func append(_ registration: Registration) throws(ServiceError) {
        let known = registrations ?? []
        guard known.count < AccountLimits.registrations else {
            throw .registrationLimitReached(registration.overallSignature)
        }
        registrations = known + [registration]
    }

    /// Registers an app, as the command does (R15.1a).
    ///
    /// One that exists already, the same app by ``Registration/isSameApp(as:)``, keeps its position and its label; its time
    /// moves on, and of two expiries the later one stays. One that an admin did not add becomes an admin's when an admin adds
    /// it again.
    ///
    /// - Parameters:
    ///   - registration: The app; ``Registration/added`` is now, or `nil` where that is not known.
    ///   - isByAdmin: True if an admin adds it.
    /// - Returns: The registration as it is listed from then on.
    /// - Throws: ``ServiceError/registrationLimitReached(_:)``; ended ones make room where the time is known.
    package mutating func register(
        _ registration: Registration, isByAdmin: Bool = true
    ) throws(ServiceError) -> Registration {
        if let index = registrations?.firstIndex(where: registration.isSameApp(as:)),
            let known = registrations?[index]
        {
            let renewed = registration.renewing(known, isByAdmin: isByAdmin)
            registrations?[index] = renewed
            return renewed
        }
        if let time = registration.added, registrations?.count == AccountLimits.registrations {
            registrations?.removeAll { !$0.isActive(at: time) }
        }
        try append(registration)
        return registration
    }

    /// Removes the registrations of an overall signature (R15.2); one that ended is no longer there.
    ///
    /// - Parameters:
    ///   - signature: The overall signature.
    ///   - time: Now; `nil` where that is not known, so that none ended.
    /// - Throws: ``ServiceError/unknownRegistration(_:known:)``.
    public mutating func removeRegistration(_ signature: String, at time: Instant? = nil) throws(ServiceError) {
        let active = (registrations ?? []).filter { registration in time.map(registration.isActive) ?? true }
        let removed = active.filter { $0.isNamed(signature) }
        guard !removed.isEmpty else {
            throw .unknownRegistration(signature, known: active.map(\.overallSignature))
        }
        remove(removed)
    }

    /// Removes the registrations of a package that were registered last more than some time ago (manual, Removing
    /// Multiple Registrations).
    ///
    /// - Parameters:
    ///   - package: The exact package.
    ///   - age: An age in seconds; one of just that age stays.
    ///   - time: Now.
    /// - Returns: Those that were removed, in the order of the list.
    package mutating func removeRegistrations(
        ofPackage package: String, olderThan age: Int, at time: Instant
    ) -> [Registration] {
        let removed = (registrations ?? []).filter { registration in
            registration.package?.hasSameBytes(as: package) == true && registration.isActive(at: time)
                && registration.isOlder(than: age, at: time)
        }
        remove(removed)
        return removed
    }

    /// The account as a file can describe it: what was removed from it is forgotten.
    package var withoutPast: Account {
        var account = self
        account.removedRegistrations = []
        return account
    }

    /// The account as if commands had made it of another one: registrations that it lacks were removed (R15.2).
    ///
    /// - Parameter other: The account before. Where one of both lists no registrations at all, nothing is known to be
    ///   removed.
    package func replacing(_ other: Account) -> Account {
        guard let kept = registrations, let earlier = other.registrations else { return self }
        var account = self
        let known = kept.map(\.asMatched)
        account.removedRegistrations += earlier.filter { registration in
            !known.contains(registration.asMatched) && !removedRegistrations.contains(registration)
        }
        return account
    }

    /// Removes registrations, and remembers them (R15.2).
    mutating func remove(_ removed: [Registration]) {
        registrations?.removeAll(where: removed.contains)
        removedRegistrations += removed
    }
}

/// Why a list of an account cannot be changed: API domains, app signing certificates, registrations.
public enum ServiceError: Error, Hashable, Sendable {
    /// Other characters than letters, digits, `-` and `.` (manual, Managing API Domains).
    case invalidDomain(String)
    /// The demonstration domain, of another type than `restricted`.
    case managedDomain(String)
    /// A domain cannot be edited: it is removed and added again.
    case duplicateDomain(String)
    /// It would be the 26th domain (R16).
    case domainLimitReached(String)
    /// No domain of that name.
    case unknownDomain(String, known: [String])
    /// The domain has that pin already.
    case duplicatePin(String, domain: String)
    /// The domain has no such pin.
    case unknownPin(String, domain: String, known: [String])
    /// The pins of the domain are managed for the account (manual, Managing Domain Pins).
    case managedPins(domain: String)
    /// Not the base64 of 32 bytes (R18.1).
    case invalidPin(String, domain: String)
    /// More than ten pins of one domain (R16).
    case pinLimitReached(Int, domain: String)
    /// Not eight bytes in upper-case hexadecimal, joined by colons.
    case invalidFingerprint(String)
    /// The certificate exists already.
    case duplicateCertificate(String)
    /// It would be the 11th certificate (R16).
    case certificateLimitReached(String)
    /// No certificate with that fingerprint.
    case unknownCertificate(String, known: [String])
    /// It would be the 251st registration (R16).
    case registrationLimitReached(String)
    /// More than fifty registrations would be cloned (R16).
    case cloneLimitReached(Int)
    /// No registration with that overall signature.
    case unknownRegistration(String, known: [String])

    /// The names that there are, where one was given that is not, for suggestions.
    package var choice: (wrong: String, known: [String])? {
        switch self {
        case .unknownDomain(let wrong, let known), .unknownCertificate(let wrong, let known),
            .unknownRegistration(let wrong, let known), .unknownPin(let wrong, _, let known):
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
        case .managedDomain(let name): "`\(name)` is `restricted`; its keys and pins are managed for the account"
        case .duplicateDomain(let name): "API domain `\(name)` exists already"
        case .domainLimitReached(let name):
            "API domain `\(name)` is one too many; an account has at most \(AccountLimits.apiDomains)"
        case .unknownDomain(let name, _): "there is no API domain `\(name)`"
        case .invalidPin(let pin, let domain):
            "`\(pin)` is not a pin of `\(domain)`; a pin is the base64 of \(PublicKeyPin.byteCount) bytes"
        case .duplicatePin(let pin, let domain): "pin `\(pin)` of `\(domain)` exists already"
        case .unknownPin(let pin, let domain, _): "API domain `\(domain)` has no pin `\(pin)`"
        case .managedPins(let domain):
            "the pins of `\(domain)` cannot be changed; they are managed for the account"
        case .pinLimitReached(let count, let domain):
            "\(count) pins of `\(domain)`; there can be at most \(AccountLimits.pinsPerDomain)"
        case .invalidFingerprint(let text):
            "`\(text)` is not a fingerprint; it has eight bytes such as `C0:F3:15:9B:A5:6C:A8:E1`"
        case .duplicateCertificate(let text): "app signing certificate `\(text)` exists already"
        case .certificateLimitReached(let text):
            "app signing certificate `\(text)` is one too many; an account has at most "
                + "\(AccountLimits.appSigningCertificates)"
        case .unknownCertificate(let text, _): "there is no app signing certificate `\(text)`"
        case .registrationLimitReached(let text):
            "registration `\(text)` is one too many; an account has at most \(AccountLimits.registrations)"
        case .cloneLimitReached(let count):
            "\(count) permanent registrations; at most \(AccountLimits.clonedRegistrations) can be cloned"
        case .unknownRegistration(let text, _): "there is no registration `\(text)`"
        }
    }
}

// Registrations that another account has cloned into this one (R24.4; manual, Registration Cloning).
extension Account {
    /// The registrations that are cloned: those without an end.
    package var permanentRegistrations: [Registration] { (registrations ?? []).filter { $0.expiry == nil } }

    /// Checks that registrations can be cloned at all.
    ///
    /// - Returns: The registrations that are cloned.
    /// - Throws: ``ServiceError/cloneLimitReached(_:)``.
    package func registrationsToClone() throws(ServiceError) -> [Registration] {
        let permanent = permanentRegistrations
        guard permanent.count <= AccountLimits.clonedRegistrations else { throw .cloneLimitReached(permanent.count) }
        return permanent
    }

    /// Takes the registrations of another account over.
    ///
    /// Registrations that were cloned from that account and that it no longer has are removed; those of others stay.
    ///
    /// - Parameters:
    ///   - cloned: The registrations of the other account, all of them without an end.
    ///   - source: The name of the other account.
    /// - Returns: The number that had no room.
    package mutating func clone(_ cloned: [Registration], from source: String) -> Int {
        let isFromSource = { (registration: Registration) in registration.clonedFrom?.hasSameBytes(as: source) == true }
        remove((registrations ?? []).filter { isFromSource($0) && !cloned.contains(where: $0.isSameApp(as:)) })
        var refused = 0
        for registration in cloned {
            let copy = registration.cloned(from: source)
            let index = registrations?.firstIndex(where: copy.isSameApp(as:))
            if let index {
                if registrations.map({ isFromSource($0[index]) }) == true { registrations?[index] = copy }
            } else if (registrations ?? []).count < AccountLimits.registrations {
                registrations = (registrations ?? []) + [copy]
            } else {
                refused += 1
            }
        }
        listRegistrations()
        return refused
    }
}

extension Registration {
    // The registration as the account that cloned it lists it.
    fileprivate func cloned(from source: String) -> Registration {
        Registration(
            Registration(
                signature: signature, package: package, version: version, versionName: versionName,
                libraryID: libraryID, sdk: sdk, isBundle: isBundle, label: label, added: added),
            clonedFrom: source)
    }
}
