import Testing

@testable import Scenarios
@testable import TestSupport

/// Generated captures byte for byte, as every machine writes them.
@Suite struct GeneratedTextTests {
    private static let scenario = #"""
        scenario: s
        seed: 42
        start: 2020-07-23T00:00:00Z
        account: {filters: [{name: old, key: app-version, match: "1", reject: true}]}
        activity: {zipf: 1.5, rhythm: day}
        devices:
          phone:
            count: 3
            flags: [rooted, debug]
            attributes: {zone: "a\"b\\c", ip: 10.0.0.0/8, app-version: {choose: {"1": 50%, "2": 50%}}, note: "one\n two: ä"}
          tablet: {id: h4gubfCFzJu81j/U2BJsdg==, registered: false}

        """#

    private static let info = #"""
        --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 08:43:32 UTC ---
        rejection-flags: app-not-registered
        public-flags: app-not-registered
        device-id: h4gubfCFzJu81j/U2BJsdg==
        --- f5OUj93H3IbfQCBUlOGWlQ== 2020-07-23 13:02:01 UTC ---
        rejection-flags: rooted,debug,filter:old
        public-flags: rooted,debug
        ip: 10.11.157.215
        device-id: f5OUj93H3IbfQCBUlOGWlQ==
        app-version: 1
        note: one
         two: ä
        zone: a"b\c
        --- f5OUj93H3IbfQCBUlOGWlQ== 2020-07-23 17:30:01 UTC ---
        rejection-flags: rooted,debug,filter:old
        public-flags: rooted,debug
        ip: 10.11.157.215
        device-id: f5OUj93H3IbfQCBUlOGWlQ==
        app-version: 1
        note: one
         two: ä
        zone: a"b\c
        --- f5OUj93H3IbfQCBUlOGWlQ== 2020-07-23 21:55:23 UTC ---
        rejection-flags: rooted,debug,filter:old
        public-flags: rooted,debug
        ip: 10.11.157.215
        device-id: f5OUj93H3IbfQCBUlOGWlQ==
        app-version: 1
        note: one
         two: ä
        zone: a"b\c
        """#

    private static let json = #"""
        {"time":"2020-07-23T08:43:32Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"app-not-registered"}
        {"time":"2020-07-23T13:02:01Z","device-id":"f5OUj93H3IbfQCBUlOGWlQ==","public-flags":"rooted,debug","ip":"10.11.157.215","app-version":"1","note":"one\n two: ä","zone":"a\"b\\c"}
        {"time":"2020-07-23T17:30:01Z","device-id":"f5OUj93H3IbfQCBUlOGWlQ==","public-flags":"rooted,debug","ip":"10.11.157.215","app-version":"1","note":"one\n two: ä","zone":"a\"b\\c"}
        {"time":"2020-07-23T21:55:23Z","device-id":"f5OUj93H3IbfQCBUlOGWlQ==","public-flags":"rooted,debug","ip":"10.11.157.215","app-version":"1","note":"one\n two: ä","zone":"a\"b\\c"}
        """#

    @Test func deviceInformation() throws {
        let capture = try GeneratedCapture(Self.scenario, count: 4) { $0.includesVerdicts = true }
        #expect(capture.text == Self.info + "\n")
    }

    @Test func jsonLines() throws {
        let capture = try GeneratedCapture(Self.scenario, count: 4) { $0.format = .jsonl }
        #expect(capture.text == Self.json + "\n")
    }
}
