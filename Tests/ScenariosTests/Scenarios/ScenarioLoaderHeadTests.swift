import Testing

@testable import TestSupport

@Suite struct ScenarioLoaderHeadTests {
    static let wholes = [
        LoaderRow("empty", "①", [Problem("①", "the scenario is empty")]),
        LoaderRow("only a comment", "①# nothing\n", [Problem("①", "the scenario is empty")]),
        LoaderRow("a list", "①[a]\n", [Problem("①", "the scenario must be a mapping, not a list")]),
        LoaderRow(
            "no name", "①tags: [a]\nexpect: {metrics: {pass: 0}}\n",
            [Problem("①", "`scenario` is missing from the scenario")]),
        LoaderRow(
            "an account", "①account: prod\npolicy: default,allow-root,risk\n",
            [
                Problem(
                    "①", "this is an account, not a scenario",
                    hint: "a scenario takes it with `account: FILE`; folders called `accounts` are not searched")
            ]),
        // No warning besides that nothing is expected: what is wrong may be an expectation.
        LoaderRow(
            "an expectation that is mistyped",
            "scenario: s\ndevices: {a: {}}\nsteps: [{at: 0s, fetch: a, ①expct: {verdict: pass}}]\n",
            [Problem("①", "unknown key `expct` in a step", hint: "did you mean `expect`?")]),
        LoaderRow(
            "expectations of a group that is mistyped",
            "scenario: s\ndevices: {alice: {}}\nsteps: [{at: 0s, fetch: ①alcie, expect: {verdict: pass}}]\n",
            [Problem("①", "unknown group `alcie`", hint: "did you mean `alice`?")]),
        LoaderRow(
            "a list as name", "scenario: ①[a]\nexpect: {metrics: {pass: 0}}\n",
            [Problem("①", "`scenario` must be text, not a list")]),
    ]

    static let heads: [LoaderRow] = [
        .head(
            "unknown key", "①stpes: []",
            Problem("①", "unknown key `stpes` in the scenario", hint: "did you mean `steps`?")),
        .head("unknown key that is near none", "①colour: red", Problem("①", "unknown key `colour` in the scenario")),
        .head("duplicate key", "①scenario: t", Problem("①", "key `scenario` is already given in line 1")),
        .head("description", "description: ①[a]", Problem("①", "`description` must be text, not a list")),
        .head("tags", "tags: ①policy", Problem("①", "`tags` must be a list, not text", hint: "write `[policy]`")),
        .head("negative seed", "seed: ①-1", Problem("①", "`seed` must be a whole number of at least 0, not `-1`")),
        .head(
            "start without a time", "start: ①2020-07-23",
            Problem(
                "①", "`start` must be an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`",
                hint: "write `2020-07-23T00:00:00Z`")),
    ]

    static let accounts: [LoaderRow] = [
        .head(
            "account and accounts", "account: {}\naccounts: ①{a: {}}",
            Problem("①", "`accounts` cannot go with `account`")),
        .head("no account in accounts", "accounts: ①{}", Problem("①", "`accounts` names no account")),
        .head(
            "text for accounts", "accounts: ①x", Problem("①", "`accounts` must be a mapping, not text"),
            Problem("①", "`accounts` names no account")),
        .head(
            "no such file", "account: ①missing.yaml",
            Problem("①", "account file `missing.yaml`: no such file or directory")),
        .head("a list for an account", "account: ①[a]", Problem("①", "the account must be a mapping, not a list")),
        .head(
            "mistake inside an account", "account:\n  ①polcy: x",
            Problem("①", "unknown key `polcy` in the account", hint: "did you mean `policy`?")),
    ]

    @Test(arguments: wholes + heads + accounts) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
