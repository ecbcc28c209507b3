import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Warnings about parts of an account that are legal and probably not meant (R3.2, R4.4, R5.4, R7.3, R7.4).
@Suite struct AccountWarningTests {
    typealias Row = AccountErrorTests.Row

    private static let pseudo = "++FilteredSecPolicy++w=="

    private static func hidden(_ base: String) -> String {
        "a custom policy made from `\(base)` keeps its hidden attributes"
    }

    static let rows = [
        Row(
            "every flag on a whole account", "policy: ①default,default,all\n",
            "① the annotation policy `all` on a whole account tells attackers why they are rejected"),
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
            "① the filtered policy has no effect, because the account has the same rules, `default`"),
        Row(
            "filtered policy of unknown rules", "devices: [{id: ①\(pseudo), policy: 'alt-rules,default,default'}]\n",
            "① the filtered policy has no effect, because the account does not declare its rules `alt-rules`"),
        Row(
            "filtered policy of declared rules",
            "rules: [alt-rules]\ndevices: [{id: \(pseudo), policy: 'alt-rules,default,default'}]\n"),
        Row(
            "devicecheck without a key", "devicecheck: ①{bits: bit0}\n",
            "① `devicecheck` without `key-id` is off until a key is added"),
        Row("devicecheck with a key", "devicecheck: {bits: bit0, key-id: K}\n"),
        Row(
            "pinning test URL that is none", "pinning-test-url: ①http://mydomain.com\n",
            "① the pinning test URL `http://mydomain.com` is not a full URL with `https`"),
        Row("pinning test URL", "pinning-test-url: https://mydomain.com:443\n"),
        Row("pseudo device without a policy", "devices: [{id: \(pseudo), probe-url: https://a.b}]\n"),
        Row(
            "missing input",
            "filters:\n  - {name: myip, key: ip, match: x}\n  - {name: ①both, conjunction: [myp, zzzzzz, myip]}\n",
            "① input `myp` of conjunction `both` is not a filter, so the conjunction never matches; hint: did you mean `myip`?",
            "① input `zzzzzz` of conjunction `both` is not a filter, so the conjunction never matches"),
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

extension AccountErrorTests {
    static let services = [
        Row("two teams", "team: A\ndevicecheck: {team-id: ①B, key-id: K}\n", "① `team-id` is `B`, but `team` is `A`"),
        Row("devicecheck as text", "devicecheck: ①on\n", "① `devicecheck` must be a mapping, not text"),
        Row(
            "bits", "devicecheck: {key-id: K, bits: ①bit2}\n",
            "① `bits` must be `none`, `bit0`, `bit1` or `both`, not `bit2`; hint: did you mean `bit0`?"),
        Row(
            "expiry", "devicecheck: {key-id: K, expiry: ①0}\n",
            "① `expiry` must be a whole number from 1 to 1200, not `0`"),
        Row("key of devicecheck", "devicecheck: {key-id: K, ①key: x}\n", "① unknown key `key` in `devicecheck`"),
        Row(
            "quota", "safetynet: {api-key: x, daily-quota: ①-1}\n",
            "① `daily-quota` must be a whole number from 0 to 1000000000, not `-1`"),
        Row(
            "eleven certificates",
            "app-signing-certs: ["
                + (10...19).map { "\"00:11:22:33:44:55:66:\($0)\", " }.joined() + "①\"00:11:22:33:44:55:66:20\"]\n",
            "① app signing certificate `00:11:22:33:44:55:66:20` is one too many; an account has at most 10"),
        Row(
            "certificate that is none", "app-signing-certs: [①\"C0:F3:15:9B\"]\n",
            "① `C0:F3:15:9B` is not a fingerprint; it has eight bytes such as `C0:F3:15:9B:A5:6C:A8:E1`"),
        Row(
            "certificate without a fingerprint", "app-signing-certs: [①{subject: CN=a}]\n",
            "① `fingerprint` is missing from a certificate"),
        Row(
            "expiry of a certificate",
            "app-signing-certs: [{fingerprint: 'C0:F3:15:9B:A5:6C:A8:E1', expiry: ①2041-05-21}]\n",
            Problem(
                "①", "`expiry` must be an instant such as `2020-07-23T00:00:00Z`, not `2041-05-21`",
                hint: "write `2041-05-21T00:00:00Z`")),
        Row("pinning test URL", "pinning-test-url: ①''\n", "① `pinning-test-url` must not be empty"),
        Row(
            "certificate twice", "app-signing-certs: [\"C0:F3:15:9B:A5:6C:A8:E1\", ①\"c0:f3:15:9b:a5:6c:a8:e1\"]\n",
            "① app signing certificate `C0:F3:15:9B:A5:6C:A8:E1` exists already"),
        Row(
            "registration without a signature", "registrations: [①{appid: a}]\n",
            "① `app-sig` is missing from a registration"),
        Row(
            "expiry of a registration", "registrations: [{app-sig: a, appid: b, expiry: ①2020-07-23}]\n",
            Problem(
                "①", "`expiry` must be an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`",
                hint: "write `2020-07-23T00:00:00Z`")),
        Row(
            "two ends of a registration",
            "registrations: [{app-sig: a, appid: b, expires: 2020-07-23T00:00:00Z, expiry: ①2020-07-23T00:00:00Z}]\n",
            "① `expires` and `expiry` mean the same; give only one of them"),
        Row(
            "feature twice", "features: [measurement, custom-jwt, ①measurement]\n",
            "① feature `measurement` exists already"),
        Row(
            "251 registrations",
            "registrations: [" + Array(repeating: "{app-sig: a, appid: b}, ", count: 250).joined()
                + "①{app-sig: c, appid: d, app-version: 2.0(3), sdk: 2974}]\n",
            "① registration `cd-2.0[3]-2974` is one too many; an account has at most 250"),
        Row("domain twice", "apis: [{domain: a}, {domain: ①a}]\n", "① API domain `a` exists already"),
        Row("no domain", "apis: [①{type: account}]\n", "① `domain` is missing from an API domain"),
        Row(
            "type of a domain", "apis: [{domain: a, type: ①keysets}]\n",
            Problem(
                "①", "`type` must be `account`, `keyset`, `restricted` or `pinOnly`, not `keysets`",
                hint: didYouMean("keyset"))),
        Row(
            "26 domains", "apis: [" + (1...25).map { "{domain: d\($0)}, " }.joined() + "{domain: ①d26}]\n",
            "① API domain `d26` is one too many; an account has at most 25"),
        Row(
            "domain that is none", "apis: [{domain: ①a.b/c}]\n",
            "① `a.b/c` is not a domain; it has letters, digits, `-` and `.` only"),
        Row(
            "eleven pins", "apis: [{domain: a, pins: ①[a, b, c, d, e, f, g, h, i, j, k]}]\n",
            "① 11 pins of one domain; there can be at most 10"),
        Row(
            "port", "apis: [{domain: a, monitor-port: ①65536}]\n",
            "① `monitor-port` must be a whole number from 1 to 65535, not `65536`"),
        Row("keys", "keys: ①[]\n", "① `keys` must be text, not a list"),
    ]
}
