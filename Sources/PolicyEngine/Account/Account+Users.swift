extension Account {
    /// Makes the account one that lists its user roles; with none in the list nobody has access but by `--role`
    /// (R24.2).
    package mutating func listUsers() { users = users ?? [] }

    /// Adds a user role as it is, as an account file does.
    ///
    /// - Throws: ``UserError/duplicate(_:)``, and the errors of a role that cannot be.
    package mutating func append(_ user: UserRole) throws(UserError) {
        try user.check()
        let known = users ?? []
        guard !known.contains(where: { $0.id == user.id }) else { throw .duplicate(user.id) }
        users = known + [user]
    }

    /// The properties of a new user role.
    package struct UserAddition: Hashable, Sendable {
        package let kind: UserRole.Kind
        package let email: String
        package let name: String
        /// Seconds until it ends; `nil` is as long as the adder's.
        package let lifetime: Int?
        package let isPasswordProtected: Bool

        package init(
            kind: UserRole.Kind, email: String, name: String, lifetime: Int?, isPasswordProtected: Bool
        ) {
            (self.kind, self.email, self.name) = (kind, email, name)
            (self.lifetime, self.isPasswordProtected) = (lifetime, isPasswordProtected)
        }
    }

    /// Adds a user role, as the command does (R24.2).
    ///
    /// - Parameters:
    ///   - addition: The role to add.
    ///   - time: Now.
    ///   - adder: The role with which it is added; `nil` takes the listed admin role that ends last, and a year where
    ///     none is listed.
    ///   - chance: Draws the digits of its ID, which no role had before.
    /// - Returns: The role.
    package mutating func addUser(
        _ addition: UserAddition, at time: Instant, by adder: UserRole?, from chance: KeyChance
    ) throws(UserError) -> UserRole {
        let known = users ?? []
        guard known.count(where: { $0.isLive(at: time) }) < AccountLimits.liveUsers else { throw .limitReached }
        let admins = known.filter { $0.kind == .admin && $0.isLive(at: time) }.map(\.expiry)
        let latest = adder?.expiry ?? admins.max()
        let expiry = addition.lifetime.map { time + $0 } ?? latest ?? time + Self.usualAccess
        if let latest, expiry > latest { throw .outlivesAdder(latest) }
        let user = try UserRole(
            id: try newUserID(addition.kind, from: chance), email: addition.email, name: addition.name, added: time,
            expiry: expiry, isPasswordProtected: addition.isPasswordProtected)
        try append(user)
        return user
    }

    // Seconds that a role lasts where nothing else limits it: a year.
    private static let usualAccess = 365 * Instant.secondsPerDay

    // From a drawn number on, the first that none of the kind ever had.
    private func newUserID(_ kind: UserRole.Kind, from chance: KeyChance) throws(UserError) -> String {
        let taken = Set((users ?? []).map(\.id))
        let drawn = chance.bytes(8, for: "user-\(kind.rawValue)").reduce(0) { ($0 * 256 + Int($1)) % Self.userNumbers }
        for step in 0..<Self.userNumbers {
            let id = UserRole.id(kind, (drawn + step) % Self.userNumbers)
            if !taken.contains(id) { return id }
        }
        throw .noNumberLeft
    }

    private static let userNumbers = 10_000

    /// The user role of an ID.
    ///
    /// - Throws: ``UserError/invalidID``, ``UserError/unknown(_:known:)``.
    package func user(_ id: String) throws(UserError) -> UserRole {
        guard UserRole.kind(ofID: id) != nil else { throw .invalidID }
        if let user = users?.first(where: { $0.id == id }) { return user }
        throw .unknown(id, known: (users ?? []).map(\.id))
    }

    /// The user role of an ID, which has neither expired nor been revoked.
    ///
    /// - Throws: ``UserError/ended(_:)`` beside those of ``user(_:)``.
    package func liveUser(_ id: String, at time: Instant) throws(UserError) -> UserRole {
        let user = try user(id)
        guard user.isLive(at: time) else { throw .ended(id) }
        return user
    }

    /// Revokes a user role; it stays in the list, so that its ID is never given again.
    ///
    /// - Returns: The role as it was.
    package mutating func revokeUser(_ id: String, at time: Instant) throws(UserError) -> UserRole {
        let user = try liveUser(id, at: time)
        guard !user.isPrimary else { throw .primary(id) }
        if let index = users?.firstIndex(of: user) { users?[index].revoked = time }
        return user
    }
}
