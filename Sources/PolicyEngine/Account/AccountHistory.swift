/// Which account is in force when (R1.5).
package struct AccountHistory: Sendable {
    /// The accounts, in the order of the changes that made them.
    package private(set) var revisions: [Revision]
    // Those that have other API domains than the one before; there are few.
    private var domainRevisions: [Revision]

    /// An account and when it comes into force.
    package struct Revision: Sendable {
        /// The account as changed.
        package let account: Account
        /// When the change was made; `nil` for the first one.
        package let made: Instant?
        /// When it comes into force for new attestations; `nil` for the first one.
        package let inForceFrom: Instant?

        fileprivate func isMade(by time: Instant) -> Bool { made.map { $0 <= time } ?? true }
        fileprivate func isInForce(at time: Instant) -> Bool { inForceFrom.map { $0 <= time } ?? true }
    }

    /// Starts a history with an account that is in force from the beginning of time.
    package init(_ account: Account) {
        revisions = [Revision(account: account, made: nil, inForceFrom: nil)]
        domainRevisions = revisions
    }

    /// The account with every change made so far, in force or not: what a management command sees.
    package var latest: Account { revisions[revisions.count - 1].account }

    /// Notes a change; it is in force `propagation` seconds later, that second included.
    ///
    /// - Parameters:
    ///   - account: The account after the change.
    ///   - time: When the change is made; not before the change before it.
    package mutating func change(to account: Account, at time: Instant) {
        let revision = Revision(account: account, made: time, inForceFrom: time + account.propagation)
        if account.apiDomains != latest.apiDomains || account.listsAPIDomains != latest.listsAPIDomains {
            domainRevisions.append(revision)
        }
        revisions.append(revision)
    }

    /// The account that is in force at a time.
    ///
    /// - Complexity: O(changes since then).
    package func account(inForceAt time: Instant) -> Account {
        (revisions.last { $0.isInForce(at: time) } ?? revisions[0]).account
    }

    /// The number of the revision that is in force.
    ///
    /// - Parameters:
    ///   - time: Now.
    ///   - start: A revision known to be in force by then.
    /// - Complexity: O(changes since `start`).
    package func revision(inForceAt time: Instant, from start: Int) -> Int {
        var number = start
        while number + 1 < revisions.count, let from = revisions[number + 1].inForceFrom, from <= time { number += 1 }
        return number
    }

    /// When another revision takes the place of one; `nil` for one that stays in force.
    package func end(ofRevision number: Int) -> Instant? {
        number + 1 < revisions.count ? revisions[number + 1].inForceFrom : nil
    }

    /// The access that clients have to a domain at a time: one that was added is there at once, one that was removed stays
    /// until the removal is in force (R1.5).
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - time: Any time.
    /// - Complexity: O(changes of domains × domains).
    package func access(toDomain name: String, at time: Instant) -> DomainAccess {
        let inForce = domainRevisions.lastIndex { $0.isInForce(at: time) } ?? 0
        let known = domainRevisions[inForce...].filter { $0.isMade(by: time) }
        for revision in known.reversed() {
            guard let domain = revision.account.apiDomains.first(where: { $0.isNamed(name) }) else { continue }
            return domain.type == .pinOnly ? .unprotected : .served
        }
        return domainRevisions[inForce].account.listsAPIDomains ? .unknown : .served
    }

    /// True if the backend of a domain expects tokens: if apps get any for it, by the latest change that concerns it. A domain
    /// that is removed leaves its backend as it was (R19.4).
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - time: Later changes are not looked at.
    /// - Complexity: O(changes of domains × domains).
    package func givesTokens(forDomain name: String, at time: Instant) -> Bool {
        domains(named: name, at: time).first { _ in true }.map { $0.type != .pinOnly } ?? false
    }

    /// The account by which tokens for a domain are made, and checked by its backend: the one in force. Where that has none
    /// for it, it has the domain as the latest change left it that has any: it was added since and is served at once (R1.5), or
    /// it was removed and its backend is as it was (R19.4). A domain that is added later is as it is added then. Keys are
    /// always those in force.
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - time: The time of the attestation that brings the token.
    /// - Complexity: O(changes of domains × domains).
    package func account(forTokensOf name: String, at time: Instant) -> Account {
        var account = account(inForceAt: time)
        let served = { (domain: APIDomain) in domain.type != .pinOnly }
        guard account.servedDomain(named: name) == nil,
            let domain = domains(named: name, at: time).first(where: served)
                ?? domains(named: name, at: Instant(secondsSinceEpoch: .max)).first(where: served)
        else { return account }
        account.apiDomains.removeAll { $0.isNamed(name) }
        account.apiDomains.append(domain)
        return account
    }

    /// The number of revisions that are made by a time.
    package func count(madeBy time: Instant) -> Int { (revisions.lastIndex { $0.isMade(by: time) } ?? 0) + 1 }

    // A domain as the changes left it that say something of it, in force or not, the latest first; a change that removes it
    // says nothing. An account without a list has every domain.
    private func domains(named name: String, at time: Instant) -> some Sequence<APIDomain> {
        domainRevisions.reversed().lazy.filter { $0.isMade(by: time) }.compactMap {
            $0.account.tokenDomain(named: name)
        }
    }

    /// The times at which the answer of ``access(toDomain:at:)`` can change, in rising order.
    package var domainChanges: [Instant] {
        Set(domainRevisions.flatMap { [$0.made, $0.inForceFrom].compactMap(\.self) }).sorted()
    }
}

/// The access that clients have to an API domain (R14.2).
package enum DomainAccess: Hashable, Sendable {
    /// Tokens.
    case served
    /// Pins only.
    case unprotected
    /// Nothing: it is none of the account's domains.
    case unknown
}
