// The pins of API domains (R18.1; manual, Managing Domain Pins).
extension Account {
    /// Adds a pin to an API domain.
    ///
    /// - Parameters:
    ///   - text: The pin, or `key:NAME`, which stands for the pin of a key of that name.
    ///   - name: The domain, or `*` for the managed trust roots.
    /// - Returns: The pin.
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``, ``ServiceError/managedPins(domain:)``,
    ///   ``ServiceError/invalidPin(_:domain:)``, ``ServiceError/duplicatePin(_:domain:)``,
    ///   ``ServiceError/pinLimitReached(_:domain:)``.
    package mutating func addPin(_ text: String, toDomain name: String) throws(ServiceError) -> String {
        let index = try indexOfPinnedDomain(named: name)
        let domain = apiDomains[index]
        guard let pin = PublicKeyPin.pin(in: text) else { throw .invalidPin(text, domain: domain.name) }
        guard !domain.pins.contains(pin) else { throw .duplicatePin(pin, domain: domain.name) }
        guard domain.pins.count < AccountLimits.pinsPerDomain else {
            throw .pinLimitReached(domain.pins.count + 1, domain: domain.name)
        }
        apiDomains[index].pins.append(pin)
        return pin
    }

    /// Removes a pin from an API domain; without pins any certificate is accepted that the platform trusts.
    ///
    /// - Parameters:
    ///   - text: The pin, or `key:NAME`.
    ///   - name: The domain, or `*`.
    /// - Returns: The pin.
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``, ``ServiceError/managedPins(domain:)``,
    ///   ``ServiceError/invalidPin(_:domain:)``, ``ServiceError/unknownPin(_:domain:known:)``.
    package mutating func removePin(_ text: String, fromDomain name: String) throws(ServiceError) -> String {
        let index = try indexOfPinnedDomain(named: name)
        let domain = apiDomains[index]
        guard let pin = PublicKeyPin.pin(in: text) else { throw .invalidPin(text, domain: domain.name) }
        guard let position = domain.pins.firstIndex(of: pin) else {
            throw .unknownPin(pin, domain: domain.name, known: domain.pins)
        }
        apiDomains[index].pins.remove(at: position)
        return pin
    }

    /// The pins of an API domain.
    ///
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``.
    package func pins(ofDomain name: String) throws(ServiceError) -> [String] {
        guard let domain = apiDomains.first(where: { $0.isNamed(name) }) else {
            throw .unknownDomain(name, known: apiDomains.map(\.name))
        }
        return domain.pins
    }

    private func indexOfPinnedDomain(named name: String) throws(ServiceError) -> Int {
        guard let index = apiDomains.firstIndex(where: { $0.isNamed(name) }) else {
            throw .unknownDomain(name, known: apiDomains.map(\.name))
        }
        guard apiDomains[index].type != .restricted else { throw .managedPins(domain: apiDomains[index].name) }
        return index
    }
}
