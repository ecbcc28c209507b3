import Testing

@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// The list of named zones, and offsets of options (R1.4).
@Suite struct TimestampTests {
    // Each of them is in `Tests/Transcripts/captures/times.txt`.
    @Test func everyListedZoneIsTested() throws {
        let text = try Repository.text(of: "Tests/Transcripts/captures/times.txt")
        #expect(ClockZone.hoursByName.allSatisfy { text.contains("12:00:00 \($0.name) ---") })
        expect(ClockZone.hoursByName.count, equals: 15)
    }

    @Test func offsetsForTheOptionAreRead() {
        expect(ClockZone.offset("+01:00"), equals: 3600)
        expect(ClockZone.offset("-09:30"), equals: -34_200)
        for text in ["", "+", "01:00", "Z", "UTC", "+1:00", "+01:00 ", "+24:00", "+01:60", "+0100"] {
            #expect(ClockZone.offset(text) == nil, "\(text)")
        }
    }
}
