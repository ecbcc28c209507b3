import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Accounts that list registrations (R15).
@Suite struct RegistrationAccountTests {
    @Test("formats: every field is read") func fields() throws {
        let account = try AccountText.account(
            """
            registrations:
              - app-sig: Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=
                appid: com.criticalblue.demo
                app-version: 2.0[3]
                sdk: "2974"
                label: special
                added: 2019-05-15T18:03:17Z
                expiry: 2019-05-18T18:03:17Z
              - {app-sig: S=, appid: a, sdk: iOS(2.5.0)}
            """)
        let added: Instant = try #require(Instant(rfc3339: "2019-05-15T18:03:17Z"))
        expect(
            account.registrations,
            equals: [
                Registration(
                    signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "com.criticalblue.demo",
                    version: "2.0(3)", libraryID: "2974", label: "special", added: added, expiry: added + 3 * 86_400),
                Registration(signature: "S=", package: "a", sdk: "iOS(2.5.0)"),
            ])
        expect(
            account.registrations?.map(\.overallSignature),
            equals: [
                "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974", "S=a-*",
            ])
    }

    @Test("R16 250 registrations, and not 251") func limit() throws {
        let list = (1...250).map { "- {app-sig: S\($0)=, appid: a}\n" }.joined()
        try expect(AccountText.account("registrations:\n\(list)").registrations?.count, equals: 250)
        let marked = MarkedText("registrations:\n\(list)- ①{app-sig: S251=, appid: a}\n- {app-sig: S252=, appid: a}\n")
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(account?.name == nil)
        expect(
            MarkedText.found(diagnostics),
            equals: marked.expected([
                "① registration `S251=a-*` is one too many; an account has at most 250"
            ]))
    }
}
