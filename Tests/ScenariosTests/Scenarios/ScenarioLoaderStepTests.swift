import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioLoaderStepTests {
    private static let actions =
        "`fetch`, `request`, `serve`, `approov`, `set`, `launch`, `reinstall`, `factory-reset`, `bind`, `binding`, "
        + "`network`, `outage`, `secure-string`, `custom-jwt`, `prove`, `account`"
    private static let presets =
        "`default`, `strict`, `allow-cloned`, `allow-xposed`, `allow-root`, `allow-root-and-jailbroken`, "
        + "`allow-root-and-jailbroken-only`, `allow-raj-only-short-lifetime`, `whitelist`, `blacklist`"

    private static func measurement(_ name: String, _ url: String) -> LoaderRow {
        .steps(
            name, "- {at: 0s, fetch: bob, domain: ①'\(url)'}",
            Problem(
                "①", "a measurement of `a.com` needs the feature `measurement`",
                hint: "`features: [measurement]` in the account"),
            Problem(
                "①", "a measurement needs encrypted tokens, and those of `a.com` are not",
                hint: "`alg: A256GCMKW` of the domain, or `api -add a.com -jwe`"))
    }

    static let forms: [LoaderRow] = [
        .head("text for steps", "steps: ①x", "① `steps` must be a list, not text; hint: write `[x]`"),
        .steps("text for a step", "- ①x", "① a step must be a mapping, not text"),
        .steps("no time", "- ①{fetch: bob}", "① `at` is missing from a step"),
        .steps("no duration", "- {at: ①soon, fetch: bob}", "① `at` must be a duration such as `1h30m`, not `soon`"),
        .steps(
            "out of order", "- {at: 2m, fetch: bob}\n- ①{at: 1m, fetch: bob}\n- ②{at: 119s, fetch: bob}",
            "① step at 1m comes after one at 2m; hint: steps have to be in the order of time",
            "② step at 1m59s comes after one at 2m; hint: steps have to be in the order of time"),
        .steps("nothing to do", "- ①{at: 0s}", "① a step needs one of \(actions)"),
        .steps(
            "two things to do", "- {at: 0s, launch: ①bob, fetch: bob}", "① `launch` cannot be combined with `fetch`"),
        .steps(
            "unknown key", "- ①{at: 0s, ②ftech: bob}", "① a step needs one of \(actions)",
            "② unknown key `ftech` in a step; hint: did you mean `fetch`?"),
        .steps("domain", "- {at: 0s, launch: bob, domain: ①a.com}", "① `domain` goes with `fetch` only"),
        measurement("R22.1 a measurement", "a.com?measurement"),
        measurement("R22.1 a measurement by a whole URL", "https://a.com/v1?a=b&measurement#top"),
        .steps("account", "- {at: 0s, launch: bob, account: ①a}", "① `account` goes with `approov` only"),
        .steps(
            "network that is none", "- {at: 0s, network: {group: bob, state: ①off}}",
            "① `state` must be `ok`, `none`, `poor` or `mitm`, not `off`"),
        .steps("network of nobody", "- {at: 0s, network: ①{state: none}}", "① `group` is missing from `network`"),
        .steps(
            "outage of something else", "- {at: 0s, outage: ①backend}",
            "① `outage` must be `primary`, `failover` or `all`, not `backend`"),
        .steps(
            "outage that ends before it starts", "- {at: 1m, outage: primary, until: ①1m}",
            "① `until` must lie after `at`"),
    ]

    private static func requests(_ name: String, _ steps: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(
            name,
            "scenario: s\naccount: {apis: [{domain: api.example.com}]}\nbackends: {cdn.com: {chain: [A]}}\n"
                + "devices: {bob: {client: {static-pins: {pinned.com: [key:A]}}}}\nsteps:\n\(steps)\n"
                + "expect: {metrics: {pass: 0}}\n", problems)
    }

    static let hosts: [LoaderRow] = [
        requests(
            "a misspelt host", "- {at: 0s, request: bob, to: ①api.exmaple.com, expect: {accepted: 1}}",
            "① neither an account nor a backend is called `api.exmaple.com`; hint: did you mean `api.example.com`?"),
        requests(
            "in a URL, and by plain HTTP",
            "- {at: 0s, request: bob, to: ①'https://api.exmaple.com/v1'}\n- {at: 0s, request: bob, to: ②'http://cdm.com'}",
            "① neither an account nor a backend is called `api.exmaple.com`; hint: did you mean `api.example.com`?",
            "② neither an account nor a backend is called `cdm.com`; hint: did you mean `cdn.com`?"),
        requests(
            "a host that is like no other", "- {at: 0s, request: bob, to: ①elsewhere.org, expect: {accepted: 1}}",
            Problem(
                "①", "neither an account nor a backend is called `elsewhere.org`",
                hint: "`backends` names a host that is no API domain, and `result: UNKNOWN_URL` expects one")),
        requests(
            "hosts that are named",
            "- {at: 0s, request: bob, to: API.example.com}\n- {at: 0s, request: bob, to: cdn.com}\n"
                + "- {at: 0s, request: bob, to: pinned.com}\n- {at: 0s, request: bob, to: b.com}\n"
                + "- {at: 0s, request: bob, to: c.com}\n- {at: 0s, request: bob, to: d.com}\n"
                + "- {at: 1s, approov: api -add b.com}\n- {at: 1s, serve: {c.com: [A]}}\n"
                + "- {at: 1s, network: {group: bob, state: mitm, only: [d.com]}}"),
        requests(
            "hosts that are expected to be unknown",
            "- {at: 0s, request: bob, to: other.com, expect: {result: UNKNOWN_URL}}\n"
                + "- {at: 0s, request: bob, to: api.exmaple.com, expect: [{group: bob, result: UNKNOWN_URL}]}"),
        .head(
            "an account without a list serves any host",
            "devices: {bob: {}}\nsteps:\n- {at: 0s, request: bob, to: elsewhere.org}"),
        .head(
            "but a backend or pins are for one of them",
            "backends: {cdn.com: {chain: [A]}}\ndevices: {bob: {}}\nsteps:\n- {at: 0s, request: bob, to: ①cdm.com}",
            "① neither an account nor a backend is called `cdm.com`; hint: did you mean `cdn.com`?"),
    ]

    @Test("R19.4 a host that nothing names is a typing error", arguments: hosts)
    func misspeltHosts(_ row: LoaderRow) { row.expect(isLoaded: row.problems.isEmpty) }

    static let repetitions: [LoaderRow] = [
        .steps("no end", "- {at: 0s, fetch: bob, every: ①1m}", "① `every` needs `until`"),
        .steps("no interval", "- {at: 0s, fetch: bob, until: ①1m}", "① `until` needs `every`"),
        .steps(
            "interval of nothing", "- {at: 0s, fetch: bob, every: ①0s, until: 1m}", "① `every` must be at least `1s`"),
        .steps("end before beginning", "- {at: 2m, fetch: bob, every: 1m, until: ①1m}", "① `until` lies before `at`"),
        .steps(
            "neither a duration", "- {at: 0s, fetch: bob, every: ①often, until: 1m}",
            "① `every` must be a duration such as `1h30m`, not `often`"),
    ]

    static let groups: [LoaderRow] = [
        .steps("near group", "- {at: 0s, fetch: ①bbo}", "① unknown group `bbo`; hint: did you mean `bob`?"),
        .steps("far group", "- {at: 0s, launch: ①carol}", "① unknown group `carol`; hint: there are `bob`, `stock`"),
        .steps(
            "group in a list", "- {at: 0s, factory-reset: [bob, ①carol]}",
            "① unknown group `carol`; hint: there are `bob`, `stock`"),
        .steps("no group", "- {at: 0s, fetch: ①[]}", "① `fetch` names no group"),
        .steps("group twice", "- {at: 0s, launch: ①[bob, bob]}", "① `launch` names a group twice"),
        .steps("mapping", "- {at: 0s, fetch: ①{}}", "① `fetch` must be text, not a mapping"),
        .head("no groups at all", "steps: [{at: 0s, fetch: ①all}]", "① there are no devices"),
        .head("group of none", "steps: [{at: 0s, fetch: ①bob}]", "① unknown group `bob`; hint: there are no groups"),
    ]

    static let parts: [LoaderRow] = [
        .steps("text for set", "- {at: 0s, set: ①bob}", "① `set` must be a mapping, not text"),
        .steps("set of nobody", "- {at: 0s, set: ①{flags: []}}", "① `group` is missing from `set`"),
        .steps(
            "set of nothing", "- {at: 0s, set: ①{group: bob}}",
            "① `set` has nothing to set; hint: it takes `flags`, `attributes` and more"),
        .steps(
            "unknown key of set", "- {at: 0s, set: {group: bob, flags: [], ①flag: []}}",
            "① unknown key `flag` in `set`; hint: did you mean `flags`?"),
        .steps(
            "unknown flag of set", "- {at: 0s, set: {group: bob, flags: [①fridda]}}",
            "① unknown flag `fridda`; hint: did you mean `frida`?"),
        .steps(
            "reinstall of nobody", "- {at: 0s, reinstall: ①{keep-id: true}}", "① `group` is missing from `reinstall`"),
        .steps(
            "keep-id", "- {at: 0s, reinstall: {group: bob, keep-id: ①yes}}",
            "① `keep-id` must be `true` or `false`, not `yes`; hint: write `true`"),
        .steps(
            "unknown key of reinstall", "- {at: 0s, reinstall: {group: bob, ①keepid: true}}",
            "① unknown key `keepid` in `reinstall`; hint: did you mean `keep-id`?"),
        .steps(
            "no time, and an end at the start", "- ①{fetch: bob, every: 1s, until: 0s}",
            "① `at` is missing from a step"),
        .steps("bind of nothing", "- {at: 0s, bind: ①{group: bob}}", "① `data` is missing from `bind`"),
        .steps("text for bind", "- {at: 0s, bind: ①bob}", "① `bind` must be a mapping, not text"),
    ]

    static let commands: [LoaderRow] = [
        .command("empty", "①''", "① `approov` must not be empty"),
        .command("only the program", "①approov", "① empty command"),
        .command("open quote", "①\"policy -set 'x\"", "① quote ' is not closed"),
        .command("topic", "①polcy -set x", "① unknown command `polcy`; hint: did you mean `policy`?"),
        .command("action", "①policy -sett x", "① unknown option `-sett` of `policy`; hint: did you mean `-set`?"),
        .command(
            "preset", "①\"policy -set default,alow-root,risk\"",
            "① unknown rejection policy `alow-root`; there are \(presets); hint: did you mean `allow-root`?"),
        .command("flag", "①policy -addRejectFlag roted", "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .command(
            "filter without a test", "①filter -add f",
            "① a filter needs `-key` and `-matchValue`, or else `-conjunction`"),
        .command(
            "topic that is not simulated", "①sdk -getLibrary",
            "① `sdk` is not simulated; hint: the SDK is simulated, so there is none to get"),
        .command("filter that is none", "①filter -remove f", "① there is no filter `f`"),
        .command(
            "entry that is none", "①device -remove h4gubfCFzJu81j/U2BJsdg==",
            "① there is no entry for device `h4gubfCFzJu81j/U2BJsdg==`"),
        .steps(
            "filter that is none any more",
            "- {at: 0s, approov: filter -add f -key ip -matchValue x}\n- {at: 1s, approov: filter -remove f}\n"
                + "- {at: 2s, approov: ①filter -remove f}", "① there is no filter `f`"),
        .twoAccounts(
            "which of several accounts", "steps:\n- ①{at: 0s, approov: policy -setARC off}",
            "① `approov` needs `account`, because the scenario has several"),
    ]

    @Test(arguments: forms + repetitions + groups + parts + commands)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }

    @Test func commandsThatAreProbablyNotMeantAreWarnedAbout() {
        let row = LoaderRow.command(
            "all on an account", "①\"policy -set default,default,all\"",
            "① the annotation policy `all` on a whole account tells attackers why they are rejected")
        row.expect(isLoaded: true)
    }

    private static func commands(_ steps: [String]) -> String {
        let text = steps.map { "  - {\($0)}\n" }.joined()
        let account = "account: {filters: [{name: g, key: ip, match: y}]}\n"
        return "scenario: s\n\(account)steps:\n\(text)expect: {metrics: {pass: 0}}\n"
    }

    private static let add = "approov: filter -add f -key ip -matchValue x"
    private static let remove = "approov: filter -remove f"

    static let rehearsed = [
        [
            "at: 0s, \(add), every: 10s, until: 1m", "at: 5s, \(remove), every: 10s, until: 1m",
            "at: 12s, approov: filter -add c -conjunction f+g",
        ],
        ["at: 0s, \(add)", "at: 1s, \(remove), every: 10s, until: 12s", "at: 5s, \(add)", "at: 11s, \(add)"],
        [
            "at: 0s, \(add), every: 10s, until: 50s", "at: 0s, \(remove), every: 10s, until: 50s",
            "at: 20s, \(add)", "at: 20s, approov: filter -add c -conjunction f+g",
        ],
        // Longer than is rehearsed.
        ["at: 0s, \(add), every: 1s, until: 10d", "at: 9d, \(remove)", "at: 10d, \(add)", "at: 11d, \(remove)"],
    ]

    @Test("commands are tried in the order of time, again and again", arguments: rehearsed)
    func isRight(steps: [String]) throws {
        #expect(try ScenarioText.load(Self.commands(steps)).steps.count == steps.count)
    }

    static let refused = [
        (["at: 0s, \(add)", "at: 5s, ①\(remove), every: 10s, until: 20s"], "there is no filter `f`", String?.none),
        (
            [
                "at: 0s, \(add), every: 10s, until: 1m", "at: 5s, \(remove), every: 10s, until: 1m",
                "at: 17s, ①approov: filter -add c -conjunction f+g",
            ],
            "input `f` of conjunction `c` is no filter", nil
        ),
        (
            ["at: 0s, \(add), every: 1s, until: 10d", "at: 9d, ①approov: policy -addRejectFlag roted"],
            "unknown flag `roted`", "did you mean `rooted`?"
        ),
    ]

    @Test("what goes wrong at some time is reported at its position", arguments: refused)
    func isWrong(steps: [String], message: String, hint: String?) {
        let text = Self.commands(steps).replacing("①approov: ", with: "approov: ①")
        let (found, expected, isLoaded) = LoaderRow("", text, [Problem("①", message, hint: hint)]).outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
