import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioLoaderExpectationTests {
    private static let idForm = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    private static let appForm = "no device of this account has an `appid`"

    static let forms: [LoaderRow] = [
        .expectation("nothing", "①[]", "① `expect` expects nothing"),
        .expectation("text", "①x", "① an expectation must be a mapping, not text"),
        .expectation("no check", "①{group: bob}", "① the expectation has nothing to check"),
        .expectation("no check of all", "[①{}]", "① the expectation has nothing to check"),
        .expectation(
            "unknown key", "{①verdit: pass}",
            "① unknown key `verdit` in an expectation; hint: did you mean `verdict`?"),
        .expectation(
            "group and device", "{group: bob, device: ①stock, pass: 1}", "① `device` cannot be combined with `group`"),
        .expectation("unknown group", "{group: ①bbo, pass: 1}", "① unknown group `bbo`; hint: did you mean `bob`?"),
        .expectation(
            "unknown device", "{device: ①bobb, pass: 1}",
            "① `bobb` \(idForm); hint: it has 4 characters instead of 24"),
        .expectation(
            "device of many", "{device: ①stock, pass: 1}",
            "① `stock` \(idForm); hint: it has 5 characters instead of 24"),
        .steps(
            "group that does not fetch", "- {at: 0s, fetch: bob, expect: {group: ①stock, pass: 3}}",
            "① group `stock` does not fetch here"),
        .steps(
            "no fetch", "- {at: 0s, launch: bob, expect: ①{pass: 1}}",
            "① `expect` can be used with fetches, requests and calls only"),
    ]

    static let values: [LoaderRow] = [
        .expectation(
            "verdict", "{verdict: ①passed}",
            "① `verdict` must be `pass` or `fail`, not `passed`; hint: did you mean `pass`?"),
        .expectation(
            "result", "{result: ①OK}",
            Problem(
                "①",
                "`result` must be `SUCCESS`, `NO_NETWORK`, `POOR_NETWORK`, `MITM_DETECTED`, `NO_APPROOV_SERVICE`, "
                    + "`BAD_URL`, `UNKNOWN_URL` or `UNPROTECTED_URL`, not `OK`")),
        .expectation(
            "policy", "{policy: ①\"default,default\"}",
            Problem(
                "①", "`default,default` is not a security policy; write `rules,rejection,annotation` without spaces",
                hint: "did you mean `default,default,default`?")),
        .expectation(
            "nothing in a policy", "{policy: ①\"default,,custom,risk\"}",
            Problem(
                "①",
                "`default,,custom,risk` is not a security policy; write `rules,rejection,annotation` without spaces")),
        .expectation(
            "annotation in a policy", "{policy: ①\"default,custom,rsk\"}",
            Problem(
                "①",
                "unknown annotation policy or flag `rsk`; there are `default`, `info`, `risk`, `all`, and flags joined "
                    + "by `+`", hint: "did you mean `risk`?")),
        .expectation(
            "lifetime without unit", "{lifetime: ①300}",
            "① `lifetime` must be a duration such as `1h30m`, not `300`; hint: give `300` a unit: `300s`"),
        .expectation("empty ARC", "{arc: ①{}}", "① `arc` needs one of `passed`, `failed` and `status`"),
        .expectation(
            "ARC of another account", "{arc: ①KTF6LXEPX4}",
            Problem(
                "①", "`KTF6LXEPX4` is neither a status nor a code of this account",
                hint: "`arc` is `passed`, `failed`, `none`, a code, or such as `{failed: [rooted]}`")),
        .expectation(
            "ARC with two statuses", "{arc: ①{passed: [], failed: []}}",
            "① `arc` needs one of `passed`, `failed` and `status`"),
        .expectation(
            "flag of an ARC", "{arc: {failed: [①roted]}}", "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .expectation("flag", "{flags: [①roted]}", "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .expectation("rejection", "{rejections: {①roted: 1}}", "① unknown flag `roted`; hint: did you mean `rooted`?"),
        .expectation(
            "rejecting filter", "{rejections: [①'filter:myp']}", "① unknown filter `myp`; hint: did you mean `myip`?"),
        .expectation("filter", "{filters: {①mypi: 1}}", "① unknown filter `mypi`; hint: did you mean `myip`?"),
        .expectation("no names", "{flags: ①{}}", "① `flags` has nothing to check"),
        .expectation(
            "text for annotations", "{annotations: ①risk}",
            "① `annotations` must be a list, not text; hint: write `[risk]`"),
        .expectation(
            "flag among annotations", "{annotations: [①roted]}",
            "① unknown flag `roted`; hint: did you mean `rooted`?"),
    ]

    static let counts: [LoaderRow] = [
        .expectation("text", "{pass: ①all}", "① `pass` must be a whole number of at least 0, not `all`"),
        .expectation("negative", "{fail: ①-1}", "① `fail` must be a whole number of at least 0, not `-1`"),
        .expectation("no bounds", "{cached: ①{}}", "① `cached` needs a number, `at-least`, `at-most` or `about`"),
        .expectation(
            "impossible bounds", "{pass: ①{at-least: 3, at-most: 2}}",
            "① `pass` can never be at least 3 and at most 2"),
        .expectation(
            "about and a bound", "{pass: {at-most: 2, about: ①{value: 3, within: 1}}}",
            "① `about` cannot be combined with other bounds"),
        .expectation("about what", "{attested: {about: ①{within: 1}}}", "① `value` is missing from `about`"),
        .expectation("about how much", "{pass: {about: ①{value: 3}}}", "① `within` is missing from `about`"),
        .expectation("number for about", "{pass: {about: ①3}}", "① `about` must be a mapping, not text"),
        .expectation(
            "unknown bound", "{pass: ①{②atleast: 1}}", "① `pass` needs a number, `at-least`, `at-most` or `about`",
            "② unknown key `atleast` in `pass`; hint: did you mean `at-least`?"),
        .expectation(
            "in a map", "{flags: {rooted: ①few}}", "① `rooted` must be a whole number of at least 0, not `few`"),
    ]

    // One app from the beginning, another one later on.
    private static let apps = """
        scenario: s
        devices:
          android: {os: android, attributes: {appid: com.bank, app-version: {choose: {"1": 50%, "2": 50%}}}}
          ios: {os: ios, attributes: {appid: com.other}}
        steps: [{at: 0s, set: {group: ios, attributes: {appid: com.bank, app-version: "2"}}}]

        """

    @Test("R13.1 apps that devices come with at some time can be counted") func appsOfDevices() throws {
        let names = [
            "pass-app-and-com.bank", "pass-app-ios-com.other", "fail-app-ios-com.bank", "pass-appver-and-com.bank-1",
            "fail-appver-and-com.bank-2", "pass-appver-ios-com.bank-2", "daily-pass-app-ios-com.bank",
        ]
        let metrics = names.map { "\($0): 0" }.joined(separator: ", ")
        #expect(try ScenarioText.load("\(Self.apps)expect: {metrics: {\(metrics)}}\n").steps.count == 1)
    }

    static let finals: [LoaderRow] = [
        .final("nothing", "①[]", "① `expect` expects nothing"),
        .final("no check", "①{}", "① `expect` has nothing to check"),
        .final("no metric", "{metrics: ①{}}", "① `metrics` has nothing to check"),
        .final("text", "①x", "① `expect` must be a mapping, not text"),
        .final("unknown key", "{①metric: {}}", "① unknown key `metric` in `expect`; hint: did you mean `metrics`?"),
        .final(
            "account where there is one", "{account: ①a, metrics: {pass: 0}}",
            "① `account` names one of `accounts`, and the scenario has none"),
        .final("list of metrics", "{metrics: ①[pass]}", "① `metrics` must be a mapping, not a list"),
        .final("unknown metric", "{metrics: {①passs: 1}}", "① unknown metric `passs`; hint: did you mean `pass`?"),
        .final("metric that is near none", "{metrics: {①weekly-pass: 1}}", "① unknown metric `weekly-pass`"),
        .final(
            "metric of an unknown flag", "{metrics: {①rejection-flag-roted: 0}}",
            "① unknown metric `rejection-flag-roted`; hint: did you mean `rooted`?"),
        .final(
            "windowed metric of an unknown flag", "{metrics: {①daily-fail-flag-roted: 0}}",
            "① unknown metric `daily-fail-flag-roted`; hint: did you mean `rooted`?"),
        .final("metric of an unknown filter", "{metrics: {①filter-f: 0}}", "① unknown metric `filter-f`"),
        .final(
            "metric of an unknown policy", "{metrics: {①policy-alow-root: 0}}",
            "① unknown metric `policy-alow-root`; hint: did you mean `allow-root`?"),
        .final(
            "metric of an unknown system", "{metrics: {①pass-app-windows-x: 0}}",
            Problem(
                "①", "unknown metric `pass-app-windows-x`",
                hint: "it is `pass-app-OS-APP`, with OS `and`, `ios` or `unknown`")),
        .final("value of a metric", "{metrics: {pass: ①x}}", "① `pass` must be a whole number of at least 0, not `x`"),
        .final(
            "state of an unknown group", "{device-state: {①carol: none}}",
            "① unknown group `carol`; hint: there are `bob`, `stock`"),
        .final(
            "text for a state", "{device-state: {bob: ①did-ban}}",
            "① `flags` must be a list, not text; hint: write `[did-ban]`"),
        .final(
            "unknown flag in a state", "{device-state: {bob: [①did-bann]}}",
            "① unknown flag `did-bann`; hint: did you mean `did-ban`?"),
        LoaderRow(
            "misspelt app", "\(apps)expect: {metrics: {①pass-app-and-com.bnak: 0}}\n",
            ["① unknown metric `pass-app-and-com.bnak`; hint: did you mean `pass-app-and-com.bank`?"]),
        LoaderRow(
            "app without its version", "\(apps)expect: {metrics: {①fail-appver-ios-com.bank: 0}}\n",
            [
                "① unknown metric `fail-appver-ios-com.bank`; hint: did you mean `fail-appver-ios-com.bank-1`?"
            ]),
        LoaderRow(
            "app of another account",
            "\(apps)expect: {account: b, metrics: {①pass-app-and-com.bank: 0}}\n"
                .replacing("scenario: s\n", with: "scenario: s\naccounts: {a: {}, b: {}}\n")
                .replacing("{os:", with: "{account: a, os:"),
            ["① unknown metric `pass-app-and-com.bank`; hint: \(appForm)"]),
        LoaderRow(
            "which of several accounts", "scenario: s\naccounts: {a: {}, b: {}}\nexpect: ①{metrics: {pass: 0}}\n",
            ["① `expect` needs `account`, because the scenario has several"]),
        LoaderRow(
            "group of another account",
            "scenario: s\naccounts: {a: {}, b: {}}\ndevices: {bob: {account: b}}\n"
                + "expect: {account: a, device-state: {①bob: none}}\n",
            ["① group `bob` belongs to another account"]),
    ]

    @Test(arguments: forms + values + counts + finals)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }

    private static func ofTwoAccounts(_ expectation: String) -> String {
        """
        scenario: s
        accounts:
          a: {rules: [alpha], flags: [{name: of-a}]}
          b: {rules: [beta], flags: [{name: of-b}], filters: [{name: seen, key: ip, match: x}]}
        devices: {one: {account: a}, two: {account: b}}
        steps: [{at: 0s, fetch: all, expect: \(expectation)}]

        """
    }

    @Test(
        "a name is known where any of the accounts knows it",
        arguments: [
            "{flags: {of-a: 0, of-b: 0}}", "{rejections: {of-b: 0}}", "{annotations: {of-b: 0}}",
            "{filters: {seen: 0}}",
            "{policy: 'default,default,of-b'}", "{policy: 'default,custom,of-a'}", "{arc: {failed: [of-b]}}",
            "{group: two, flags: {of-b: 0}}",
        ])
    func anyAccountMayKnow(expectation: String) throws {
        #expect(try ScenarioText.load(Self.ofTwoAccounts(expectation)).steps.first?.expectations.count == 1)
    }

    static let ofOneAccount = [
        ("{flags: {①of-c: 0}}", "unknown flag `of-c`", "did you mean `of-a`?"),
        ("{group: two, flags: {①of-a: 0}}", "unknown flag `of-a`", "did you mean `of-b`?"),
        ("{group: one, rejections: [①of-b]}", "unknown flag `of-b`", "did you mean `of-a`?"),
        ("{arc: {failed: [①of-c]}}", "unknown flag `of-c`", "did you mean `of-a`?"),
    ]

    @Test(arguments: ofOneAccount) func aNameHasToBeThatOfAnEvaluator(
        expectation: String, message: String, hint: String
    ) {
        let row = LoaderRow("", Self.ofTwoAccounts(expectation), [Problem("①", message, hint: hint)])
        row.expect(isLoaded: false)
    }

    @Test func anExpectationOfNobodyIsAnErrorAndNoFault() async {
        await #expect(processExitsWith: .success) {
            let row = LoaderRow.head(
                "no devices", "steps: [{at: 0s, fetch: ①all, expect: {pass: 1}}]", "① there are no devices")
            precondition(!row.outcome.isLoaded)
        }
    }

    @Test func filtersOfOtherAccountsAreUnknown() {
        let row = LoaderRow(
            "filter of another account",
            "scenario: s\naccounts: {a: {}, b: {filters: [{name: myip, key: ip, match: x}]}}\n"
                + "expect: {account: a, metrics: {①filter-myip: 0}}\n", ["① unknown metric `filter-myip`"])
        row.expect(isLoaded: false)
    }
}
