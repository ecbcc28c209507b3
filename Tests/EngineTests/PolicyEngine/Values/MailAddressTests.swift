import PolicyEngine
import Testing

@testable import TestSupport

/// The addresses that user roles can have (R24.2).
@Suite struct MailAddressTests {
    private static let long = String(repeating: "a", count: 248)

    static let rows = [
        Case("an address", "bob@a.com", gives: true), Case("the shortest", "a@b", gives: true),
        Case("signs that separate nothing", "o'bob+x!#$@a-b.com", gives: true),
        Case("254 bytes", "\(long)@b.com", gives: true), Case("255 bytes", "a\(long)@b.com", gives: false),
        Case("no sign between", "bob.a.com", gives: false), Case("two of them", "bob@a@com", gives: false),
        Case("nobody", "@a.com", gives: false), Case("nowhere", "bob@", gives: false),
        Case("a space", "b b@a.com", gives: false), Case("a control character", "b\u{7}b@a.com", gives: false),
        Case("a letter beyond ASCII", "böb@a.com", gives: false), Case("two addresses", "a,bob@a.com", gives: false),
        Case("brackets", "<bob@a.com>", gives: false), Case("quotes", "\"bob\"@a.com", gives: false),
    ]

    @Test("R24.2 a text is an address, or it is not", arguments: rows) func addresses(_ row: Case<String, Bool>) {
        expect(MailAddress.isAddress(row.input), equals: row.expected)
    }

    @Test func theUserIsBeforeTheSign() { expect(MailAddress.user(of: "bob@a.com"), equals: "bob") }
}
