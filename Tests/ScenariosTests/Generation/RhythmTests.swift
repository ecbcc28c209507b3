import Figures
import PolicyEngine
import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct RhythmTests {
    private static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private static func activity(_ rhythm: Rhythm, from start: String, to end: String) throws -> Int {
        rhythm.activity(in: try instant(start)..<instant(end))
    }

    // One, two, three, … by the hour.
    private static let rising = Rhythm(weights: Array(1...24))

    @Test func hoursHaveTheirWeights() throws {
        let rising = try #require(Self.rising)
        #expect(rising.dailyActivity == 300 * 3600)
        #expect(try Self.activity(rising, from: "2020-07-23T00:00:00Z", to: "2020-07-23T01:00:00Z") == 3600)
        #expect(try Self.activity(rising, from: "2020-07-23T23:59:59Z", to: "2020-07-24T00:00:01Z") == 24 + 1)
        #expect(try Self.activity(rising, from: "2020-07-23T12:30:00Z", to: "2020-07-26T12:30:00Z") == 3 * 300 * 3600)
        #expect(try Self.activity(rising, from: "2020-07-23T12:30:00Z", to: "2020-07-23T13:30:00Z") == 1800 * (13 + 14))
    }

    @Test func daysBefore1970AreLikeOthers() throws {
        let rising = try #require(Self.rising)
        #expect(try Self.activity(rising, from: "1969-12-31T23:00:00Z", to: "1970-01-01T01:00:00Z") == 3600 * 25)
        #expect(try Self.activity(rising, from: "0001-01-01T00:00:00Z", to: "0001-01-02T00:00:00Z") == 300 * 3600)
    }

    @Test func everyHourOfTheDayOfPeopleHasSomeone() {
        #expect(Rhythm.day.weights.count == 24)
        #expect(Rhythm.day.weights.min() == 1)
        #expect(Rhythm.day.weights.firstIndex(of: 20) == 19)
        #expect(Set(Rhythm.even.weights).count == 1)
    }

    @Test func whatIsNoRhythmIsRefused() {
        let ones = Array(repeating: 1, count: 24)
        #expect(Rhythm(weights: ones) == .even)
        #expect(Rhythm(weights: ones + [1]) == nil)
        #expect(Rhythm(weights: Array(ones.dropLast())) == nil)
        #expect(Rhythm(weights: Array(repeating: 0, count: 24)) == nil)
        #expect(Rhythm(weights: ones.dropLast() + [-1]) == nil)
        #expect(Rhythm(weights: ones.dropLast() + [1_000_001]) == nil)
    }
}
