import Testing

@testable import TestSupport

/// Requests without the header, by plain HTTP, and with another install's token (R19.1, R19.7, R19.8).
@Suite struct RequestFormTests {
    private static let bound = "client: {binding-header: Session}"

    static let headers = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [A]}}
        == R19.1 a request has the header, or it has not
        devices: {bob: {\(bound)}, amy: {}}
        - {at: 0s, request: bob, to: a.com, header: present, expect: {accepted: 1, token: {claims: {pay: any}}}}
        - at: 1s
          request: all
          to: a.com
          header: absent
          expect: [{group: bob, not-sent: 1, result: {SUCCESS: 0}}, {group: amy, accepted: 1, attested: 1}]
        - {at: 2s, request: bob, to: a.com, header: present, data: x, expect: {token: {claims: {pay: {data: x}}}}}
        """)

    static let plain = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [A]}}
        devices: {bob: {}}
        == R19.7 it goes without a token, so the backend refuses it
        - {at: 0s, request: bob, to: 'http://a.com/v1', expect: {refused: 1}}
        - {at: 0s, request: bob, to: 'HTTP://A.com:8080', expect: {refused: 1}}
        # Nothing was fetched.
        expect: {vacuous: allowed, metrics: {sdk-calls-fetch-sync: 0, sdk-calls-get-pins: 0}}
        == R19.7 no pin applies, and nothing is bound
        backends: {a.com: {chain: [B], token: ignored}}
        devices: {bob: {client: {unpinned: refuse, binding-header: Session, read-pins: connection}}}
        - {at: 0s, request: bob, to: a.com, expect: {blocked: 1}}
        - {at: 1s, request: bob, to: 'http://a.com', expect: {accepted: 1}}
        == R19.7 whoever is on the way reads it
        backends: {a.com: {chain: [A], token: ignored}}
        - {at: 0s, network: {group: bob, state: mitm, only: [b.com]}}
        - {at: 0s, request: bob, to: 'http://a.com', expect: {accepted: 1}}
        - {at: 1s, network: {group: bob, state: mitm, only: [a.com]}}
        - {at: 1s, request: bob, to: 'http://a.com', expect: {intercepted: 1}}
        - {at: 2s, network: {group: bob, state: mitm}}
        - {at: 2s, request: bob, to: 'http://a.com', expect: {intercepted: 1}}
        - {at: 3s, network: {group: bob, state: poor}}
        - {at: 3s, request: bob, to: 'http://a.com', expect: {no-connection: 1}}
        - {at: 4s, network: {group: bob, state: none}}
        - {at: 4s, request: bob, to: 'http://a.com', expect: {no-connection: 1}}
        """)

    private static let frida = "frida: {flags: [frida]}"

    static let foreign = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [A]}}
        devices: {thief: {}, amy: {}}
        == R19.8 a token that is bound to nothing serves anybody
        - {at: 0s, request: amy, to: a.com, expect: {accepted: 1}}
        - {at: 1s, request: thief, to: a.com, as: amy, expect: {accepted: 1}}
        # Ten seconds of grace, and not one more.
        - {at: 309s, request: thief, to: a.com, as: amy, expect: {accepted: 1}}
        - {at: 310s, request: thief, to: a.com, as: amy, expect: {refused: 1}}
        # The thief fetched none.
        expect: {metrics: {pass: 1}}
        == R19.8 the `pay` of a bound one does not fit
        devices: {thief: {\(bound)}, bare: {}, amy: {\(bound)}}
        - {at: 0s, request: amy, to: a.com, data: session, expect: {accepted: 1}}
        - {at: 1s, request: [thief, bare], to: a.com, as: amy, expect: {refused: 2}}
        - {at: 2s, request: thief, to: a.com, as: amy, data: other, expect: {refused: 1}}
        - {at: 3s, request: thief, to: a.com, as: amy, header: absent, expect: {refused: 1}}
        - {at: 4s, request: thief, to: a.com, as: amy, data: session, expect: {accepted: 1}}
        # And the app's own is not bound anew by that.
        - {at: 5s, request: amy, to: a.com, data: session, expect: {cached: 1, accepted: 1}}
        == R19.8 without a token there is nothing to send
        - {at: 0s, request: thief, to: a.com, as: amy, expect: {not-sent: 1}}
        - {at: 1s, request: amy, to: a.com}
        - {at: 2s, launch: amy}
        - {at: 3s, request: thief, to: a.com, as: amy, expect: {not-sent: 1}}
        == R19.8 an invalid token stays so, and nobody else signs
        devices: {thief: {}, \(frida), amy: {}}
        - {at: 0s, fetch: [frida, thief]}
        - {at: 1s, request: thief, to: a.com, as: frida, expect: {refused: 1}}
        - {at: 2s, request: frida, to: a.com, as: thief, expect: {accepted: 1}}
        - {at: 3s, approov: secret -messageSigningKey change}
        - {at: 4s, request: amy, to: a.com, expect: {accepted: 1}}
        - {at: 5s, request: thief, to: a.com, as: amy, expect: {refused: 1}}
        == R19.8 the connection is its own
        backends: {a.com: {chain: [A]}, b.com: {token: ignored}}
        - {at: 0s, fetch: amy}
        - {at: 1s, network: {group: thief, state: mitm, only: [a.com], trusted: true}}
        - {at: 1s, request: thief, to: a.com, as: amy, expect: {blocked: 1}}
        - {at: 2s, network: {group: thief, state: none}}
        - {at: 2s, request: thief, to: a.com, as: amy, expect: {no-connection: 1}}
        == R19.8 install by install, or all with the only one
        devices: {thieves: {count: 3}, victims: {count: 4}, one: {}}
        - {at: 0s, request: victims, to: a.com}
        - {at: 1s, request: thieves, to: a.com, as: victims, expect: {accepted: 3}}
        - {at: 2s, request: thieves, to: a.com, as: one, expect: {not-sent: 3}}
        - {at: 3s, fetch: one}
        - {at: 4s, request: [thieves, one], to: a.com, as: one, expect: {accepted: 4}}
        """)

    @Test("R19.1, R19.7, R19.8 the forms of requests", arguments: headers + plain + foreign)
    func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let refused: [LoaderRow] = [
        .steps(
            "R19.1 a header without a name", "- {at: 0s, request: bob, to: a.com, header: ①absent}",
            "① `header` needs a `binding-header` of the group's `client`"),
        LoaderRow(
            "R19.1 a header that is both",
            """
            scenario: s
            devices: {bob: {\(bound)}}
            steps:
            - {at: 0s, request: bob, to: a.com, header: absent, data: ①x}
            - {at: 0s, request: bob, to: a.com, header: present, data: ②none}
            - {at: 0s, request: bob, to: a.com, header: ③there}
            expect: {metrics: {pass: 0}}
            """,
            [
                "① `data: x` contradicts `header: absent`",
                "② `data: none` contradicts `header: present`",
                "③ `header` must be `present` or `absent`, not `there`",
            ]),
        .steps(
            "R19.7 a token by plain HTTP", "- {at: 0s, request: bob, to: 'http://a.com', as: ①stock}",
            "① a request by plain HTTP carries neither a token nor bound data"),
        .steps(
            "R19.7 a verdict of plain HTTP", "- {at: 0s, request: bob, to: 'http://a.com', expect: {①verdict: pass}}",
            "① unknown key `verdict` in an expectation"),
        .steps(
            "R19.8 somebody unknown", "- {at: 0s, request: bob, to: a.com, as: ①eve}",
            "① unknown group `eve`; hint: there are `bob`, `stock`"),
        LoaderRow(
            "R19.8 too few",
            """
            scenario: s
            devices: {few: {count: 2}, many: {count: 3}}
            steps: [{at: 0s, request: many, to: a.com, as: ①few}]
            expect: {metrics: {pass: 0}}
            """,
            [
                "① group `few` has fewer devices than make requests; hint: it needs one device, or as many as make requests"
            ]),
        .twoAccounts(
            "R19.8 tokens of another account",
            "devices: {bob: {account: a}, eve: {account: b}}\nsteps: [{at: 0s, request: bob, to: a.com, as: ①eve}]",
            "① group `eve` has tokens of another account"),
        .steps(
            "R19.8 in another step", "- {at: 0s, fetch: bob, as: ①stock}",
            "① `to`, `data`, `header` and `as` go with `request` only"),
    ]

    @Test("R19.1, R19.7, R19.8 say what is wrong", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}

/// The errors for backends, clients and requests, at their positions.
@Suite struct RequestLoaderTests {
    private static let pinHint = "`key:NAME` stands for the pin of a key of that name"

    static let groups: [LoaderRow] = [
        .group(
            "R18.1 a static pin that is none", "client: {static-pins: {a.com: [key:A, ①notapin]}}",
            "① `notapin` is not a pin; a pin is the base64 of 32 bytes; hint: \(pinHint)"),
        .group("no static pins", "client: {static-pins: {a.com: ①[]}}", "① `a.com` has no pins"),
        .group(
            "a domain that is none", "client: {static-pins: {①a/b: [key:A]}}",
            "① `a/b` is not a domain; it has letters, digits, `-` and `.` only"),
        .group(
            "R18.4 when pins are read", "client: {read-pins: ①launches}",
            Problem(
                "①", "`read-pins` must be `connection`, `config-change` or `launch`, not `launches`",
                hint: "did you mean `launch`?")),
        .group(
            "on-force", "client: {on-force: ①relaunch-if-pending}",
            "① `on-force` must be `relaunch` or `ignore`, not `relaunch-if-pending`"),
        .group(
            "R17.2 when it was built", "client: {built-in: ①soon}",
            "① `built-in` must be a duration such as `1h30m`, not `soon`"),
        .group(
            "a key that nobody knows", "client: {①reads-pins: launch}",
            "① unknown key `reads-pins` in `client`; hint: did you mean `read-pins`?"),
        .group("R18.7 pinning", "pinning: ①broken", "① `pinning` must be `sound` or `compromised`, not `broken`"),
    ]

    static let backends: [LoaderRow] = [
        .head("no chain", "backends: {a.com: {chain: ①[]}}", "① a chain has at least one key"),
        .head("nothing", "backends: {①a.com: {}}", "① there are no settings for backend `a.com`"),
        .head("a list", "backends: {a.com: ①[A]}", "① backend `a.com` must be a mapping, not a list"),
        .head(
            "R19.4 a token that is neither", "backends: {a.com: {token: ①optional}}",
            "① `token` must be `required` or `ignored`, not `optional`"),
        .head(
            "R18.1 a pin of the account that is none", "account: {apis: [{domain: a.com, pins: [①notapin]}]}",
            "① `notapin` is not a pin; a pin is the base64 of 32 bytes; hint: \(pinHint)"),
    ]

    static let steps: [LoaderRow] = [
        .steps(
            "R19 a request to nobody", "- {at: 0s, request: ①bob}",
            "① `request` needs `to`; hint: it names the domain, such as api.example.com"),
        .steps(
            "a URL of another scheme", "- {at: 0s, request: bob, to: ①'ftp://a.com'}",
            "① `ftp://a.com` is neither a domain nor a URL with `https` or `http`"),
        .steps(
            "R19.1 a header without a name", "- {at: 0s, request: bob, to: a.com, data: ①x}",
            "① `data` needs a `binding-header` of the group's `client`"),
        .steps(
            "`to` without a request", "- {at: 0s, fetch: bob, to: ①a.com}",
            "① `to`, `data`, `header` and `as` go with `request` only"),
        .steps("R18.6 nothing to serve", "- {at: 0s, serve: ①{}}", "① `serve` names no domain"),
        .steps(
            "R18.6 a proxy in another network", "- {at: 0s, network: {group: bob, state: none, only: ①[a.com]}}",
            "① `only` and `trusted` need `state: mitm`"),
        .steps(
            "R18.6 a proxy nowhere", "- {at: 0s, network: {group: bob, state: mitm, only: ①[]}}",
            "① `only` names no domain"),
        .steps(
            "R18.1 a pin in a command", "- {at: 0s, approov: ①pin -api a.com -add notapin}",
            "① `notapin` is not a pin of `a.com`; a pin is the base64 of 32 bytes; hint: \(pinHint)"),
        .steps(
            "R19.6 an outcome of a fetch", "- {at: 0s, fetch: bob, expect: {①accepted: 1}}",
            "① unknown key `accepted` in an expectation"),
    ]

    static let final: [LoaderRow] = [
        .group(
            "R21.4 signing that is neither on nor off", "client: {sign-messages: ①maybe}",
            "① `sign-messages` must be `true` or `false`, not `maybe`"),
        .final(
            "R19.6 a figure that is none", "{requests: {①blockd: 1}}",
            "① `blockd` is neither a figure of requests nor a group; hint: did you mean `blocked`?"),
        .final(
            "R19.6 a figure of a group that is none", "{requests: {bob: {①still-blockd: 1}}}",
            "① unknown figure `still-blockd` of requests; hint: did you mean `still-blocked`?"),
        .final(
            "R19.6 no duration", "{requests: {longest-blocked: ①3}}",
            "① `longest-blocked` must be a duration such as `1h30m`, not `3`; hint: give `3` a unit: `3s`"),
        .final(
            "R19.6 a duration of nothing", "{requests: {longest-blocked: ①{}}}",
            "① `longest-blocked` needs a duration, `at-least` or `at-most`"),
        .final(
            "R19.6 a duration that cannot be", "{requests: {longest-blocked: ①{at-least: 2s, at-most: 1s}}}",
            "① `longest-blocked` can never be both"),
        LoaderRow(
            "R19.6 a group of another account",
            "scenario: s\naccounts: {a: {}, b: {}}\ndevices: {bob: {account: b}}\n"
                + "expect: {account: a, requests: {①bob: {blocked: 0}}}\n",
            ["① group `bob` belongs to another account"]),
        .final("R19.6 nothing", "{requests: ①{}}", "① `requests` has nothing to check"),
    ]

    @Test("R17–R19 says what is wrong", arguments: groups + backends + steps + final)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
