/// The access of one user to an account, in one role (R24.2).
package struct UserRole: Hashable, Sendable {
    /// The name of the access: its kind and four digits, such as `dev-1234`.
    package var id = ""
    /// To whom mail about it goes.
    @ByteExact package var email = ""
    /// The name that device entries, registrations and management tokens record (R24.3).
    @ByteExact package var name = ""
    /// When it was added; `nil` where that is not known.
    package var added: Instant?
    /// From when on it has ended.
    package var expiry = Instant(secondsSinceEpoch: 0)
    /// True if the service would ask for a password.
    package var isPasswordProtected = false
    /// True if it came with the account, so that no command revokes it.
    package var isPrimary = false
    /// When it was revoked; `nil` for one that was not.
    package var revoked: Instant?

    /// The rights of a user (manual, User Roles).
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// All that development needs, and nothing that could lock out a whole account.
        case dev
        /// Everything.
        case admin
        /// Whoever develops an app for the account of another.
        case delegate
        /// A machine that builds and registers apps.
        case automation
    }

    /// Makes one of which nothing is said yet.
    package init() {}

    /// Makes one that an account can list.
    ///
    /// - Throws: ``UserError/invalidID``, ``UserError/invalidEmail(_:)``, ``UserError/invalidName``.
    package init(
        id: String, email: String, name: String, added: Instant? = nil, expiry: Instant,
        isPasswordProtected: Bool = false, isPrimary: Bool = false, revoked: Instant? = nil
    ) throws(UserError) {
        (self.id, self.email, self.name, self.added, self.expiry) = (id, email, name, added, expiry)
        (self.isPasswordProtected, self.isPrimary, self.revoked) = (isPasswordProtected, isPrimary, revoked)
        try check()
    }

    /// Checks that an account can list it.
    func check() throws(UserError) {
        guard Self.kind(ofID: id) != nil else { throw .invalidID }
        guard MailAddress.isAddress(email) else { throw .invalidEmail(email) }
        guard Self.isName(name) else { throw .invalidName }
    }

    /// The rights of the user, from the ID.
    package var kind: Kind { Self.kind(ofID: id) ?? .automation }

    /// True if the role is live: neither expired nor revoked.
    package func isLive(at time: Instant) -> Bool { revoked == nil && time < expiry }

    /// True if commands with it are refused: it has expired, or was revoked at least `propagation` seconds ago (R24.2).
    ///
    /// - Parameters:
    ///   - time: Now.
    ///   - propagation: Seconds from a change until it is in force (R1.5); no change makes a role expire.
    package func isRefused(at time: Instant, propagation: Int) -> Bool {
        expiry <= time || revoked.map { $0 + propagation <= time } ?? false
    }

    /// The kind that an ID begins with; `nil` for what is no ID.
    package static func kind(ofID text: String) -> Kind? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == digits, parts[1].utf8.allSatisfy(\.isDigit) else { return nil }
        return Kind(rawValue: String(parts[0]))
    }

    /// The digits of an ID.
    static let digits = 4

    /// The ID of a kind and a number.
    static func id(_ kind: Kind, _ number: Int) -> String { "\(kind.rawValue)-\(number.zeroPadded(to: digits))" }

    /// True if a text can name a user: 1 to 64 characters on one line.
    package static func isName(_ text: String) -> Bool {
        1...64 ~= text.count && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

/// Addresses of mail.
package enum MailAddress {
    /// True if a text can be an address: something on both sides of one `@`, without spaces and signs that separate addresses.
    ///
    /// - Complexity: O(length).
    package static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !separators.contains($0) }
    }

    /// The part before the `@`.
    package static func user(of address: String) -> String { String(address.prefix { $0 != "@" }) }

    private static let separators = Set(#",;:<>()[]"\"#.utf8)
}

/// Why the users of an account cannot be changed.
package enum UserError: Error, Hashable, Sendable {
    /// Something else than a kind and four digits. It is not named: it may be a secret in the wrong place.
    case invalidID
    /// A text that cannot be an address.
    case invalidEmail(String)
    /// Empty, too long, or of several lines.
    case invalidName
    /// An ID that is listed already.
    case duplicate(String)
    /// It would be the 26th that is live (R24.2).
    case limitReached
    /// The adder's access ends before.
    case outlivesAdder(Instant)
    /// No user has that ID.
    case unknown(String, known: [String])
    /// It came with the account.
    case primary(String)
    /// It was revoked, or has expired.
    case ended(String)
    /// Every number of the kind was given.
    case noNumberLeft
}

extension UserError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    package var description: String {
        switch self {
        case .invalidID: "that is not the ID of a user role, such as `dev-1234`"
        case .invalidEmail(let text): "`\(text)` is not an email address"
        case .invalidName: "the name of a user has 1 to 64 characters on one line"
        case .duplicate(let id): "user role `\(id)` exists already"
        case .limitReached:
            "there are \(AccountLimits.liveUsers) live user roles, and an account has at most \(AccountLimits.liveUsers)"
        case .outlivesAdder(let end): "the role would end after the one that it is added with, at \(end.dateAndTime)"
        case .unknown(let id, _): "there is no user role `\(id)`"
        case .primary(let id): "user role `\(id)` came with the account, and no command revokes it"
        case .ended(let id): "user role `\(id)` is revoked or expired"
        case .noNumberLeft: "every number of such a user role was given"
        }
    }
}
