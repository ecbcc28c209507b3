import Foundation
import Testing

@testable import Documents
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Time zones of the system, by their name: the offsets are those of Python's `zoneinfo`.
@Suite struct NamedZoneTests {
    private static let names = [
        "Europe/London", "Europe/Dublin", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo",
        "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Asia/Kolkata", "Asia/Jerusalem", "Asia/Gaza",
        "Africa/Casablanca", "America/Nuuk", "Pacific/Apia", "Antarctica/Troll", "UTC", "Etc/GMT+5", "Asia/Tokyo",
    ]

    private static func local(_ second: Int) throws -> LocalTime {
        let bytes = Array(Instant(secondsSinceEpoch: second).dateAndTime.utf8)
        var cursor = DigitCursor(over: 0..<bytes.count)
        return try #require(LocalTime(at: &cursor, in: bytes.span))
    }

    @Test("offsets at instants, and of times that clocks show, are those of zoneinfo", arguments: names)
    func agreesWithPython(_ name: String) async throws {
        let rules = try #require(NamedZone.rules(name))
        var generator = SeededGenerator(seed: 5)
        // Whole quarters of hours from 1971 through 2099, and the hours around changes of some years.
        let allYears = [2007, 2019, 2020, 2021, 2026, 2037, 2038, 2050]
        let years = Exhaustive.choice([2020, 2026, 2038], whole: allYears)
        var seconds = (0..<Exhaustive.count(300, whole: 1500)).map { _ in
            (35_000 + generator.next(below: 4_465_001)) * 900
        }
        for year in years {
            for (month, day) in [(3, 8), (3, 25), (4, 1), (9, 24), (10, 1), (10, 25), (11, 1)] {
                let first = try #require(CalendarDate(year: year, month: month, day: day)).dayNumber * 86_400
                seconds += stride(from: 0, to: 7 * 86_400, by: 1800).map { first + $0 }
            }
        }
        let answer = try await Tooling.answer(of: "zones.py", to: ["zone": name, "seconds": seconds])
        let answers = try #require(answer["answers"] as? [[Any]])
        expect(answers.count, equals: seconds.count)
        var (others, wrong) = (0, 0)
        for (second, answer) in zip(seconds, answers) {
            let period = rules.period(at: Instant(secondsSinceEpoch: second))
            let local = try Self.local(second)
            let abbreviation = try #require(answer[4] as? String)
            if Double(period.offset) != answer[0] as? Double || period.abbreviation != answer[1] as? String
                || Double(rules.offset(of: local, abbreviation: "")) != answer[2] as? Double
            {
                wrong += 1
            }
            // Behind a time that occurs twice, the abbreviation says which of the two it is.
            guard answer[2] as? Double != answer[3] as? Double else { continue }
            others += 1
            let isRepeated = (answer[2] as? Double ?? 0) > (answer[3] as? Double ?? 0)
            if isRepeated, Double(rules.offset(of: local, abbreviation: abbreviation)) != answer[3] as? Double {
                wrong += 1
            }
        }
        expect(wrong, equals: 0)
        let areNeverTwice = [
            "UTC", "Etc/GMT+5", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo", "Africa/Casablanca",
        ]
        #expect(others > 0 || areNeverTwice.contains(name))
    }

    @Test("commands print times by the clock of a zone, with its abbreviation") func shown() throws {
        let zone = ClockZone(name: "Europe/London", rules: try #require(NamedZone.rules("Europe/London")))
        let summer = try #require(Instant(rfc3339: "2020-07-23T11:10:43Z"))
        let winter = try #require(Instant(rfc3339: "2020-12-23T11:10:43Z"))
        expect(zone.fullText(of: summer), equals: "2020-07-23 12:10:43 BST")
        expect(zone.fullText(of: winter), equals: "2020-12-23 11:10:43 GMT")
    }

    @Test("no damaged file of a zone is a trap") func damaged() throws {
        let bytes = try TextFile.bytes(path: "/usr/share/zoneinfo/Europe/London")
        #expect(ZoneFile.rules(bytes) != nil)
        for count in 0..<bytes.count - 1 { #expect(ZoneFile.rules(Array(bytes[..<count])) == nil) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[generator.next(below: damaged.count)] = UInt8(generator.next(below: 256))
            }
            if let rules = ZoneFile.rules(damaged) {
                #expect(abs(rules.period(at: Instant(secondsSinceEpoch: 0)).offset) <= 200_000)
            }
        }
    }
}
