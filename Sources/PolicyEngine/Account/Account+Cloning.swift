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
