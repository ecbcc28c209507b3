import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Mistakes in an account are reported at their positions (formats; cli: diagnostics).
@Suite struct AccountErrorTests {
    struct Row: LabelledRow {
        let name, text: String
        let problems: [Problem]

        init(_ name: String, _ text: String, _ problems: Problem...) {
            (self.name, self.text, self.problems) = (name, text, problems)
        }
    }

    static func didYouMean(_ name: String) -> String { "did you mean `\(name)`?" }

    static let rejections =
        "`default`, `strict`, `allow-cloned`, `allow-xposed`, `allow-root`, `allow-root-and-jailbroken`, "
        + "`allow-root-and-jailbroken-only`, `allow-raj-only-short-lifetime`, `whitelist`, `blacklist`"
    static let annotations = "there are `default`, `info`, `risk`, `all`, and flags joined by `+`"
    static let deviceID = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    static let flagName = "is not a flag name; use 1 to 64 lower-case letters, digits and `-`"
    static let filterName = "is not a filter name; use 1 to 20 lower-case letters, digits and `-`"
    static let regex = #"write `\` before a special character to match it literally, as in `1\.2\.3\.4`"#
    static let declare = "an account can declare it under `flags`"

    static let document = [
        Row("empty file", "①", "① the account is empty"),
        Row("comment alone", "①# nothing\n", "① the account is empty"),
        Row("a list", "①- a\n", "① the account must be a mapping, not a list"),
        Row("text", "①x\n", "① the account must be a mapping, not text"),
        Row(
            "mistyped key", "①polcy: default,default,default\n",
            "① unknown key `polcy` in the account; hint: did you mean `policy`?"),
        Row("key of nothing near", "①zzzzzz: 1\n", "① unknown key `zzzzzz` in the account"),
        Row("a key twice", "arc: on\n①arc: on\n", "① key `arc` is already given in line 1"),
        Row("empty name", "account: ①''\n", "① `account` must not be empty"),
        Row("list as a name", "account: ①[a]\n", "① `account` must be text, not a list"),
        Row(
            "nesting of 100 levels",
            "filters: " + String(repeating: "[", count: 63) + "①" + String(repeating: "[", count: 37)
                + String(repeating: "]", count: 100) + "\n",
            "① nesting is deeper than 64 levels; hint: is a bracket left open?"),
        Row("broken YAML", "filters: ①[a\n", "① the list that starts here never ends"),
        Row(
            "a scenario", "①scenario: s\naccount: {policy: x}\nsteps: []\n",
            Problem(
                "①", "this is a scenario, not an account",
                hint: "move the value of its key `account` into a separate file that both can use")),
        Row("a key of scenarios alone", "①scenario: s\n", "① unknown key `scenario` in the account"),
    ]

    static let policies = [
        Row(
            "two parts", "policy: ①default,default\n",
            Problem(
                "①", "`default,default` is not a security policy; write `rules,rejection,annotation` without spaces",
                hint: didYouMean("default,default,default"))),
        Row(
            "spaces in a policy", "policy: ①default, default, default\n",
            "① unknown rejection policy ` default`; there are \(rejections); hint: did you mean `default`?"),
        Row("empty policy", "policy:①\n", "① `policy` must not be empty"),
        Row(
            "unknown rules", "rules: [alt-rules]\npolicy: ①alt-rule,default,default\n",
            "① unknown rules `alt-rule`; this account has `default`, `alt-rules`; hint: did you mean `alt-rules`?"),
        Row(
            "rules that cannot be", "policy: ①ALT,default,default\n",
            "① unknown rules `ALT`; this account has `default`"),
        Row(
            "unknown rejection policy", "policy: ①default,alow-root,default\n",
            "① unknown rejection policy `alow-root`; there are \(rejections); hint: did you mean `allow-root`?"),
        Row(
            "custom rejection policy", "policy: ①default,custom,default\n",
            "① the rejection policy `custom` cannot be set; set a preset and add or remove single flags"),
        Row(
            "unknown flag in a policy", "policy: ①default,default,rooted+xpossed\n",
            "① unknown annotation policy or flag `xpossed`; \(annotations); hint: did you mean `xposed`?"),
        Row(
            "misspelt annotation policy", "policy: ①default,default,rsk\n",
            "① unknown annotation policy or flag `rsk`; \(annotations); hint: did you mean `risk`?"),
        Row(
            "unknown flag among rejecting ones", "reject-flags: {add: [①rootd], remove: [②zzz]}\n",
            "① unknown flag `rootd`; hint: did you mean `rooted`?", "② unknown flag `zzz`; hint: \(declare)"),
        Row(
            "flag to add and to remove", "reject-flags: {add: [rooted], remove: [①rooted]}\n",
            "① flag `rooted` is named twice in `reject-flags`"),
        Row(
            "flag to add twice", "reject-flags: {add: [rooted, ①rooted]}\n",
            "① flag `rooted` is named twice in `reject-flags`"),
        Row(
            "key of reject-flags", "reject-flags: {ad: [rooted]}\n".replacing("{ad", with: "{①ad"),
            "① unknown key `ad` in `reject-flags`; hint: did you mean `add`?"),
        Row("reject-flags as a list", "reject-flags: ①[rooted]\n", "① `reject-flags` must be a mapping, not a list"),
        Row(
            "flag without a list", "reject-flags: {add: ①rooted}\n",
            "① `add` must be a list, not text; hint: write `[rooted]`"),
        Row("default among rules", "rules: [①default]\n", "① rules `default` exist already"),
        Row("rules twice", "rules: [a, ①a]\n", "① rules `a` exist already"),
        Row(
            "rules with a comma", "rules: [①'a,b']\n",
            "① `a,b` cannot be a rule set; use lower-case letters, digits and `-`"),
    ]

    static let flags = [
        Row("built-in flag", "flags: [{name: ①rooted}]\n", "① flag `rooted` exists already"),
        Row("flag twice", "flags: [{name: a}, {name: ①a}]\n", "① flag `a` exists already"),
        Row(
            "misspelling that is read", "flags: [{name: ①devicecheck-complated}]\n",
            "① flag `devicecheck-complated` exists already"),
        Row("name of no flag", "flags: [{name: ①New}]\n", "① `New` \(flagName)"),
        Row(
            "name of an annotation policy", "flags: [{name: ①all}]\n",
            "① flag `all` would have the name of an annotation policy"),
        Row("flag without a name", "flags: [①{risk: true}]\n", "① `name` is missing from a flag"),
        Row("flag as text", "flags: [①new]\n", "① a flag must be a mapping, not text"),
        Row(
            "risk", "flags: [{name: a, risk: ①yes}]\n",
            "① `risk` must be `true` or `false`, not `yes`; hint: write `true`"),
        Row(
            "key of a flag", "flags: [{name: a, ①rsk: true}]\n",
            "① unknown key `rsk` in a flag; hint: did you mean `risk`?"),
        Row(
            "92 flags", "flags: [" + (1...91).map { "{name: f\($0)}" }.joined(separator: ", ") + ", {name: ①f92}]\n",
            "① flag `f92` is one too many; there can be at most 128 flags"),
    ]

    static let settings = [
        Row("arc", "arc: ①true\n", "① `arc` must be `on` or `off`, not `true`; hint: write `on`"),
        Row("audience", "audience: ①maybe\n", "① `audience` must be `on` or `off`, not `maybe`"),
        Row("issuer", "issuer: ①No\n", "① `issuer` must be `on` or `off`, not `No`; hint: write `off`"),
        Row(
            "ip-tracking", "ip-tracking: ①tokn\n",
            "① `ip-tracking` must be `none`, `token` or `full`, not `tokn`; hint: did you mean `token`?"),
        Row(
            "sampling with a sign", "sampling-percentage: ①0.1%\n",
            "① `sampling-percentage` must be a number of percent from `0` to `100`, not `0.1%`; hint: write `0.1`"),
        Row(
            "sampling above 100", "sampling-percentage: ①100.1\n",
            "① `sampling-percentage` must be a number of percent from `0` to `100`, not `100.1`"),
        Row(
            "propagation without unit", "propagation: ①30\n",
            "① `propagation` must be a duration such as `1h30m`, not `30`; hint: give `30` a unit: `30s`"),
        Row("propagation of days", "propagation: ①1d1s\n", "① `propagation` must be at most a day"),
        Row(
            "grace in weeks", "grace: ①1w\n",
            Problem(
                "①", "`grace` must be a duration such as `1h30m`, not `1w`",
                hint: "`w` is not a unit; the units are `y`, `d`, `h`, `m` and `s`")),
        Row(
            "billing day that not every month has", "billing-day: ①29\n",
            "① `billing-day` must be a whole number from 1 to 28, not `29`"),
        Row(
            "billing day of words", "billing-day: ①first\n",
            "① `billing-day` must be a whole number from 1 to 28, not `first`"),
    ]

    static let filters = [
        Row("filters as a mapping", "filters: ①{name: a}\n", "① `filters` must be a list, not a mapping"),
        Row("filter as text", "filters: [①myip]\n", "① a filter must be a mapping, not text"),
        Row("no name", "filters: [①{key: ip, match: x}]\n", "① `name` is missing from a filter"),
        Row("wrong name", "filters: [{name: ①My_IP, key: ip, match: x}]\n", "① `My_IP` \(filterName)"),
        Row(
            "name of 21 characters", "filters: [{name: ①abcdefghijklmnopqrstu, key: ip, match: x}]\n",
            "① `abcdefghijklmnopqrstu` \(filterName)"),
        Row(
            "wrong name and no test", "filters: [①{name: ②A}]\n",
            "① a filter needs `key` with `match` or `regex`, or else `conjunction`", "② `A` \(filterName)"),
        Row(
            "filter twice", "filters:\n  - {name: a, key: ip, match: x}\n  - {name: ①a, key: ip, match: y}\n",
            "① filter `a` exists already; hint: each filter of a list needs a name of its own"),
        Row(
            "no test", "filters: [①{name: a}]\n",
            "① a filter needs `key` with `match` or `regex`, or else `conjunction`"),
        Row(
            "match without key", "filters: [①{name: a, match: x}]\n",
            "① a filter needs `key` with `match` or `regex`, or else `conjunction`"),
        Row("key alone", "filters: [①{name: a, key: ip}]\n", "① a filter with `key` needs `match` or `regex`"),
        Row(
            "both tests", "filters: [{name: a, key: ip, match: x, regex: ①y}]\n",
            "① `regex` cannot be combined with `match`"),
        Row(
            "conjunction with a key", "filters: [{name: a, key: ①ip, conjunction: [b]}]\n",
            "① `key` cannot be combined with `conjunction`"),
        Row(
            "conjunction with a regex", "filters: [{name: a, regex: ①ip, conjunction: [b]}]\n",
            "① `regex` cannot be combined with `conjunction`"),
        Row(
            "conjunction as text", "filters: [{name: a, conjunction: ①b}]\n",
            "① `conjunction` must be a list, not text; hint: write `[b]`"),
        Row(
            "conjunction of nothing", "filters: [{name: ①a, conjunction: []}]\n",
            "① conjunction `a` has no input; hint: name its inputs, which are ordinary filters"),
        Row("empty match without quotes", "filters: [{name: a, key: ip, match: ①}]\n", "① `match` must not be empty"),
        Row("empty regex", "filters: [{name: a, key: ip, regex: ①''}]\n", "① `regex` must not be empty"),
        Row(
            "bad regex", "filters: [{name: a, key: ip, regex: ①'1(2'}]\n",
            "① bad regex `1(2`: missing closing parenthesis at offset 3; hint: \(regex)"),
        Row(
            "bad regex beyond ASCII", "filters: [{name: a, key: ip, regex: ①'Ü[a'}]\n",
            "① bad regex `Ü[a`: missing terminating ] for character class at offset 4; hint: \(regex)"),
        Row(
            "option", "filters: [{name: a, key: ip, match: x, reject: ①on}]\n",
            "① `reject` must be `true` or `false`, not `on`; hint: write `true`"),
        Row(
            "unknown option", "filters: [{name: a, key: ip, match: x, ①new-did: true}]\n",
            "① unknown key `new-did` in a filter"),
        Row(
            "misspelt option", "filters: [{name: a, key: ip, match: x, ①riskyy: true}]\n",
            "① unknown key `riskyy` in a filter; hint: did you mean `risky`?"),
        Row(
            "conjunction of a conjunction",
            "filters:\n  - {name: a, key: ip, match: x}\n  - {name: b, conjunction: [a]}\n  - {name: ①c, conjunction: [b, a]}\n",
            Problem(
                "①", "input `b` of conjunction `c` is a conjunction itself",
                hint: "name the inputs of the inner conjunction instead")),
        Row(
            "conjunction of itself", "filters: [{name: ①a, conjunction: [a]}]\n",
            Problem(
                "①", "input `a` of conjunction `a` is a conjunction itself",
                hint: "name the inputs of the inner conjunction instead")),
        Row(
            "26 filters",
            "filters:\n" + (1...25).map { "  - {name: f\($0), key: ip, match: x}\n" }.joined()
                + "  - {name: ①f26, key: ip, match: x}\n",
            Problem(
                "①", "filter `f26` is one too many; an account has at most 25",
                hint: "remove one, or use one regex for several values")),
    ]

    static let devices = [
        Row("no ID", "devices: [①{label: x}]\n", "① `id` is missing from a device"),
        Row(
            "short ID", "devices: [{id: ①h4gubfCFzJu81j/U2BJsdg=}]\n",
            "① `h4gubfCFzJu81j/U2BJsdg=` \(deviceID); hint: it has 23 characters instead of 24"),
        Row(
            "long ID", "devices: [{id: ①h4gubfCFzJu81j/U2BJsdgA==}]\n",
            "① `h4gubfCFzJu81j/U2BJsdgA==` \(deviceID); hint: it has 25 characters instead of 24"),
        Row(
            "ID with a character beyond ASCII", "devices: [{id: ①h4gubfCFzJu81jéU2BJsdg==}]\n",
            "① `h4gubfCFzJu81jéU2BJsdg==` \(deviceID); hint: `é` is not one of these characters"),
        Row(
            "ID of another alphabet", "devices: [{id: ①h4gubfCFzJu81j_U2BJsdg==}]\n",
            "① `h4gubfCFzJu81j_U2BJsdg==` \(deviceID)"),
        Row(
            "device twice", "devices:\n  - id: h4gubfCFzJu81j/U2BJsdg==\n  - id: ①h4gubfCFzJu81j/U2BJsdg==\n",
            "① device `h4gubfCFzJu81j/U2BJsdg==` exists already"),
        Row(
            "unknown flag in a device's policy",
            "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, policy: ①'default,default,rootd'}]\n",
            "① unknown annotation policy or flag `rootd`; \(annotations); hint: did you mean `rooted`?"),
        Row(
            "unknown rules of a device", "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, policy: ①'alt,default,default'}]\n",
            "① unknown rules `alt`; this account has `default`"),
        Row(
            "pin mode", "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, pin-mode: ①unpinn}]\n",
            "① `pin-mode` must be `pin`, `unpin`, `block` or `blockAll`, not `unpinn`; hint: did you mean `unpin`?"),
        Row(
            "ban mode", "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, ban-mode: ①banned}]\n",
            "① `ban-mode` must be `ban` or `unban`, not `banned`"),
        Row(
            "key of a device", "devices: [{id: h4gubfCFzJu81j/U2BJsdg==, ①lable: x}]\n",
            "① unknown key `lable` in a device; hint: did you mean `label`?"),
        Row(
            "pin mode of the pseudo device", "devices: [{id: ①++FilteredSecPolicy++w==, pin-mode: pin}]\n",
            "① `++FilteredSecPolicy++w==` is not a device and takes no pin mode"),
        Row(
            "ban mode of the pseudo device", "devices: [{id: ①++FilteredSecPolicy++w==, ban-mode: ban}]\n",
            "① `++FilteredSecPolicy++w==` is not a device and takes no ban mode"),
        Row(
            "26 devices",
            "devices:\n" + (10...34).map { "  - id: h4gubfCFzJu81j/U2BJs\($0)==\n" }.joined()
                + "  - id: ①h4gubfCFzJu81j/U2BJs35==\n",
            "① device `h4gubfCFzJu81j/U2BJs35==` is one too many; an account has at most 25 device entries"),
        Row(
            "26 devices, the pseudo device among them",
            "devices:\n  - id: ++FilteredSecPolicy++w==\n"
                + (10...33).map { "  - id: h4gubfCFzJu81j/U2BJs\($0)==\n" }.joined()
                + "  - id: ①h4gubfCFzJu81j/U2BJs35==\n",
            "① device `h4gubfCFzJu81j/U2BJs35==` is one too many; an account has at most 25 device entries"),
    ]

    @Test(arguments: document + policies + flags + settings + filters + devices + services)
    func isToldWhereItStands(_ row: Row) {
        let marked = MarkedText(row.text)
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(MarkedText.found(diagnostics) == marked.expected(row.problems))
        #expect(diagnostics.hasErrors)
        #expect(account?.name == nil)
    }

    @Test func allAreToldAtOnceInTheirOrder() {
        let marked = MarkedText(
            """
            ①polcy: default,default,default
            policy: ②default,alow-root,default
            reject-flags: {add: [③rootd]}
            propagation: ④30
            filters:
              - {name: a, key: ip, match: x}
              - {name: b, key: ip, regex: ⑤'('}
              - {name: ⑥B, key: ip, match: x}
            devices:
              - {id: ⑦short, ⑧lable: x}
            apis: [{domain: a}, {domain: ⑨a}]

            """)
        let found = AccountText.read(marked.text).diagnostics.all.map(\.position)
        #expect(found == "①②③④⑤⑥⑦⑧⑨".map { marked.positions[$0] })
    }

    @Test func theMistakeIsShownWithItsLine() {
        let rendered = AccountText.read("policy: default,alow-root,default\n").diagnostics.all.map(\.rendered)
        #expect(
            rendered == [
                """
                file.yaml:1:9: error: unknown rejection policy `alow-root`; there are \(Self.rejections)
                  policy: default,alow-root,default
                          ^
                  hint: did you mean `allow-root`?
                """
            ])
    }
}
