import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The edits that a command makes in an account file: everything else stays as it is written.
@Suite struct AccountEditTests {
    struct Row: LabelledRow {
        let name: String
        let commands: [String]
        let before, after: String

        init(_ name: String, _ commands: String..., before: String, after: String) {
            (self.name, self.commands, self.before, self.after) = (name, commands, before, after)
        }
    }

    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    static let texts = [
        Row(
            "the policy, with its comment", "policy -set default,allow-root,risk",
            before: "account: a\npolicy: default,default,default  # for now\n",
            after: "account: a\npolicy: default,allow-root,risk  # for now\n"),
        Row(
            "quotes stay", "policy -set default,allow-root,risk",
            before: "{policy: 'default,default,default', account: \"a\"}\n",
            after: "{policy: 'default,allow-root,risk', account: \"a\"}\n"),
        Row(
            "a new policy", "policy -set default,allow-root,risk", before: "# mine\naccount: a\n\n# later\narc: off\n",
            after: "# mine\naccount: a\npolicy: default,allow-root,risk\n\n# later\narc: off\n"),
        Row(
            "nothing but braces", "policy -set default,allow-root,risk", before: "{}\n",
            after: "{policy: \"default,allow-root,risk\"}\n"),
        Row("no newline at the end", "policy -setAudience on", before: "account: a", after: "account: a\naudience: on"),
        Row(
            "carriage returns", "policy -setIssuer on", "filter -add a -key k -matchValue v",
            before: "account: a\r\narc: on\r\n",
            after: "account: a\r\narc: on\r\nissuer: on\r\nfilters:\r\n  - {name: a, key: k, match: v}\r\n"),
        Row(
            "a byte order mark", "policy -setARC off", before: "\u{FEFF}account: ä\n",
            after: "\u{FEFF}account: ä\narc: off\n"),
        Row(
            "a document with marks", "policy -setARC off", before: "--- # start\naccount: a # me\n...\n",
            after: "--- # start\naccount: a # me\narc: off\n...\n"),
        Row(
            "letters beyond ASCII before the value", "policy -setARC off",
            before: "# 🚗 für später\naccount: 🚗\narc: on # ja\nissuer: on\n",
            after: "# 🚗 für später\naccount: 🚗\narc: off # ja\nissuer: on\n"),
        Row(
            "a policy over two lines", "policy -set default,allow-root,risk",
            before: "policy: >-\n  default,strict,default\narc: on\n",
            after: "policy: default,allow-root,risk\narc: on\n"),
    ]

    static let rejectFlags = [
        Row(
            "the first flag", "policy -addRejectFlag automated", before: "policy: default,allow-root,risk\narc: on\n",
            after: "policy: default,allow-root,risk\nreject-flags: {add: [automated]}\narc: on\n"),
        Row(
            "a flag that rejects anyway", "policy -addRejectFlag frida", before: "arc: on\n",
            after: "arc: on\nreject-flags: {}\n"),
        Row(
            "one more", "policy -addRejectFlag non-standard-launch",
            before: "reject-flags:\n  # by hand\n  add: [automated] # first\n  remove: [debug]\n",
            after: "reject-flags:\n  # by hand\n  add: [automated, non-standard-launch] # first\n  remove: [debug]\n"),
        Row(
            "and back", "policy -addRejectFlag debug", "policy -removeRejectFlag automated",
            before: "reject-flags:\n  add: [automated] # first\n  remove: [debug, rooted]\n",
            after: "reject-flags:\n  add: [] # first\n  remove: [rooted]\n"),
        Row(
            "an exception is lost", "policy -addRejectFlag rooted", before: "policy: default,allow-xposed,default\n",
            after: "policy: default,allow-xposed,default\nreject-flags: {add: [rooted]}\n"),
        Row(
            "a preset discards them", "policy -set default,default,default",
            before: "# top\nreject-flags: {add: [automated]}\n# end\n", after: "# top\n{}\n# end\n"),
        Row(
            "a preset discards them among others", "policy -set default,strict,default",
            before: "policy: default,default,default\n# custom\nreject-flags:\n  add:\n    - automated\narc: on\n",
            after: "policy: default,strict,default\n# custom\narc: on\n"),
    ]

    private static let block = """
        filters:
          # where they come from
          - name: myip  # office
            key: ip
            match: 1.2.3.4
          # old phones
          - name: android7
            key: device
            regex: "Android 7"

        # the end
        """

    static let filters = [
        Row(
            "one more in block style", "filter -add both -conjunction myip+android7 -risky", before: block + "\n",
            after: block.replacing(
                "\n\n# the end",
                with: "\n  - name: both\n    conjunction: [myip, android7]\n    risky: true\n\n# the end\n")),
        Row(
            "the first goes", "filter -remove myip", before: block + "\n",
            after: block.replacing("  - name: myip  # office\n    key: ip\n    match: 1.2.3.4\n", with: "") + "\n"),
        Row(
            "the last goes", "filter -remove android7", before: block,
            after: block.replacing("  - name: android7\n    key: device\n    regex: \"Android 7\"\n", with: "")),
        Row(
            "one is replaced", "filter -add myip -key ip -matchValue 4.3.2.1 -regex -ban", before: block,
            after: block.replacing("    match: 1.2.3.4\n", with: "    regex: 4.3.2.1\n    ban: true\n")),
        Row(
            "one becomes a conjunction", "filter -add android7 -conjunction myip", before: block,
            after: block.replacing(
                "    key: device\n    regex: \"Android 7\"\n", with: "    conjunction: [myip]\n")),
        Row(
            "both go", "filter -remove myip", "filter -remove android7", before: block,
            after: "filters: []\n  # where they come from\n  # old phones\n\n# the end"),
        Row(
            "and come back", "filter -remove myip", "filter -remove android7",
            "filter -add a -key k -matchValue 'x: y'",
            before: block,
            // Without an item there is no style to be seen, so that the usual one is taken.
            after:
                "filters:\n  - {name: a, key: k, match: \"x: y\"}\n  # where they come from\n  # old phones\n\n# the end"
        ),
        Row(
            "a regex", #"filter -add a -key ip -matchValue '^1\.2' -regex"#, before: "filters: []\narc: on\n",
            after: "filters:\n  - {name: a, key: ip, regex: '^1\\.2'}\narc: on\n"),
        Row(
            "in brackets", "filter -add b -key k -matchValue v", "filter -remove a",
            before: "filters: [ {name: a, key: k, match: v} ]  # all\n",
            after: "filters: [ {name: b, key: k, match: v} ]  # all\n"),
        Row(
            "in brackets over lines", "filter -add c -key k -matchValue v", "filter -remove a",
            before:
                "filters: [\n  {name: a, key: k, match: v},  # one\n  # two\n  {name: b, key: k, match: v}  # three\n]\n",
            after: "filters: [\n  # two\n  {name: b, key: k, match: v},  # three\n  {name: c, key: k, match: v}\n]\n"),
        Row(
            "in brackets with a comma at the end", "filter -add c -key k -matchValue v",
            before: "filters: [\n    {name: b, key: k, match: v},\n  ]\n",
            after: "filters: [\n    {name: b, key: k, match: v},\n    {name: c, key: k, match: v},\n  ]\n"),
        Row(
            "options in braces", "filter -add a -key k -matchValue w -reject",
            "filter -add a -key k -matchValue w -ban",
            before: "filters:\n- { name: a, key: k, match: v, risky: true } # one\n",
            after: "filters:\n- { name: a, key: k, match: w, ban: true } # one\n"),
        Row(
            "inputs in another order", "filter -add c -conjunction b+a", "filter -add c -conjunction a",
            before: "filters:\n- {name: a, key: k, match: v}\n- {name: b, key: k, match: v}\n"
                + "- name: c\n  conjunction:\n  - 'a' # one\n  - b # two\n",
            after: "filters:\n- {name: a, key: k, match: v}\n- {name: b, key: k, match: v}\n"
                + "- name: c\n  conjunction:\n  - a # two\n"),
        Row(
            "a value of other bytes that looks the same", "filter -add a -key k -matchValue 'e\u{301}'",
            before: "filters: [{name: a, key: k, match: \u{E9}}]\n",
            after: "filters: [{name: a, key: k, match: e\u{301}}]\n"),
        Row(
            "a false that is written stays", "filter -add a -key k -matchValue w",
            before: "filters: [{name: a, key: k, match: v, risky: true, ban: false}]\n",
            after: "filters: [{name: a, key: k, match: w, ban: false}]\n"),
    ]

    static let devices = [
        Row(
            "options are added", "device -add \(bob) -pinMode unpin -label 'A: B'",
            before: "devices:\n  -\n    # Bob's\n    id: \(bob)\n    policy: 'default,whitelist,all' # all\n",
            after: "devices:\n  -\n    # Bob's\n    id: \(bob)\n    policy: 'default,whitelist,all' # all\n"
                + "    label: \"A: B\"\n    pin-mode: unpin\n"),
        Row(
            "an option is changed", "device -add \(bob) -policy default,blacklist,default",
            before: "devices:\n  - policy: 'default,whitelist,all' # all\n    id: \(bob)\n",
            after: "devices:\n  - policy: 'default,blacklist,default' # all\n    id: \(bob)\n"),
        Row(
            "the same again", "device -add \(bob)", before: "devices: [{id: \(bob)}]", after: "devices: [{id: \(bob)}]"),
        Row(
            "a list without indentation", "device -add \(bob) -banMode ban",
            before: "devices:\n- id: ExampleApproovTokenDID==\n  label: x\n  # more\narc: on\n",
            after:
                "devices:\n- id: ExampleApproovTokenDID==\n  label: x\n  # more\n- id: \(bob)\n  user: admin\n"
                + "  ban-mode: ban\narc: on\n"
        ),
        Row(
            "by a name", "device -removeMatching Me",
            before: "devices:\n  - {id: \(bob), user: Me}\n  - {id: ExampleApproovTokenDID==}\n"
                + "  - {id: qZka0yfv+ExvOq3PRh6pGw==, label: Me}\n",
            after: "devices:\n  - {id: ExampleApproovTokenDID==}\n"),
    ]

    static let services = [
        Row(
            "a DeviceCheck key", "devicecheck -addAuthKey AuthKey_X.p8 -teamID T -bits bit0 -expiry 6",
            before: "account: a\napis: []\n",
            after: "account: a\ndevicecheck: {team-id: T, key-id: X, bits: bit0, expiry: 6}\napis: []\n"),
        Row(
            "another one, of another team", "devicecheck -addAuthKey AuthKey_X.p8 -teamID T",
            before: "team: S # ours\ndevicecheck: {bits: both, team-id: S, key-id: K} # key\n",
            after: "team: T # ours\ndevicecheck: {bits: none, team-id: T, key-id: X} # key\n"),
        Row(
            "a key beside a team", "devicecheck -addAuthKey AuthKey_X.p8", before: "team: S\n",
            after: "team: S\ndevicecheck: {key-id: X}\n"),
        Row(
            "no key any more", "devicecheck -remove", before: "devicecheck:\n  key-id: K # key\n  bits: both\n",
            after: "devicecheck:\n  bits: both\n"),
        Row(
            "nothing any more", "devicecheck -remove", before: "devicecheck: # key\n  key-id: K\narc: on\n",
            after: "devicecheck: {} # key\narc: on\n"),
        Row(
            "a SafetyNet key comes and goes", "safetynet -set X", "safetynet -remove", "safetynet -set 'Y Z'",
            before: "arc: on\n", after: "arc: on\nsafetynet: {api-key: Y Z}\n"),
        Row(
            "certificates", "appsigncert -add 00:11:22:33:44:55:66:77", "appsigncert -remove c0:f3:15:9b:a5:6c:a8:e1",
            before: "app-signing-certs:\n  - \"C0:F3:15:9B:A5:6C:A8:E1\" # old\n",
            after: "app-signing-certs:\n  - \"00:11:22:33:44:55:66:77\"\n"),
        Row(
            "domains", "api -add c.com -pinOnly", "api -add d.com -jwe -port 8443", "api -remove a.com",
            before:
                "apis:\n  - {domain: a.com}\n  - {domain: b.com, pins: [JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=]}\n",
            after:
                "apis:\n  - {domain: b.com, pins: [JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=]}\n  - {domain: c.com, type: pinOnly}\n"
                + "  - {domain: d.com, type: account, alg: A256GCMKW}\n"),
        // R15.1: an empty list is not the same as none.
        Row(
            "the last registration", "registration -remove 'A=c-*'",
            before: "registrations:\n  - {app-sig: A=, appid: c}\n", after: "registrations: []\n"),
        // R14.2a: likewise.
        Row(
            "the last domain", "api -remove a.com", before: "apis:\n  - {domain: a.com}\n", after: "apis: []\n"),
        Row(
            "a domain where there was none", "api -add a.com", before: "arc: on\napis: []\n",
            after: "arc: on\napis:\n  - {domain: a.com, type: account, alg: HS256}\n"),
        Row(
            "a new key for SafetyNet (R9.3)", "safetynet -set NEW",
            before: "safetynet: {api-key: OLD, daily-quota: 7}\n",
            after: "safetynet: {api-key: NEW, daily-quota: 10000}\n"),
        Row(
            "settings", "policy -setPinningTestURL https://a.com:443", "filter -setSamplingPercentage 0.25",
            "policy -setIPTracking full", before: "{account: a, propagation: 0s}\n",
            after:
                "{account: a, ip-tracking: full, pinning-test-url: \"https://a.com:443\", sampling-percentage: 0.25, "
                + "propagation: 0s}\n"),
        Row(
            "settings go back", "policy -removePinningTestURL", "filter -setSamplingPercentage 0",
            before: "pinning-test-url: https://a.com\nsampling-percentage: 0.10 # some\n",
            after: "sampling-percentage: 0 # some\n"),
    ]

    @Test(arguments: texts + rejectFlags + filters + devices + services) func keepsTheRest(_ row: Row) throws {
        var edited = try EditedAccount(row.before)
        for command in row.commands { try edited.carryOut(command) }
        #expect(Array(edited.text.utf8) == Array(row.after.utf8), "\(edited.text)")
    }

    // An edit that a form of the file does not allow is refused, and the file stays.
    @Test func aFormThatCannotBeChangedIsRefused() throws {
        let text = "? filters\n: - {name: a, key: k, match: v}\n"
        var edited = try EditedAccount(text)
        #expect(throws: EditFailure.self) { try edited.carryOut("filter -remove a") }
        #expect(edited.text == text)
    }

    @Test func theKeyFileIsNamedWhereThereWasNone() throws {
        var diagnostics = Diagnostics()
        let file = try #require(
            AccountFile(bytes: Array("account: a\n".utf8), path: "a.yaml", diagnostics: &diagnostics))
        let named = file.account.changed { $0.keyFile = "a.keys" }
        #expect(
            try file.bytes(saying: named).map { String(decoding: $0, as: UTF8.self) } == "account: a\nkeys: a.keys\n")
        #expect(try file.bytes(saying: file.account) == nil)
    }
}

/// Parts of an account as an edited file says them: what follows from the rest is left out.
@Suite struct WrittenPartTests {
    @Test("a certificate of which only the fingerprint is known is that alone") func certificates() {
        let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"
        let keys = { (certificate: AppSigningCertificate) -> [String]? in
            guard case .mapping(let entries) = CertificateFields.value(of: certificate) else { return nil }
            return entries.map(\.key)
        }
        let end = Instant(secondsSinceEpoch: 2_000_000_000)
        #expect(CertificateFields.value(of: AppSigningCertificate(fingerprint: fingerprint)) == .text(fingerprint))
        #expect(keys(AppSigningCertificate(fingerprint: fingerprint, subject: "CN=a")) == ["fingerprint", "subject"])
        #expect(keys(AppSigningCertificate(fingerprint: fingerprint, expiry: end)) == ["fingerprint", "expiry"])
    }

    @Test(
        "R24.3 a name that the address says is not needed", arguments: [("bob", false), ("Bob", true), ("a.com", true)])
    func userNames(name: String, isNeeded: Bool) throws {
        let user = try UserRole(
            id: "dev-1234", email: "bob@a.com", name: name, expiry: Instant(secondsSinceEpoch: 0))
        let field = UserFields.fields(of: user).first { $0.key == "name" }
        #expect(field?.text == name && field?.isNeeded == isNeeded)
    }

    @Test("R15.1 a list of registrations is written also where it has none, and where there is no list it is not")
    func emptyLists() throws {
        var diagnostics = Diagnostics()
        let file = try #require(
            AccountFile(bytes: Array("account: a\n".utf8), path: "a.yaml", diagnostics: &diagnostics))
        let text = { (account: Account) in
            try file.bytes(saying: account).map { String(decoding: $0, as: UTF8.self) }
        }
        var listing = file.account
        listing.listRegistrations()
        #expect(try text(listing) == "account: a\nregistrations: []\n")
        var other = file.account
        other.includesIssuer = true
        #expect(try text(other) == "account: a\nissuer: on\n")
    }
}
