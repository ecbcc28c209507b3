/// Matches the attributes of attestations against the filters of one account.
///
/// A value; for one thread at a time.
package struct AttributeMatcher: Sendable {
    private var columns: [FilterColumn] = []
    // The registrations that were removed, and those that are left, if captures are evaluated and any was removed (R15.2).
    private let removal: (removed: RegistrationProgram, left: RegistrationProgram)?

    /// Makes a matcher.
    ///
    /// - Parameters:
    ///   - source: The origin of the attestations.
    ///   - attributes: The numbering of their attributes; takes the keys that the account names.
    package init(_ account: Account, source: AttestationSource, attributes: inout AttributeTable) {
        for (key, tests) in FilterTest.ofAttributes(among: account.filters) {
            let index = attributes.key(named: key)
            let exacts = tests.compactMap(\.exactValue)
            if exacts.count == tests.count { attributes.narrow(index, to: exacts) } else { attributes.widen(index) }
            columns.append(FilterColumn(key: index, tests: tests))
        }
        guard source == .capture, !account.removedRegistrations.isEmpty else {
            removal = nil
            return
        }
        removal = (
            RegistrationProgram(account.removedRegistrations, attributes: &attributes),
            RegistrationProgram(account.registrations ?? [], attributes: &attributes)
        )
    }

    /// Matches the attributes of an attestation.
    ///
    /// - Parameters:
    ///   - attributes: The numbering of its attributes.
    ///   - matcher: Runs the patterns.
    /// - Complexity: O(attributes with filters) once their values were seen; allocates nothing then.
    package mutating func match(
        _ attestation: borrowing Attestation, in attributes: borrowing AttributeTable, matcher: PatternMatcher
    ) -> AttributeMatches {
        var match = FilterMatch.none
        for index in columns.indices {
            let value = attestation.value(of: columns[index].key)
            match = match.union(columns[index].match(value, in: attributes, matcher: matcher))
        }
        return AttributeMatches(match: match, isRemoved: isRemoved(attestation))
    }

    /// The matches of an attestation that the failover answers: registrations alone, without filters (R14.3).
    package func matchOfRegistrations(_ attestation: borrowing Attestation) -> AttributeMatches {
        .none.removed(isRemoved(attestation))
    }

    // R15.2: a removed registration counts as none, unless another one stands for the app too. The observed flags show already
    // if the app's certificate is unknown.
    private func isRemoved(_ attestation: borrowing Attestation) -> Bool {
        guard let removal, removal.removed.match(attestation, on: nil) != .none else { return false }
        return removal.left.match(attestation, on: nil) == .none
    }
}

/// The result of matching the attributes of an attestation under one account, whatever its device did before.
///
/// It can be found out anywhere, at any time, and is then handed to the engine that knows the device.
@usableFromInline
package struct AttributeMatches: Hashable, Sendable {
    /// The matches of the ordinary filters on attributes (R7.2).
    @usableFromInline let match: FilterMatch
    /// True if the app's registration was removed (R15.2).
    @usableFromInline package let isRemoved: Bool

    @inlinable
    init(match: FilterMatch, isRemoved: Bool) {
        (self.match, self.isRemoved) = (match, isRemoved)
    }

    /// - Parameters:
    ///   - matched: The filters that match, by their indices.
    ///   - limitHits: The filters whose search was given up (R7.2).
    ///   - isRemoved: True if the app's registration was removed (R15.2).
    @inlinable
    package init(matched: FilterSet, limitHits: FilterSet, isRemoved: Bool) {
        self.init(match: FilterMatch(matched: matched, limitHits: limitHits), isRemoved: isRemoved)
    }

    /// The filters that match, by their indices.
    @inlinable package var matched: FilterSet { match.matched }

    /// The filters whose search was given up (R7.2).
    @inlinable package var limitHits: FilterSet { match.limitHits }

    /// Of attributes that nothing is found in.
    @inlinable package static var none: AttributeMatches { AttributeMatches(match: .none, isRemoved: false) }

    /// The match of one filter alone, by its index.
    package static func filter(_ index: Int) -> AttributeMatches {
        var match = FilterMatch.none
        match.matched.insert(index)
        return AttributeMatches(match: match, isRemoved: false)
    }

    /// True if a filter matches, by its index.
    package func contains(filter index: Int) -> Bool { match.matched.contains(index) }

    /// Bits that differ for most different matches, for hashing.
    @inlinable package var mixedBits: UInt64 {
        UInt64(match.matched.bits) << 32 ^ UInt64(match.limitHits.bits) << 1 ^ (isRemoved ? 1 : 0)
    }

    /// True if some search was given up (R7.2).
    @inlinable package var hasLimitHits: Bool { !match.limitHits.isEmpty }

    /// The matches of either.
    @inlinable package func union(_ other: AttributeMatches) -> AttributeMatches {
        AttributeMatches(match: match.union(other.match), isRemoved: isRemoved || other.isRemoved)
    }

    /// The same of an app whose registration was removed, or was not.
    @inlinable package func removed(_ isRemoved: Bool) -> AttributeMatches {
        AttributeMatches(match: match, isRemoved: isRemoved)
    }
}
