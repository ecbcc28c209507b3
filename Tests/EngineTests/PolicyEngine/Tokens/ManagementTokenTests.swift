import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Management tokens: whose they are, until when they give access, and what they are not.
@Suite struct ManagementTokenTests {
    private static let start = Instant(secondsSinceEpoch: 1_577_836_800)

    private static func account(_ change: (inout Account) throws -> Void = { _ in }) throws -> (Account, UserRole) {
        var account = Account(name: "myaccount")
        account.keys.accountSecret = Secret((0..<64).map { UInt8($0) })
        let user = try account.addUser(
            .init(kind: .dev, email: "bob@a.com", name: "Bob", lifetime: 86_400, isPasswordProtected: true),
            at: start, by: nil, from: .seeded("a"))
        try change(&account)
        return (account, user)
    }

    private static func found(_ token: String, _ account: Account, after seconds: Int = 0) -> Result<
        String, AccessError
    > {
        Result { () throws(AccessError) in
            try ManagementToken.user(of: token, account: account, at: start + seconds).name
        }
    }

    @Test("R24.2 a role has no password unless one is set") func password() throws {
        let expiry = Self.start + 1
        let role = try UserRole(id: "dev-0001", email: "bob@a.com", name: "Bob", expiry: expiry)
        #expect(!role.isPasswordProtected && !role.isPrimary)
        let other = try UserRole(
            id: "dev-0001", email: "bob@a.com", name: "Bob", expiry: expiry, isPasswordProtected: true)
        #expect(other.isPasswordProtected && !other.isPrimary)
    }

    @Test("R24.2 a token is its user's, R24.3 and carries the name") func access() throws {
        let (account, user) = try Self.account()
        let token = ManagementToken.text(of: user, account: account)
        expect(Self.found(token, account), equals: .success("Bob"))
        let payload = try #require(Base64.bytes(of: token.split(separator: ".")[1].utf8.map(\.self)[...]))
        expect(
            String(decoding: payload, as: UTF8.self),
            equals: #"{"account":"myaccount","exp":1577923200,"iat":1577836800,"jti":"\#(user.id)","name":"Bob"}"#)
    }

    /// When a role ended, and after how many seconds it is refused, with the account's propagation.
    static let ends: [(revoked: Int?, propagation: Int, last: Int)] = [
        (100, 30, 129), (100, 0, 99), (100, 60, 159), (nil, 30, 86_399), (nil, 0, 86_399),
        // Revoked so late that it expires before that is in force.
        (86_390, 30, 86_399),
    ]

    @Test("R24.2 a revoked role is refused from 30 s after, and an expired one at once", arguments: ends)
    func refusal(row: (revoked: Int?, propagation: Int, last: Int)) throws {
        let (account, user) = try Self.account { account in
            account.propagation = row.propagation
            if let revoked = row.revoked {
                _ = try account.revokeUser(account.users?.first?.id ?? "", at: Self.start + revoked)
            }
        }
        let token = ManagementToken.text(of: user, account: account)
        expect(Self.found(token, account, after: row.last), equals: .success("Bob"))
        expect(Self.found(token, account, after: row.last + 1), equals: .failure(.ended))
    }

    @Test("R24.2 a token of another account, another key, another role, or of nobody is none") func others() throws {
        let (account, user) = try Self.account()
        let token = ManagementToken.text(of: user, account: account)
        var changed = account
        changed.keys.accountSecret = Secret((0..<64).map { UInt8($0 + 1) })
        expect(Self.found(token, changed), equals: .failure(.invalid))
        var renamed = account
        renamed.name = "other"
        expect(Self.found(token, renamed), equals: .failure(.invalid))
        var emptied = account
        emptied.users = []
        expect(Self.found(token, emptied), equals: .failure(.ended))
        // The ID was given again, to somebody else.
        var given = account
        given.users = [try UserRole(id: user.id, email: "a@b", name: "Al", added: Self.start + 1, expiry: user.expiry)]
        expect(Self.found(token, given), equals: .failure(.ended))
        for text in ["", ".", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", String(token.dropLast()), token + "A"] {
            expect(Self.found(text, account), equals: .failure(.invalid), "\(text)")
        }
    }

    // Neither is taken for the other: backends have the account's secret.
    @Test("R24.2 no backend takes a management token, and no token of the service gives access") func otherKey() throws
    {
        let (account, user) = try Self.account()
        let token = ManagementToken.text(of: user, account: account)
        #expect(throws: TokenError.wrongSignature) {
            try TokenVerifier(key: account.signingKey).claims(of: token, at: Self.start)
        }
        #expect(try !TokenCheck(token, account: account, at: Self.start).passed)
        let claims = Array(#"{"account":"myaccount","exp":1577923200,"iat":1577836800,"jti":"\#(user.id)"}"#.utf8)
        let forged = try TokenSigner(key: account.signingKey).token(claims)
        expect(Self.found(forged, account), equals: .failure(.invalid))
    }

    @Test("R24.2 errors hold nothing of a token") func errors() throws {
        expect("\(AccessError.invalid)", equals: "that is not a management token of the account")
        expect("\(AccessError.ended)", equals: "Forbidden, while getting management token status")
    }
}
