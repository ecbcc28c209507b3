import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The effects of commands on an account (R3–R7).
@Suite struct CommandEffectTests {
    private static let (bob, nexus) = ("h4gubfCFzJu81j/U2BJsdg==", "qZka0yfv+ExvOq3PRh6pGw==")
    private static let pseudo = "++FilteredSecPolicy++w=="

    private static func carryOut(
        _ lines: [String], on account: inout Account, latest: [String] = []
    ) throws -> [CommandEffect] {
        let devices = latest.compactMap { DeviceID($0) }
        var context = CommandContext()
        context.latest = { devices }
        return try lines.map { try ManagementCommand($0).apply(to: &account, in: context) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let policy: String
        var rejecting: [String] = []
        var accepting: [String] = []
        var testDescription: String { lines.joined(separator: "; ") }
    }

    static let policies = [
        Row(lines: ["policy -set default,allow-root,risk"], policy: "default,allow-root,risk", accepting: ["rooted"]),
        Row(
            lines: ["policy -addRejectFlag automated"], policy: "default,custom,default",
            rejecting: ["automated", "rooted"]),
        Row(
            lines: ["policy -removeRejectFlag rooted"], policy: "default,custom,default", rejecting: ["frida"],
            accepting: ["rooted"]),
        // R4.4: custom also when the edit changes nothing.
        Row(lines: ["policy -addRejectFlag rooted"], policy: "default,custom,default", rejecting: ["rooted"]),
        Row(lines: ["policy -removeRejectFlag automated"], policy: "default,custom,default", accepting: ["automated"]),
        // R4.4: a preset discards the custom policy.
        Row(
            lines: ["policy -addRejectFlag automated", "policy -set default,default,info"],
            policy: "default,default,info", accepting: ["automated"]),
        Row(
            lines: ["policy -set default,default,info", "policy -addRejectFlag automated"],
            policy: "default,custom,info", rejecting: ["automated"]),
    ]

    @Test(arguments: policies) func policiesAreSet(_ row: Row) throws {
        var account = Account()
        let effects = try Self.carryOut(row.lines, on: &account)
        let names = Set(account.catalogue.names(of: account.policy.rejection.rejecting))
        #expect(account.policy.description == row.policy)
        #expect(names.isSuperset(of: row.rejecting))
        #expect(names.isDisjoint(with: row.accepting))
        #expect(effects.allSatisfy { $0.warnings.isEmpty && $0.printed.isEmpty && $0.query == nil })
    }

    @Test func aDeclaredFlagMayBeNamed() throws {
        var account = try AccountText.account("flags: [{name: extra}]")
        _ = try Self.carryOut(
            ["policy -addRejectFlag extra", "device -add \(Self.bob) -policy default,default,extra"], on: &account)
        #expect(account.catalogue.names(of: account.policy.rejection.rejecting).contains("extra"))
        #expect(account.devices.first?.policy?.annotation.text == "extra")
    }

    @Test func theResponseCodeAndTheSamplingAreSet() throws {
        var account = Account()
        _ = try Self.carryOut(["policy -setARC off", "filter -setSamplingPercentage 12.5"], on: &account)
        #expect(!account.isResponseCodeOn)
        #expect(account.samplingPercentage.description == "12.50%")
        _ = try Self.carryOut(["policy -setARC on", "filter -setSamplingPercentage 0"], on: &account)
        #expect(account.isResponseCodeOn)
        #expect(account.samplingPercentage == .zero)
    }

    @Test func clearingDeviceStateIsAnEffectOfItsOwn() throws {
        var account = try AccountText.account("devices: [{id: \(Self.bob)}]")
        let effects = try Self.carryOut(["device -clearDeviceState"], on: &account)
        #expect(effects.map(\.clearsDeviceState) == [true])
        #expect(account.devices.count == 1)
    }

    // R7.1: at its old index, with nothing of the old settings.
    @Test func aFilterIsReplacedInItsPlace() throws {
        var account = try AccountText.account(
            """
            filters:
              - {name: a, key: ip, match: x, reject: true}
              - {name: b, key: ip, match: y}
            """)
        _ = try Self.carryOut(
            ["filter -add c -key ip -matchValue z", "filter -add a -key device -matchValue w -risky"], on: &account)
        #expect(account.filters.map(\.name) == ["a", "b", "c"])
        #expect(account.filters[0].test == .exact(key: "device", value: "w"))
        #expect(account.filters[0].options == .risky)
    }

    // R7.4: it matches no longer, and again once the input is back.
    @Test func anInputMayGoAndComeBack() throws {
        var account = Account()
        _ = try Self.carryOut(
            [
                "filter -add a -key ip -matchValue 1", "filter -add b -key x -matchValue 1",
                "filter -add both -conjunction a+b",
            ], on: &account)
        let record = "--- \(Self.bob) 2020-07-23 12:00:00 UTC ---\nip: 1\nx: 1\n"
        #expect(try ReplayBench.replay(record, account: account).metric("filter-both") == 1)
        _ = try Self.carryOut(["filter -remove a"], on: &account)
        #expect(account.filters.map(\.name) == ["b", "both"])
        #expect(try ReplayBench.replay(record, account: account).metric("filter-both") == 0)
        _ = try Self.carryOut(["filter -add a -key ip -matchValue 1"], on: &account)
        #expect(try ReplayBench.replay(record, account: account).metric("filter-both") == 1)
    }

    @Test func aConjunctionMayBecomeAnOrdinaryFilter() throws {
        var account = Account()
        _ = try Self.carryOut(
            [
                "filter -add a -key ip -matchValue 1", "filter -add both -conjunction a",
                "filter -add both -key ip -matchValue 2", "filter -add more -conjunction both+a",
            ], on: &account)
        #expect(account.filters.map(\.name) == ["a", "both", "more"])
    }

    // R6.1: adding an existing one again changes only the options given.
    @Test func optionsOfADeviceAreUpdated() throws {
        var account = Account()
        _ = try Self.carryOut(
            [
                "device -add \(Self.bob) -policy default,whitelist,all -label Bob", "device -add \(Self.nexus)",
                "device -add \(Self.bob) -pinMode unpin", "device -add \(Self.bob) -banMode ban",
                "device -add \(Self.bob) -probeURL https://a -label new",
            ], on: &account)
        let bob = try #require(account.devices.first)
        #expect(account.devices.map(\.id.description) == [Self.bob, Self.nexus])
        #expect(bob.policy?.description == "default,whitelist,all")
        #expect((bob.label, bob.probeURL) == ("new", "https://a"))
        #expect((bob.pinMode, bob.banMode) == (.unpin, .ban))
        _ = try Self.carryOut(["device -add \(Self.bob) -banMode unban", "device -remove \(Self.nexus)"], on: &account)
        #expect(account.devices.map(\.banMode) == [.unban])
        #expect(account.devices.first?.pinMode == .unpin)
    }

    // R6.2.
    @Test func latestIsTheOneDevice() throws {
        var account = Account()
        _ = try Self.carryOut(["device -add latest -label x"], on: &account, latest: [Self.nexus])
        #expect(account.devices.map(\.id.description) == [Self.nexus])
        for (devices, message) in [
            ([], "no device attested in the last two minutes, so there is no `latest`"),
            ([Self.nexus, Self.bob], "2 devices attested in the last two minutes, so `latest` is not one"),
        ] {
            let error = #expect(throws: CommandError.self) {
                try Self.carryOut(["device -add latest"], on: &account, latest: devices)
            }
            #expect(error?.description == message)
        }
        #expect(account.devices.count == 1)
    }

    @Test func whoIsLatestIsAskedOnlyWhereItMatters() throws {
        var (account, asked) = (Account(), 0)
        var context = CommandContext()
        context.latest = {
            asked += 1
            return [DeviceID(first: 1, second: 2)]
        }
        for line in ["device -add \(Self.bob)", "policy -setARC off", "device -add latest"] {
            _ = try ManagementCommand(line).apply(to: &account, in: context)
        }
        #expect(asked == 1)
    }

    struct Warning: LabelledRow {
        let name: String
        var account = "{}"
        let line: String
        let warnings: [String]
    }

    private static let sameRules =
        "the filtered policy has no effect, because the account has the same rules, `default`"

    private static func hidden(_ base: String) -> String {
        "a custom policy made from `\(base)` keeps its hidden attributes"
    }

    static let warnings = [
        Warning(
            name: "every flag on the account", line: "policy -set default,default,all",
            warnings: ["the annotation policy `all` on a whole account tells attackers why they are rejected"]),
        Warning(
            name: "every flag on a device", line: "device -add h4gubfCFzJu81j/U2BJsdg== -policy default,default,all",
            warnings: []),
        Warning(
            name: "custom from whitelist", account: "policy: default,whitelist,default",
            line: "policy -addRejectFlag rooted", warnings: [hidden("whitelist")]),
        Warning(
            name: "custom from blacklist", account: "policy: default,blacklist,default",
            line: "policy -removeRejectFlag rooted", warnings: [hidden("blacklist")]),
        Warning(
            name: "filtered policy of the same rules", line: "device -add \(pseudo) -policy default,blacklist,default",
            warnings: [sameRules]),
        Warning(
            name: "filtered policy of the manual", line: "device -add \(pseudo) -policy alt-rules,default,default",
            warnings: ["the filtered policy has no effect, because the account does not declare its rules `alt-rules`"]),
        Warning(
            name: "filtered policy of declared rules", account: "rules: [alt-rules]",
            line: "device -add \(pseudo) -policy alt-rules,default,default", warnings: []),
        Warning(
            name: "account moved to the filtered policy's rules",
            account: "rules: [alt]\ndevices: [{id: \(pseudo), policy: 'alt,default,default'}]",
            line: "policy -set alt,default,default",
            warnings: [sameRules.replacing("`default`", with: "`alt`")]),
    ]

    @Test(arguments: warnings) func isWarnedAbout(_ row: Warning) throws {
        var account = try AccountText.account(row.account)
        #expect(try Self.carryOut([row.line], on: &account).map(\.warnings) == [row.warnings])
    }
}

/// Values that begin with `-`: most often the next option, behind a variable of a shell that is empty.
@Suite struct CommandValueTests {
    private static let start = "filter -add x -key ip"
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static func taken(_ line: String) -> Case<String, String?> { Case(line, gives: nil) }

    private static func refused(
        _ line: String, _ option: String, _ what: String, _ word: String
    ) -> Case<String, String?> {
        Case(
            line,
            gives: "`\(option)` needs \(what), and `\(word)` looks like an option; "
                + "hint: a value that begins with `-` is written `\(option)=\(word)`")
    }

    static let rows = [
        refused("\(start) -matchValue -reject", "-matchValue", "a value", "-reject"),
        refused("\(start) -matchValue -1", "-matchValue", "a value", "-1"),
        refused("filter -add -reject", "-add", "a name", "-reject"),
        refused("device -add \(bob) -label -banMode ban", "-label", "a value", "-banMode"),
        refused("policy -set -get", "-set", "a policy", "-get"),
        refused("device -removeMatching -list", "-removeMatching", "a user name or label", "-list"),
        taken("\(start) -matchValue -"), taken("\(start) -matchValue ''"), taken("\(start) -matchValue=-reject"),
        taken("\(start) -matchValue -- -reject"), taken("\(start) -reject -matchValue -- -reject"),
        taken("filter -key=ip -matchValue=-1 -add=x"), taken("keyset -kid=mykey -remove"),
        taken("registration -remove=-a=b-1"), taken("registration -remove -- -a=b-1"),
        Case("\(start) -matchValue -- -reject -ban", gives: "unexpected word `-ban`"),
        Case("\(start) -matchValue --", gives: "`-matchValue` needs a value"),
        Case("keyset -kid -remove", gives: "`-kid` needs a value"),
        Case("policy -get=x", gives: "`-get` takes no value"),
        Case("\(start) -matchValue 1 -reject=yes", gives: "`-reject` takes no value"),
        Case("device -add \(bob) -label=", gives: "the value of `-label` is empty"),
    ]

    @Test("cli: a value that begins with a dash is joined, or is behind two", arguments: rows)
    func value(_ row: Case<String, String?>) {
        var message: String?
        do throws(CommandError) {
            _ = try ManagementCommand(row.input)
        } catch {
            message = error.description + (error.hint.map { "; hint: \($0)" } ?? "")
        }
        #expect(message == row.expected)
    }

    @Test func joinedValuesAreWhole() throws {
        let filter = try Filter(name: "x", test: .exact(key: "ip", value: "-a=b"), options: .reject)
        #expect(try ManagementCommand("\(Self.start) -reject -matchValue=-a=b").value as? FilterTopic == .add(filter))
        #expect(
            try ManagementCommand("\(Self.start) -reject -matchValue -- -a=b").value as? FilterTopic == .add(filter))
    }
}
