import Replay
import Testing

@testable import TestSupport

/// Values that mostly come together, and records in which they do not.
@Suite struct ValueGroupTests {
    private static let account = """
        policy: default,default,default
        filters:
          - {name: app, key: appid, regex: '^com\\.bad$', reject: true}
          - {name: version, key: app-version, regex: '^6', reject: true}
          - {name: signature, key: app-sig, regex: '^bad', reject: true}

        """

    private static func record(_ members: String) -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"","# + members + "}\n"
    }

    /// Members of records in another form than that of most, and whether each passes.
    static let unusual: [(members: String, passes: Bool)] = [
        // Another order.
        (#""app-sig":"good","app-version":"5","appid":"com.good""#, true),
        (#""app-sig":"good","app-version":"5","appid":"com.bad""#, false),
        (#""app-sig":"bad","app-version":"5","appid":"com.good""#, false),
        (#""app-version":"6","app-sig":"good","appid":"com.good""#, false),
        // A value that is copied, since it has an escape.
        (#""appid":"com.b\u0061d","app-version":"5","app-sig":"good""#, false),
        (#""appid":"com.good","app-version":"5","app-sig":"b\u0061d""#, false),
        (#""appid":"com.g\u006fod","app-version":"5","app-sig":"good""#, true),
        // One is not there.
        (#""appid":"com.bad","app-version":"5""#, false), (#""app-version":"5","app-sig":"good""#, true),
    ]

    // The values of 9,000 records are enough to find out which come together.
    @Test func recordsInAnotherFormAreReadValueByValue() throws {
        let usual = (0..<9_000).map { number in
            Self.record(#""appid":"com.good","app-version":"\#(number % 5)","app-sig":"good\#(number % 5)""#)
        }
        let unusual = Self.unusual.map { Self.record($0.members) }
        let replayed = try ReplayBench.replay(
            (usual + unusual + usual.prefix(1)).joined(), account: try AccountText.account(Self.account)
        ) { $0.blockBytes = 65_536 }
        let decisions = try #require(replayed.decisions)
        let verdicts = decisions.map { $0.contains(#""verdict":"pass""#) }
        #expect(verdicts.count == 9_010)
        #expect(verdicts.prefix(9_000).allSatisfy { $0 })
        #expect(Array(verdicts.dropFirst(9_000)) == Self.unusual.map { $0.passes } + [true])
    }
}
