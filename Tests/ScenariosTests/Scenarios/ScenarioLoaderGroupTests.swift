import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioLoaderGroupTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    private static let idForm = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    private static let mustAddUp = "the shares of `choose` must add up to 100%"
    private static let block = "such as 10.0.0.0/8, with no bits behind the prefix"

    static let groups: [LoaderRow] = [
        .head("a list of groups", "devices: ①[a]", "① `devices` must be a mapping, not a list"),
        .head("text for a group", "devices: {bob: ①x}", "① group `bob` must be a mapping, not text"),
        .head("group named all", "devices: {①all: {}}", "① a group cannot be called `all`, which means every group"),
        .head(
            "too many devices", "devices: ①{a: {count: 10000000}, b: {}}",
            "① more than 10,000,000 devices in one scenario"),
        .head(
            "one ID twice", "devices: {a: {id: \(bob)}, ①b: {id: \(bob)}}",
            "① device `\(bob)` is in group `a` already"),
        .twoAccounts(
            "which of several accounts", "devices: {①bob: {}}",
            "① a group needs `account`, because the scenario has several"),
        .twoAccounts(
            "none of several accounts", "devices: {bob: {account: ①c}}", "① `account` must be `a` or `b`, not `c`"),
        .group(
            "account where there is one", "account: ①a",
            "① `account` names one of `accounts`, and the scenario has none"),
    ]

    static let fields: [LoaderRow] = [
        .group("no device", "count: ①0", "① `count` must be a whole number from 1 to 10000000, not `0`"),
        .group("unknown system", "os: ①windows", "① `os` must be `android` or `ios`, not `windows`"),
        .group(
            "system in capitals", "os: ①iOS",
            "① `os` must be `android` or `ios`, not `iOS`; hint: did you mean `ios`?"),
        .group("unknown flag", "flags: [rooted, ①roted]", "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .group(
            "flag that is near none", "flags: [①zzz]",
            "① unknown flag `zzz`; hint: an account can declare it under `flags`"),
        .group("text for flags", "flags: ①rooted", "① `flags` must be a list, not text; hint: write `[rooted]`"),
        .group(
            "rate of an unknown flag", "flag-rates: {①roted: 2%}",
            "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .group(
            "rate without sign", "flag-rates: {rooted: ①2}",
            "① `rooted` must be a percentage from `0%` to `100%`, not `2`; hint: write `2%`"),
        .group("list of rates", "flag-rates: ①[a]", "① `flag-rates` must be a mapping, not a list"),
        .group("registered maybe", "registered: ①maybe", "① `registered` must be `true` or `false`, not `maybe`"),
        .group("one ID for two devices", "count: 2, id: ①\(bob)", "① `id` needs `count: 1`, but group `bob` has 2"),
        .group("short ID", "id: ①abc", "① `abc` \(idForm); hint: it has 3 characters instead of 24"),
        .group("pseudo device", "id: ①++FilteredSecPolicy++w==", "① `++FilteredSecPolicy++w==` is not a device"),
        .group(
            "DeviceCheck of Android", "os: android, devicecheck: ①available",
            "① `devicecheck` is for iOS, but these devices run Android"),
        .group(
            "SafetyNet of iOS", "os: ios, safetynet: ①pass", "① `safetynet` is for Android, but these devices run iOS"),
        .group(
            "DeviceCheck that is none", "devicecheck: ①availabel",
            Problem(
                "①", "`devicecheck` must be `available`, `unavailable` or `invalid`, not `availabel`",
                hint: "did you mean `available`?")),
        .group(
            "too many bits", "devicecheck: {state: available, bits: ①4}",
            "① `bits` must be a whole number from 0 to 3, not `4`"),
        .group(
            "month that is none", "devicecheck: {state: available, bits: 1, changed: ①2018-13}",
            "① `2018-13` is not a month; hint: such as 2018-03"),
        .group(
            "month in the future", "devicecheck: {state: available, bits: 1, changed: ①2020-02}",
            "① `changed` lies after the scenario's start"),
        .group(
            "month without bits", "devicecheck: {state: available, changed: ①2018-03}", "① `changed` needs `bits`"),
        .group("no state", "devicecheck: ①{bits: 1}", "① `state` is missing from `devicecheck`"),
        .group("list for a physical device", "physical: ①[a]", "① `physical` must be text, not a list"),
        .group("unknown key", "①flag: [rooted]", "① unknown key `flag` in group `bob`; hint: did you mean `flags`?"),
    ]

    static let attributes: [LoaderRow] = [
        .group("list of attributes", "attributes: ①[a]", "① `attributes` must be a mapping, not a list"),
        .group(
            "attributes that follow from the device", "attributes: {①device-id: x, ②flags-all: x, ③public-flags: x}",
            "① `device-id` is derived from the device and cannot be given",
            "② `flags-all` is derived from the device and cannot be given",
            "③ `public-flags` is derived from the device and cannot be given"),
        .group("list for a value", "attributes: {device: ①[a]}", "① `device` must be text, not a list"),
        .group("empty value", "attributes: {device: ①}", "① `device` must not be empty"),
        .group(
            "bits behind the prefix", "attributes: {ip: ①10.0.0.1/8}",
            "① `10.0.0.1/8` is not a block of addresses; hint: \(block)"),
        .group(
            "prefix too long", "attributes: {ip: ①10.0.0.0/33}",
            "① `10.0.0.0/33` is not a block of addresses; hint: \(block)"),
        .group(
            "no choice", "attributes: {device: ①{②chose: {a: 100%}}}", "① `choose` is missing from `device`",
            "② unknown key `chose` in `device`; hint: did you mean `choose`?"),
        .group(
            "block among choices", "attributes: {ip: {choose: {10.0.0.0/8: 50%, ①10.0.0.1/8: 50%}}}",
            "① `10.0.0.1/8` is not a block of addresses; hint: \(block)"),
        .group("shares below", "attributes: {device: {choose: ①{a: 50%, b: 49.9%}}}", "① \(mustAddUp)"),
        .group("shares above", "attributes: {device: {choose: ①{a: 60%, b: 50%}}}", "① \(mustAddUp)"),
        .group("nothing to choose from", "attributes: {device: {choose: ①{}}}", "① \(mustAddUp)"),
        .group(
            "share without sign", "attributes: {device: {choose: {a: ①50, b: 50%}}}",
            "① `a` must be a percentage from `0%` to `100%`, not `50`; hint: write `50%`"),
        .group("list of choices", "attributes: {device: {choose: ①[a]}}", "① `choose` must be a mapping, not a list"),
    ]

    @Test(arguments: groups + fields + attributes)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }

    static let warnings: [LoaderRow] = [
        .group(
            "flags that are derived", "flags: [①new-did, rooted, ②risky-device]",
            "① `new-did` is derived; it need not be given", "② `risky-device` is derived; it need not be given"),
        .twoAccounts(
            "one ID in two accounts", "devices: {one: {account: a, id: \(bob)}, two: {account: b, id: \(bob)}}"),
    ]

    @Test(arguments: warnings) func takesWhatMayBe(_ row: LoaderRow) { row.expect(isLoaded: true) }
}

@Suite struct ScenarioLoaderHeadTests {
    static let wholes = [
        LoaderRow("empty", "①", ["① the scenario is empty"]),
        LoaderRow("only a comment", "①# nothing\n", ["① the scenario is empty"]),
        LoaderRow("a list", "①[a]\n", ["① the scenario must be a mapping, not a list"]),
        LoaderRow(
            "no name", "①tags: [a]\nexpect: {metrics: {pass: 0}}\n", ["① `scenario` is missing from the scenario"]),
        LoaderRow(
            "an account", "①account: prod\npolicy: default,allow-root,risk\n",
            [
                Problem(
                    "①", "this is an account, not a scenario",
                    hint: "a scenario takes it with `account: FILE`, and a command with `--account FILE`; folders "
                        + "called `accounts` are not searched")
            ]),
        // No warning besides that nothing is expected: what is wrong may be an expectation.
        LoaderRow(
            "an expectation that is mistyped",
            "scenario: s\ndevices: {a: {}}\nsteps: [{at: 0s, fetch: a, ①expct: {verdict: pass}}]\n",
            ["① unknown key `expct` in a step; hint: did you mean `expect`?"]),
        LoaderRow(
            "expectations of a group that is mistyped",
            "scenario: s\ndevices: {alice: {}}\nsteps: [{at: 0s, fetch: ①alcie, expect: {verdict: pass}}]\n",
            ["① unknown group `alcie`; hint: did you mean `alice`?"]),
        LoaderRow(
            "a list as name", "scenario: ①[a]\nexpect: {metrics: {pass: 0}}\n",
            ["① `scenario` must be text, not a list"]),
    ]

    static let heads: [LoaderRow] = [
        .head("unknown key", "①stpes: []", "① unknown key `stpes` in the scenario; hint: did you mean `steps`?"),
        .head("unknown key that is near none", "①colour: red", "① unknown key `colour` in the scenario"),
        .head("duplicate key", "①scenario: t", "① key `scenario` is already given in line 1"),
        .head("description", "description: ①[a]", "① `description` must be text, not a list"),
        .head("tags", "tags: ①policy", "① `tags` must be a list, not text; hint: write `[policy]`"),
        .head("negative seed", "seed: ①-1", "① `seed` must be a whole number of at least 0, not `-1`"),
        .head(
            "start without a time", "start: ①2020-07-23",
            Problem(
                "①", "`start` must be an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`",
                hint: "write `2020-07-23T00:00:00Z`")),
    ]

    static let accounts: [LoaderRow] = [
        .head(
            "account and accounts", "account: {}\naccounts: ①{a: {}}", "① `accounts` cannot be combined with `account`"),
        .head("no account in accounts", "accounts: ①{}", "① `accounts` names no account"),
        .head(
            "text for accounts", "accounts: ①x", "① `accounts` must be a mapping, not text",
            "① `accounts` names no account"),
        .head("no such file", "account: ①missing.yaml", "① account file `missing.yaml`: no such file or directory"),
        .head("a list for an account", "account: ①[a]", "① the account must be a mapping, not a list"),
        .head(
            "mistake inside an account", "account:\n  ①polcy: x",
            "① unknown key `polcy` in the account; hint: did you mean `policy`?"),
    ]

    @Test(arguments: wholes + heads + accounts) func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}

/// A scenario as text, its mistakes marked, and what is said of them.
struct LoaderRow: LabelledRow {
    let name, text: String
    let problems: [Problem]

    init(_ name: String, _ text: String, _ problems: [Problem]) {
        (self.name, self.text, self.problems) = (name, text, problems)
    }

    /// The problems found and those expected, and true if the scenario was loaded nevertheless.
    var outcome: (found: [String], expected: [String], isLoaded: Bool) {
        let marked = MarkedText(text)
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        return (MarkedText.found(diagnostics), marked.expected(problems), scenario != nil)
    }

    /// Expects just these problems, and that the scenario is loaded nevertheless or is not.
    func expect(isLoaded: Bool, at location: Testing.SourceLocation = #_sourceLocation) {
        let outcome = self.outcome
        #expect(outcome.found == outcome.expected, sourceLocation: location)
        #expect(outcome.isLoaded == isLoaded, sourceLocation: location)
    }

    /// An expectation, so that a scenario is not warned about.
    private static let end = "expect: {metrics: {pass: 0}}\n"
    private static let devices = "devices: {bob: {}, stock: {count: 3}}\n"

    /// Lines behind a name and before what is expected.
    static func head(_ name: String, _ lines: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(lines)\n\(end)", problems)
    }

    /// Lines of a scenario with two accounts, `a` and `b`.
    static func twoAccounts(_ name: String, _ lines: String, _ problems: Problem...) -> LoaderRow {
        let end = "expect: {account: a, metrics: {pass: 0}}\n"
        return LoaderRow(name, "scenario: s\naccounts: {a: {}, b: {}}\n\(lines)\n\(end)", problems)
    }

    /// The fields of a group.
    static func group(_ name: String, _ fields: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\ndevices:\n  bob: {\(fields)}\n\(end)", problems)
    }

    /// Steps of a scenario with two groups, `bob` and `stock`.
    static func steps(_ name: String, _ steps: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(devices)steps:\n\(steps)\n\(end)", problems)
    }

    /// A management command.
    static func command(_ name: String, _ line: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\nsteps:\n  - {at: 0s, approov: \(line)}\n\(end)", problems)
    }

    /// An expectation about a fetch of both groups, by an account with a filter.
    static func expectation(_ name: String, _ expectation: String, _ problems: Problem...) -> LoaderRow {
        let account = "account: {filters: [{name: myip, key: ip, match: 1.2.3.4}]}\n"
        let step = "steps:\n  - {at: 0s, fetch: all, expect: \(expectation)}\n"
        return LoaderRow(name, "scenario: s\n\(account)\(devices)\(step)\(end)", problems)
    }

    /// An expectation at the end.
    static func final(_ name: String, _ expectation: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(devices)expect: \(expectation)\n", problems)
    }
}
