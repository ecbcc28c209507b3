import PolicyEngine
import Testing

@testable import TestSupport

/// Decisions as JSON Lines (formats: Decisions).
@Suite struct DecisionLineTests {
    @Test func theSampleOfTheFormats() throws {
        let account = try AccountText.account(
            """
            account: test-account
            filters: [{name: myip, key: ip, match: 1.2.3.4}]
            """)
        let text = """
            --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
            public-flags: app-not-registered,jailbroken
            ip: 1.2.3.4

            """
        let expected =
            #"{"index":0,"time":"2020-07-23T11:10:43Z","device":"w4mmGFZkpz5oPz6w6gl1Cw==","verdict":"fail","#
            + #""policy":"default,default,default","rejections":["app-not-registered","jailbroken"],"#
            + #""flags":["app-not-registered","jailbroken","new-did","risky-device"],"annotations":null,"#
            + #""filters":["myip"],"lifetime":120,"expires":"2020-07-23T11:12:53Z","arc":"Z4KPZO2QI4"}"#
        #expect(try ReplayBench.replay(text, account: account).decisions == [expected])
    }

    struct Row: LabelledRow {
        let name, account, flags: String
        /// The texts that the line must hold.
        let parts: [String]
    }

    static let rows = [
        Row(
            name: "no annotation possible", account: "policy: default,whitelist,default", flags: "rooted",
            parts: [#""annotations":null"#, #""verdict":"pass""#, #""policy":"default,whitelist,default""#]),
        Row(
            name: "annotation possible and none set", account: "policy: default,whitelist,xposed", flags: "rooted",
            parts: [#""annotations":[]"#]),
        Row(
            name: "annotations by byte value", account: "policy: default,whitelist,rooted+xposed+app-not-registered",
            flags: "rooted,app-not-registered,xposed,frida",
            parts: [
                #""annotations":["app-not-registered","rooted","xposed"]"#,
                #""flags":["app-not-registered","rooted","xposed","frida","new-did","risky-device"]"#,
            ]),
        Row(
            name: "single flags in another order than the catalogue's", account: "policy: default,whitelist,info",
            flags: "xposed,automated", parts: [#""annotations":["automated","risky-device","xposed"]"#]),
        Row(
            name: "custom policy", account: "reject-flags: {add: [automated]}", flags: "automated",
            parts: [#""policy":"default,custom,default""#, #""rejections":["automated"]"#, #""lifetime":300"#]),
        Row(
            name: "blacklist", account: "policy: default,blacklist,default", flags: "rooted",
            parts: [#""rejections":["policy:blacklist"]"#, #""verdict":"fail""#]),
        Row(
            name: "short lifetime", account: "policy: default,allow-raj-only-short-lifetime,default", flags: "rooted",
            parts: [#""lifetime":45"#, #""expires":"2020-07-23T12:01:00Z""#, #""rejections":[]"#]),
        Row(
            name: "grace of the account", account: "grace: 0s", flags: "",
            parts: [#""lifetime":300"#, #""expires":"2020-07-23T12:05:00Z""#]),
        Row(
            name: "filters in their order, behind the flags",
            account: """
                filters:
                  - {name: z, key: ip, regex: '.', reject: true}
                  - {name: a, key: ip, match: 1.2.3.4, reject: true}
                """, flags: "frida",
            parts: [#""rejections":["frida","filter:z","filter:a"]"#, #""filters":["z","a"]"#]),
        Row(
            name: "unknown flags behind declared ones", account: "flags: [{name: declared}]",
            flags: "unknown,declared,rooted",
            parts: [#""flags":["rooted","new-did","risky-device","declared","unknown"]"#]),
        Row(
            name: "response code (R12.2)", account: "account: test-account", flags: "app-not-registered,jailbroken",
            parts: [#""verdict":"fail""#, #","arc":"Z4KPZO2QI4"}"#]),
        Row(
            name: "response code of a valid token (R12.2)", account: "policy: default,whitelist,default",
            flags: "rooted", parts: [#""verdict":"pass""#, #","arc":"OLXEVJYCBV"}"#]),
        Row(name: "no flag but a new device's (R12.2)", account: "", flags: "", parts: [#","arc":"NOLOY2TX2C"}"#]),
        Row(
            name: "a declared flag in the response code (R12.2)", account: "flags: [{name: declared}]",
            flags: "declared", parts: [#","arc":"PH4K5D3RT4"}"#]),
        Row(
            name: "an unknown flag left out of the response code (R12.2)", account: "", flags: "unknown",
            parts: [#""flags":["new-did","unknown"]"#, #","arc":"NOLOY2TX2C"}"#]),
        Row(name: "response codes off (R12.4)", account: "arc: off", flags: "rooted", parts: [#","arc":null}"#]),
        Row(
            name: "names that JSON must escape", account: "", flags: "a\"b,c\\d,e\u{7F}f",
            parts: [#""flags":["new-did","a\"b","c\\d","e\u007ff"]"#]),
    ]

    @Test(arguments: rows) func holds(_ row: Row) throws {
        let text = "--- \(SampleDevice.bob) 2020-07-23 12:00:00 UTC ---\nflags-all: \(row.flags)\nip: 1.2.3.4\n"
        let account = row.account.isEmpty ? Account() : try AccountText.account(row.account)
        let line = try #require(try ReplayBench.replay(text, account: account).decisions?.first)
        for part in row.parts { #expect(line.contains(part), "\(line)") }
    }

    @Test(arguments: [
        ("\u{1}\u{1F}", #""\u0001\u001f""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\"\\/", #""\"\\/""#),
        ("Ü🚗", "\"Ü🚗\""), ("", "\"\""),
    ])
    func escapesWhatJSONForbids(text: String, json: String) {
        var bytes = JSONBytes()
        bytes.string(text)
        #expect(String(decoding: bytes.bytes, as: UTF8.self) == json)
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (10, "10"), (Int.min, "-9223372036854775808"), (Int.max, "9223372036854775807"),
    ])
    func writesWholeNumbers(value: Int, json: String) {
        var bytes = JSONBytes()
        bytes.integer(value)
        #expect(String(decoding: bytes.bytes, as: UTF8.self) == json)
    }

    @Test(arguments: [0, -1, 1_595_502_643, -62_135_596_800, 253_402_300_799, 951_782_400])
    func writesInstantsAsTheyAreDescribed(seconds: Int) {
        var bytes = JSONBytes()
        let instant = Instant(secondsSinceEpoch: seconds)
        bytes.instant(instant)
        #expect(String(decoding: bytes.bytes, as: UTF8.self) == "\"\(instant)\"")
    }

    @Test func everyLineIsForItselfAndInInputOrder() throws {
        let records = (10..<30).map { "--- \(SampleDevice.bob) 2020-07-23 12:00:\($0) UTC ---\nflags-all: rooted\n" }
        let decisions = try #require(try ReplayBench.replay(records.joined()).decisions)
        #expect(decisions.count == 20)
        for (index, line) in decisions.enumerated() {
            #expect(line.hasPrefix("{\"index\":\(index),\"time\":\"2020-07-23T12:00:\(index + 10)Z\""))
            #expect(line.contains("new-did") == (index == 0))
        }
    }
}
