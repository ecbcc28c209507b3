extension Account {
    /// Adds an API domain; tokens for it can be had at once (R1.5).
    ///
    /// - Throws: ``ServiceError/invalidDomain(_:)``, ``ServiceError/duplicateDomain(_:)``,
    ///   ``ServiceError/domainLimitReached(_:)``.
    public mutating func append(_ domain: APIDomain) throws(ServiceError) {
        guard APIDomain.isName(domain.name) else { throw .invalidDomain(domain.name) }
        guard !apiDomains.contains(where: { $0.isNamed(domain.name) }) else { throw .duplicateDomain(domain.name) }
        guard apiDomains.count < AccountLimits.apiDomains else { throw .domainLimitReached(domain.name) }
        apiDomains.append(domain)
        listAPIDomains()
    }

    /// Makes the account one that lists its API domains; with none in the list no domain is served (R14.2a).
    public mutating func listAPIDomains() { listsAPIDomains = true }

    /// Removes an API domain; the list stays, though it be empty, so that nothing is served that was not before
    /// (R14.2a).
    ///
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``.
    public mutating func removeAPIDomain(named name: String) throws(ServiceError) {
        guard let place = apiDomains.firstIndex(where: { $0.isNamed(name) }) else {
            throw .unknownDomain(name, known: apiDomains.map(\.name))
        }
        apiDomains.remove(at: place)
    }

    /// Adds an app signing certificate; it bears on apps launched when it is in force (R1.5).
    ///
    /// - Parameter certificate: The certificate; of its fingerprint, eight bytes or more, eight are kept.
    /// - Throws: ``ServiceError/invalidFingerprint(_:)``, ``ServiceError/duplicateCertificate(_:)``,
    ///   ``ServiceError/certificateLimitReached(_:)``.
    public mutating func append(_ certificate: AppSigningCertificate) throws(ServiceError) {
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

    /// Adds an app signing certificate of which only the fingerprint is known.
    ///
    /// - Parameter fingerprint: The first eight bytes or more of the certificate's SHA-256, such as
    ///   `C0:F3:15:9B:A5:6C:A8:E1`; eight are kept.
    /// - Throws: ``ServiceError``.
    public mutating func addAppSigningCertificate(_ fingerprint: String) throws(ServiceError) {
        try append(AppSigningCertificate(fingerprint: fingerprint))
    }

    /// The fingerprints of the app signing certificates, in their order.
    public var appSigningCertificates: [String] { certificates.map(\.fingerprint) }

    /// Removes an app signing certificate.
    ///
    /// - Parameter fingerprint: Eight bytes or more of its fingerprint, in any case.
    /// - Throws: ``ServiceError/unknownCertificate(_:known:)``.
    public mutating func removeAppSigningCertificate(_ fingerprint: String) throws(ServiceError) {
        guard let place = Self.shortenedFingerprint(fingerprint).flatMap(appSigningCertificates.firstIndex) else {
            throw .unknownCertificate(fingerprint, known: appSigningCertificates)
        }
        certificates.remove(at: place)
    }

    /// The first eight bytes of a fingerprint in upper case.
    ///
    /// - Returns: `nil` for a text that is not eight to thirty-two bytes in hexadecimal, joined by colons.
    public static func shortenedFingerprint(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isSound = parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) }
        return isSound && 8...32 ~= parts.count ? parts.prefix(8).joined(separator: ":").uppercased() : nil
    }

    /// Makes the account one that lists its registrations; with none in the list no app is registered (R15.1).
    public mutating func listRegistrations() { registrations = registrations ?? [] }

    /// Adds a registration.
    ///
    /// - Throws: ``ServiceError/registrationLimitReached(_:)``.
    public mutating func append(_ registration: Registration) throws(ServiceError) {
        let known = registrations ?? []
        guard known.count < AccountLimits.registrations else {
            throw .registrationLimitReached(registration.overallSignature)
        }
        registrations = known + [registration]
    }

    /// Removes the registrations of an overall signature (R15.2); one that ended is no longer there.
    ///
    /// - Parameter time: Now; `nil` where there is no such thing, so that none ended.
    /// - Throws: ``ServiceError/unknownRegistration(_:known:)``.
    public mutating func removeRegistration(_ signature: String, at time: Instant? = nil) throws(ServiceError) {
        let active = (registrations ?? []).filter { registration in time.map(registration.isActive) ?? true }
        let removed = active.filter { $0.overallSignature == signature }
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
    public mutating func removeRegistrations(
        ofPackage package: String, olderThan age: Int, at time: Instant
    ) -> [Registration] {
        let removed = (registrations ?? []).filter { registration in
            registration.package == package && registration.isActive(at: time)
                && registration.isOlder(than: age, at: time)
        }
        remove(removed)
        return removed
    }

    /// The account as a file can tell it: what was removed from it is forgotten.
    package var withoutPast: Account {
        var account = self
        account.removedRegistrations = []
        return account
    }

    private mutating func remove(_ removed: [Registration]) {
        registrations?.removeAll(where: removed.contains)
        removedRegistrations += removed
    }
}
