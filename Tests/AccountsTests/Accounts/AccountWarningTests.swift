import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Warnings about parts of an account that are legal and probably not meant (R3.2, R4.4, R5.4, R7.3, R7.4).
@Suite struct AccountWarningTests {
    struct Row: LabelledRow {
        let name, text: String
        let problems: [Problem]

        init(_ name: String, _ text: String, _ problems: Problem...) {
            (self.name, self.text, self.problems) = (name, text, problems)
        }
    }

    private static let pseudo = "++FilteredSecPolicy++w=="

    private static func hidden(_ base: String) -> String {
        "a custom policy made from `\(base)` keeps its hidden attributes"
    }

    static let rows = [
        Row(
            "every flag on a whole account", "policy: ①default,default,all\n",
            Problem("①", "the annotation policy `all` on a whole account tells attackers why they are rejected")),
        Row("every flag on one device", "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, policy: 'default,default,all'}]\n"),
        Row(
            "custom from whitelist", "policy: default,whitelist,default\nreject-flags: ①{add: [rooted]}\n",
            Problem("①", hidden("whitelist"))),
        Row(
            "custom from blacklist", "policy: default,blacklist,default\nreject-flags: ①{remove: [rooted]}\n",
            Problem("①", hidden("blacklist"))),
        Row("custom from strict", "policy: default,strict,default\nreject-flags: {remove: [rooted]}\n"),
        Row(
            "custom by an edit that changes nothing", "policy: default,whitelist,default\nreject-flags: ①{}\n",
            Problem("①", hidden("whitelist"))),
        Row(
            "filtered policy of the same rules", "devices: [{id: ①\(pseudo), policy: 'default,blacklist,default'}]\n",
            Problem("①", "the filtered policy has no effect, because its rules `default` are the account's too")),
        Row(
            "filtered policy of unknown rules", "devices: [{id: ①\(pseudo), policy: 'alt-rules,default,default'}]\n",
            Problem(
                "①", "the filtered policy has no effect, because the account does not declare its rules `alt-rules`")),
        Row(
            "filtered policy of declared rules",
            "rules: [alt-rules]\ndevices: [{id: \(pseudo), policy: 'alt-rules,default,default'}]\n"),
        Row(
            "pinning test URL that is none", "pinning-test-url: ①http://mydomain.com\n",
            Problem("①", "the pinning test URL `http://mydomain.com` is not a full URL with `https`")),
        Row("pinning test URL", "pinning-test-url: https://mydomain.com:443\n"),
        Row("pseudo device without a policy", "devices: [{id: \(pseudo), probe-url: https://a.b}]\n"),
        Row(
            "missing input",
            "filters:\n  - {name: myip, key: ip, match: x}\n  - {name: ①both, conjunction: [myp, zzzzzz, myip]}\n",
            Problem(
                "①", "input `myp` of conjunction `both` is no filter; it never matches", hint: "did you mean `myip`?"),
            Problem("①", "input `zzzzzz` of conjunction `both` is no filter; it never matches")),
        Row(
            "input that comes later",
            "filters:\n  - {name: both, conjunction: [myip]}\n  - {name: myip, key: ip, match: x}\n"),
    ]

    @Test(arguments: rows) func isWarnedAboutAndRead(_ row: Row) {
        let marked = MarkedText(row.text)
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(MarkedText.found(diagnostics) == marked.expected(row.problems))
        #expect(diagnostics.all.allSatisfy { $0.severity == .warning })
        #expect(account?.name == "account")
    }
}
