/// A reason why an attestation failed (R4.5, R4.8).
package enum Rejection: Hashable, Sendable {
    /// A flag that rejects under the policy applied.
    case flag(ExactText)
    /// A rejecting filter that matched.
    case filter(ExactText)
    /// A policy that rejects everything.
    case blacklist

    private static let filterPrefix = "filter:"
    private static let blacklistName = "policy:blacklist"

    /// The cause of a name, as ``name`` gives it; whether there is such a flag or filter is for others to know.
    package init(_ name: String) {
        if name == Self.blacklistName {
            self = .blacklist
        } else if name.utf8.starts(with: Self.filterPrefix.utf8) {
            self = .filter(ExactText(String(name.dropFirst(Self.filterPrefix.count))))
        } else {
            self = .flag(ExactText(name))
        }
    }

    /// The flag's name, `filter:NAME` or `policy:blacklist`.
    package var name: String {
        switch self {
        case .flag(let flag): flag.text
        case .filter(let filter): Self.filterPrefix + filter.text
        case .blacklist: Self.blacklistName
        }
    }
}

extension Engine {
    /// The rejections of a decision: flags in catalogue order, then filters in filter order; or the policy alone.
    ///
    /// - Parameters:
    ///   - decision: A decision of this engine.
    ///   - catalogue: The flags by which it was made.
    package func causes(of decision: Decision, catalogue: FlagCatalogue) -> [Rejection] {
        if decision.isBlacklisted { return [.blacklist] }
        return catalogue.names(of: decision.rejectingFlags).map { .flag(ExactText($0)) }
            + filterNames(decision.rejectingFilters, of: decision).map { .filter(ExactText($0)) }
    }
}

/// Finds the attestations of a capture whose app's registration was removed since: they count as not registered, unless another
/// registration stands for the app too (R15.2). The observed flags show already if the app's certificate is unknown.
package struct RegistrationRemoval: Sendable {
    /// The attributes that decide.
    package let keys: [String]
    private let removed: RegistrationProgram
    private let left: RegistrationProgram
    private var attributes: AttributeTable
    private var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))

    /// - Returns: `nil` where the account removed nothing.
    package init?(_ account: Account) {
        guard !account.removedRegistrations.isEmpty else { return nil }
        var attributes = AttributeTable()
        removed = RegistrationProgram(account.removedRegistrations, attributes: &attributes)
        left = RegistrationProgram(account.registrations ?? [], attributes: &attributes)
        keys = attributes.keys.map(\.name)
        self.attributes = attributes
    }

    /// Starts an attestation without attributes.
    package mutating func begin(at time: Instant) {
        attestation.removeAttributes()
        attestation.time = time
    }

    /// Takes an attribute of the attestation.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package mutating func add(_ value: Span<UInt8>, at index: Int) {
        let key = AttributeKey(index: index)
        attestation.set(attributes.intern(value, range: 0..<value.count, for: key), for: key)
    }

    /// True if the registration of the attestation's app was removed, and no other one stands for it.
    package var isRemoved: Bool {
        removed.match(attestation, on: nil) != .none && left.match(attestation, on: nil) == .none
    }
}
