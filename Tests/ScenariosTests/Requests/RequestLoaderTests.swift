import Testing

@testable import TestSupport

/// The errors for backends, clients and requests, at their positions.
@Suite struct RequestLoaderTests {
    private static let pinHint = "`key:NAME` stands for the pin of a key of that name"

    static let groups: [LoaderRow] = [
        .group(
            "R18.1 a static pin that is none", "client: {static-pins: {a.com: [key:A, ①notapin]}}",
            Problem("①", "`notapin` is not a pin; a pin is the base64 of 32 bytes", hint: pinHint)),
        .group("no static pins", "client: {static-pins: {a.com: ①[]}}", Problem("①", "`a.com` has no pins")),
        .group(
            "a domain that is none", "client: {static-pins: {①a/b: [key:A]}}",
            Problem("①", "`a/b` is not a domain; it has letters, digits, `-` and `.` only")),
        .group(
            "R18.4 when pins are read", "client: {read-pins: ①launches}",
            Problem(
                "①", "`read-pins` must be `connection`, `config-change` or `launch`, not `launches`",
                hint: "did you mean `launch`?")),
        .group(
            "on-force", "client: {on-force: ①relaunch-if-pending}",
            Problem("①", "`on-force` must be `relaunch` or `ignore`, not `relaunch-if-pending`")),
        .group(
            "R17.2 when it was built", "client: {built-in: ①soon}",
            Problem("①", "`built-in` must be a duration such as `1h30m`, not `soon`")),
        .group(
            "a key that nobody knows", "client: {①reads-pins: launch}",
            Problem("①", "unknown key `reads-pins` in `client`", hint: "did you mean `read-pins`?")),
        .group(
            "R18.7 pinning", "pinning: ①broken",
            Problem("①", "`pinning` must be `sound` or `compromised`, not `broken`")),
    ]

    static let backends: [LoaderRow] = [
        .head("no chain", "backends: {a.com: {chain: ①[]}}", Problem("①", "a chain has at least one key")),
        .head("nothing", "backends: {①a.com: {}}", Problem("①", "nothing is said of backend `a.com`")),
        .head(
            "a list", "backends: {a.com: ①[A]}", Problem("①", "backend `a.com` must be a mapping, not a list")),
        .head(
            "R19.4 a token that is neither", "backends: {a.com: {token: ①optional}}",
            Problem("①", "`token` must be `required` or `ignored`, not `optional`")),
        .head(
            "R18.1 a pin of the account that is none", "account: {apis: [{domain: a.com, pins: [①notapin]}]}",
            Problem("①", "`notapin` is not a pin; a pin is the base64 of 32 bytes", hint: pinHint)),
    ]

    static let steps: [LoaderRow] = [
        .steps(
            "R19 a request to nobody", "- {at: 0s, request: ①bob}",
            Problem("①", "`request` needs `to`", hint: "it names the domain, such as api.example.com")),
        .steps(
            "a URL of another scheme", "- {at: 0s, request: bob, to: ①'ftp://a.com'}",
            Problem("①", "`ftp://a.com` is neither a domain nor a URL with `https` or `http`")),
        .steps(
            "R19.1 a header without a name", "- {at: 0s, request: bob, to: a.com, data: ①x}",
            Problem("①", "`data` goes with a `binding-header` of the group's `client`")),
        .steps(
            "`to` without a request", "- {at: 0s, fetch: bob, to: ①a.com}",
            Problem("①", "`to`, `data`, `header` and `as` go with `request` only")),
        .steps("R18.6 nothing to serve", "- {at: 0s, serve: ①{}}", Problem("①", "`serve` names no domain")),
        .steps(
            "R18.6 a proxy in another network", "- {at: 0s, network: {group: bob, state: none, only: ①[a.com]}}",
            Problem("①", "`only` and `trusted` go with `state: mitm`")),
        .steps(
            "R18.6 a proxy nowhere", "- {at: 0s, network: {group: bob, state: mitm, only: ①[]}}",
            Problem("①", "`only` names no domain")),
        .steps(
            "R18.1 a pin in a command", "- {at: 0s, approov: ①pin -api a.com -add notapin}",
            Problem(
                "①", "`notapin` is not a pin of `a.com`; a pin is the base64 of 32 bytes", hint: pinHint)),
        .steps(
            "R19.6 an outcome of a fetch", "- {at: 0s, fetch: bob, expect: {①accepted: 1}}",
            Problem("①", "unknown key `accepted` in an expectation")),
    ]

    static let final: [LoaderRow] = [
        .group(
            "R21.4 signing that is neither on nor off", "client: {sign-messages: ①maybe}",
            Problem("①", "`sign-messages` must be `true` or `false`, not `maybe`")),
        .final(
            "R19.6 a figure that is none", "{requests: {①blockd: 1}}",
            Problem("①", "`blockd` is neither a figure of requests nor a group", hint: "did you mean `blocked`?")),
        .final(
            "R19.6 a figure of a group that is none", "{requests: {bob: {①still-blockd: 1}}}",
            Problem("①", "unknown figure `still-blockd` of requests", hint: "did you mean `still-blocked`?")),
        .final(
            "R19.6 no duration", "{requests: {longest-blocked: ①3}}",
            Problem("①", "`longest-blocked` must be a duration such as `1h30m`, not `3`", hint: "give `3` a unit: `3s`")
        ),
        .final(
            "R19.6 a duration of nothing", "{requests: {longest-blocked: ①{}}}",
            Problem("①", "`longest-blocked` needs a duration, `at-least` or `at-most`")),
        .final(
            "R19.6 a duration that cannot be", "{requests: {longest-blocked: ①{at-least: 2s, at-most: 1s}}}",
            Problem("①", "`longest-blocked` can never be both")),
        LoaderRow(
            "R19.6 a group of another account",
            "scenario: s\naccounts: {a: {}, b: {}}\ndevices: {bob: {account: b}}\n"
                + "expect: {account: a, requests: {①bob: {blocked: 0}}}\n",
            [Problem("①", "group `bob` belongs to another account")]),
        .final("R19.6 nothing", "{requests: ①{}}", Problem("①", "`requests` says nothing to check")),
    ]

    @Test("R17–R19 says what is wrong", arguments: groups + backends + steps + final)
    func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
