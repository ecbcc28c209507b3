package import PolicyEngine

/// A device that an account passes and another one does not, as records of a capture.
package struct ProofWitness: Hashable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The service's records of it, in the order of time; the verdict on the last record turns.
    package let records: [Record]
    /// The verdicts of the account before and the one after on the last record.
    package private(set) var before, after: Verdict
    /// The decided rules on which the verdicts rest.
    let decidedRules: DecidedRules

    /// A record of a capture.
    package struct Record: Hashable, Sendable {
        package var time: Instant
        /// The flags that were observed, in catalogue order.
        package let flags: [String]
        /// The attributes that the accounts look at, where the record has them.
        package let attributes: [Attribute]
        /// The service that answers: the failover, where the primary one has an outage (R14.3).
        package let service: TokenService
    }

    /// True if the failover answers one of the attestations. A capture has no place for that.
    package var hasOutage: Bool { records.contains { $0.service == .failover } }

    /// An attribute of a record.
    package struct Attribute: Hashable, Sendable {
        package let key: String
        package let value: String
    }

    /// The verdict of an account.
    package struct Verdict: Hashable, Sendable {
        package let passed: Bool
        /// The policy applied.
        package let policy: String
        /// The rejections, in the order of reports.
        package let rejections: [String]
        /// True if a search was given up on which the verdict may depend (R7.2).
        let isDoubtful: Bool
    }

    /// Evaluates the records by both accounts.
    init(device: DeviceID, records: [Record], before: Account, after: Account) {
        (self.device, self.records) = (device, records)
        var rules: DecidedRules = records.contains { $0.service == .failover } ? [.failoverDetection] : []
        self.before = Self.verdict(of: before, device, records, &rules)
        self.after = Self.verdict(of: after, device, records, &rules)
        decidedRules = rules
    }

    private static func verdict(
        of account: Account, _ device: DeviceID, _ records: [Record], _ rules: inout DecidedRules
    ) -> Verdict {
        var symbols = SymbolTable(catalogue: account.catalogue)
        var engine = Engine(account: account, symbols: &symbols)
        let index = symbols.devices.intern(device)
        var verdict = Verdict(passed: false, policy: "", rejections: [], isDoubtful: true)
        for record in records {
            var attestation = Attestation(time: record.time, device: index)
            for name in record.flags {
                if let flag = try? symbols.catalogue.intern(observed: name) { attestation.flags.insert(flag) }
            }
            let identity = Attribute(key: ValueKey.identityKey, value: device.description)
            for attribute in record.attributes + [identity] {
                let key = symbols.attributes.key(named: attribute.key, keepingAll: true)
                attestation.set(symbols.attributes.intern(attribute.value, for: key), for: key)
            }
            let decision = engine.attest(attestation, by: record.service, symbols: symbols)
            let open = engine.possibleRules.subtracting([.joinedAnnotations])
            rules.formUnion(engine.decidedRules(of: decision, among: open, symbols: symbols))
            verdict = Verdict(
                passed: decision.passed, policy: engine.policy(of: decision).description,
                rejections: engine.rejections(of: decision, catalogue: symbols.catalogue),
                isDoubtful: !engine.unsearchedFilters(of: decision).isEmpty)
        }
        return verdict
    }
}
