/// Which account is in force when (R1.5).
package struct AccountHistory: Sendable {
    /// The accounts, in the order of the changes that made them.
    package private(set) var revisions: [Revision]
    // Those that have other API domains than the one before; there are few.
    private var domainRevisions: [DomainRevision]

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

    /// An account with other API domains, and the number of its revision; -1 is before all of them.
    private struct DomainRevision: Sendable {
        let number: Int
        let account: Account
    }

    /// A point in the order of changes. A time does not say it, since a change may be in force in the second in which it is
    /// made (R1.5).
    package struct Moment: Hashable, Sendable {
        /// The number of the revision that is in force.
        package let inForce: Int
        /// The number of revisions that are made.
        package let made: Int

        package init(inForce: Int, made: Int) { (self.inForce, self.made) = (inForce, made) }
    }

    /// Starts a history with an account that is in force from the beginning of time.
    ///
    /// - Parameter earlier: The account in whose place it is, if it is a change from the start: backends of domains that are
    ///   removed with it are as they were (R19.4).
    package init(_ account: Account, inPlaceOf earlier: Account? = nil) {
        revisions = [Revision(account: account, made: nil, inForceFrom: nil)]
        domainRevisions = [DomainRevision(number: 0, account: account)]
        if let earlier { domainRevisions.insert(DomainRevision(number: -1, account: earlier), at: 0) }
    }

    /// The account with every change made so far, in force or not: what a management command sees.
    package var latest: Account { revisions[revisions.count - 1].account }

    /// Notes a change; it is in force `propagation` seconds later, that second included.
    ///
    /// - Parameters:
    ///   - account: The account after the change.
    ///   - time: When the change is made; not before the change before it.
    package mutating func change(to account: Account, at time: Instant) {
        if account.apiDomains != latest.apiDomains || account.listsAPIDomains != latest.listsAPIDomains {
            domainRevisions.append(DomainRevision(number: revisions.count, account: account))
        }
        revisions.append(Revision(account: account, made: time, inForceFrom: time + account.propagation))
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

    /// The point that the changes have reached at a time: those of that second included.
    ///
    /// - Complexity: O(changes).
    package func moment(at time: Instant) -> Moment {
        Moment(
            inForce: revision(inForceAt: time, from: 0), made: (revisions.lastIndex { $0.isMade(by: time) } ?? 0) + 1)
    }

    /// The access that clients have to a domain: one that was added is there at once, one that was removed stays until the
    /// removal is in force (R1.5).
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - moment: The changes that are made and in force.
    /// - Complexity: O(changes of domains × domains).
    package func access(toDomain name: String, at moment: Moment) -> DomainAccess {
        let known = domains(at: moment)
        for revision in known.reversed() {
            guard let domain = revision.account.apiDomains.first(where: { $0.isNamed(name) }) else { continue }
            return domain.type == .pinOnly ? .unprotected : .served
        }
        return known.first?.account.listsAPIDomains == true ? .unknown : .served
    }

    /// True if clients have the same access to every domain at two moments.
    package func hasSameAccess(at first: Moment, _ second: Moment) -> Bool {
        if domainRevisions.count == 1 || first == second { return true }
        let (one, other) = (domains(at: first), domains(at: second))
        return one.startIndex == other.startIndex && one.endIndex == other.endIndex
    }

    // The account that is in force, as far as domains go, and those that are made and not in force yet.
    private func domains(at moment: Moment) -> ArraySlice<DomainRevision> {
        let inForce = domainRevisions.lastIndex { $0.number <= moment.inForce } ?? 0
        return domainRevisions[inForce...].prefix { $0.number < moment.made }
    }

    /// True if the backend of a domain expects tokens: if apps get any for it, by the latest change that concerns it. A domain
    /// that is removed leaves its backend as it was (R19.4).
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - moment: Later changes are not looked at.
    /// - Complexity: O(changes of domains × domains).
    package func givesTokens(forDomain name: String, at moment: Moment) -> Bool {
        domains(named: name, made: moment.made).first { _ in true }.map { $0.type != .pinOnly } ?? false
    }

    /// The account by which tokens for a domain are made, and checked by its backend: the one in force. Where that has none
    /// for it, it has the domain as the latest change left it that has any: it was added since and is served at once (R1.5), or
    /// it was removed and its backend is as it was (R19.4). A domain that is added later is as it is added then. Keys are
    /// always those in force.
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - moment: The moment of the attestation that brings the token.
    /// - Complexity: O(changes of domains × domains).
    package func account(forTokensOf name: String, at moment: Moment) -> Account {
        var account = revisions[moment.inForce].account
        let served = { (domain: APIDomain) in domain.type != .pinOnly }
        guard account.servedDomain(named: name) == nil,
            let domain = domains(named: name, made: moment.made).first(where: served)
                ?? domains(named: name, made: .max).first(where: served)
        else { return account }
        account.apiDomains.removeAll { $0.isNamed(name) }
        account.apiDomains.append(domain)
        return account
    }

    // A domain as the changes left it that say something of it, in force or not, the latest first; a change that removes it
    // says nothing. An account without a list has every domain.
    private func domains(named name: String, made count: Int) -> some Sequence<APIDomain> {
        domainRevisions.reversed().lazy.filter { $0.number < count }.compactMap {
            $0.account.tokenDomain(named: name)
        }
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
