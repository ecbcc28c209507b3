import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The effects of an account on the figures of a replay.
@Suite struct AccountReplayTests {
    private static let bob = SampleDevice.bob

    @Test func theBillingDayOfTheAccountCounts() throws {
        let account = try AccountText.account("billing-day: 24")
        let capture = [("07-23", Self.bob), ("07-24", Self.bob), ("08-01", SampleDevice.iphone)].map { day, device in
            #"{"time":"2020-\#(day)T10:00:00Z","device-id":"\#(device)","flags":"rooted"}"# + "\n"
        }.joined()
        let months = try ReplayBench.replay(capture, account: account).summary.figures?.windows[.monthly]
        #expect(months?.map(\.start.description) == ["2020-06-24T00:00:00Z", "2020-07-24T00:00:00Z"])
        #expect(months?.map(\.failed) == [1, 2])
    }

    @Test func matchLimitsAreReportedOnceForEachFilter() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '(a+)+$', reject: true}, {name: fast, key: x, regex: '^a'}]")
        let value = String(repeating: "a", count: 60) + "!"
        let record = "--- \(Self.bob) 2020-08-01 00:00:00 UTC ---\npublic-flags:\nx: \(value)\n"
        let replayed = try ReplayBench.replay(record + record, account: account)
        #expect(replayed.messages.count == 1)
        #expect(replayed.messages.first?.contains("the regex of filter `slow` hit its match limit 2 times") == true)
        #expect(replayed.metric("pass") == 2)
        #expect(replayed.summary.figures?.filters.map(\.limitHits) == [2, 0])
        #expect(replayed.summary.figures?.filters.map(\.matched) == [0, 2])
    }

    @Test func moreValuesThanAreKeptMatchAllTheSame() throws {
        let account = try AccountText.account("filters: [{name: odd, key: x, regex: '[13579]$'}]")
        let count = CaptureLimits.keptValues + 200
        let lines = (0..<count).map {
            "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(Self.bob)\",\"x\":\($0)}\n"
        }
        let replayed = try ReplayBench.replay(lines.joined(), account: account) { $0.decisionsPath = nil }
        #expect(replayed.metric("filter-odd") == count / 2)
    }
}
