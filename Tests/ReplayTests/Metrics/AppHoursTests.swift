import Testing

@testable import Replay
@testable import TestSupport

/// The hours of devices that come with several apps, or with apps of large numbers, against a dictionary (R13.2, R13.4).
@Suite struct AppHoursTests {
    private static let apps: [Int?] = [nil, 0, 7, 32_766, 32_767, 32_768, 65_535, 70_000, 4_000_000]

    private struct Key: Hashable {
        let device: Int
        let app: Int?
    }

    @Test("what is known before each event", arguments: [1, 2, 3]) func agrees(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var hours = AppHours()
        var latest = Array(repeating: LatestHour(), count: 50)
        var (anyHours, appHours): ([Int: Int32], [Key: Int32]) = ([:], [:])
        for hour in 0..<Int32(4000) {
            let device = chance.below(50)
            // Some devices have one app only, whatever its number.
            let app = Self.apps[device < 18 ? device % 9 : chance.below(9)]
            let before = hours.replace(&latest[device], of: device, app: app, with: hour)
            #expect(before.any == anyHours[device] ?? LatestHour.never)
            #expect(before.withApp == appHours[Key(device: device, app: app)] ?? LatestHour.never)
            anyHours[device] = hour
            appHours[Key(device: device, app: app)] = hour
            #expect(latest[device].hour == hour)
        }
    }
}
