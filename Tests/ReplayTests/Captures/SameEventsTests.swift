import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Text and JSON Lines of the same events give the same decisions (formats: Captures).
@Suite struct SameEventsTests {
    private static let text = """
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        rejection-flags: app-not-registered,jailbroken
        public-flags: app-not-registered,jailbroken,strange
        ip: 1.2.3.4
        device-id: w4mmGFZkpz5oPz6w6gl1Cw==
        device: iOS, 12.1.2, iPhone7,2, en_ES
        app-version: 1.0
        appid: ios.app

        getting new devices
        captured: 2020-07-23 04:10:44 PDT
        device-id: qZka0yfv+ExvOq3PRh6pGw==
        rejection-flags:
        flags-all:
        device: Android 8.1.0, Nexus 5X
        appid: com.app
        sdkid: 4000
        note: a
         b
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 20:10:44 JST ---
        public-flags: new-did,did-unban
        ip:

        """
    private static let jsonl = #"""
        {"time":"2020-07-23T12:10:43.5+01:00","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","ip":"1.2.3.4",
        "rejection-flags":"app-not-registered,jailbroken","flags":["app-not-registered","jailbroken","strange"],
        "device":"iOS, 12.1.2, iPhone7,2, en_ES","app-version":"1.0","appid":"ios.app"}
        {"device-id":"qZka0yfv+ExvOq3PRh6pGw==","time":"2020-07-23T11:10:44Z","rejection-flags":"","public-flags":"",
        "device":"Android 8.1.0, Nexus 5X","appid":"com.app","app-version":null,"sdkid":4000,"note":"a\n b"}
        {"flags-all":"new-did,did-unban","time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","ip":""}

        """#.replacing(",\n", with: ",")

    private static let rules = """
        policy: default,allow-root,all
        filters:
          - {name: myip, key: ip, match: 1.2.3.4, ban: true}
          - {name: no-ip, key: ip, match: ''}
          - {name: sdk, key: sdkid, regex: '^4', risky: true}
          - {name: lines, key: note, match: "a\\n b"}
          - {name: flags, key: public-flags, regex: strange, reject: true}
          - {name: id, key: device-id, regex: '^w4mm'}
        """

    @Test func decisionsAreEqual() throws {
        let account = try AccountText.account(Self.rules)
        let fromText = try ReplayBench.replay(Self.text, account: account)
        let fromJSON = try ReplayBench.replay(Self.jsonl, account: account)
        #expect(fromText.messages == [])
        #expect(fromJSON.messages == [])
        #expect(fromText.decisions == fromJSON.decisions)
        #expect(fromText.summary.figures?.metrics == fromJSON.summary.figures?.metrics)
        #expect(fromText.summary.figures?.reproduced == fromJSON.summary.figures?.reproduced)
        #expect(fromText.decisions == Self.decisions)
    }

    // The iPhone is banned by `myip`; its observed `did-unban` lifts that for its record (R6.4, R10).
    private static let decisions = [
        #"{"index":0,"time":"2020-07-23T11:10:43Z","device":"w4mmGFZkpz5oPz6w6gl1Cw==","verdict":"fail","#
            + #""policy":"default,allow-root,all","#
            + #""rejections":["app-not-registered","jailbroken","did-ban","filter:flags"],"#
            + #""flags":["app-not-registered","jailbroken","did-ban","new-did","risky-device","strange"],"#
            + #""annotations":["app-not-registered","did-ban","jailbroken","new-did","risky-device","strange"],"#
            + #""filters":["myip","flags","id"],"lifetime":120,"expires":"2020-07-23T11:12:53Z","arc":"M3R4P73IEW"}"#,
        #"{"index":1,"time":"2020-07-23T11:10:44Z","device":"qZka0yfv+ExvOq3PRh6pGw==","verdict":"pass","#
            + #""policy":"default,allow-root,all","rejections":[],"flags":["new-did","risky-device"],"#
            + #""annotations":["new-did","risky-device"],"filters":["sdk","lines"],"lifetime":120,"#
            + #""expires":"2020-07-23T11:12:54Z","arc":"NYNTQBN6BU"}"#,
        #"{"index":2,"time":"2020-07-23T11:10:44Z","device":"w4mmGFZkpz5oPz6w6gl1Cw==","verdict":"pass","#
            + #""policy":"default,allow-root,all","rejections":[],"flags":["did-unban","new-did"],"#
            + #""annotations":["did-unban","new-did"],"filters":["no-ip","id"],"lifetime":300,"#
            + #""expires":"2020-07-23T11:15:54Z","arc":"WPNNHDJVQI"}"#,
    ]
}
