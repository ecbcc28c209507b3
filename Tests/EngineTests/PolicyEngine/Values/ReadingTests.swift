import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Texts of values, with what is read from each: `Tests/Tables/values`.
@Suite struct ReadingTests {
    private static let readings: [String: TextCase.Reading] = [
        "the number of a day": { line in
            let parts = numbers(line)
            guard let date = CalendarDate(year: parts[0], month: parts[1], day: parts[2]) else { return "none" }
            expect(CalendarDate(dayNumber: date.dayNumber), equals: date)
            return "\(date.dayNumber), \(date)"
        },
        "a month": { CalendarMonth($0)?.description ?? "none" },
        "R1.4 the month of a number of seconds": { CalendarMonth(of: instant($0)).description },
        "the months between two": { line in
            let months = try line.split(separator: " ").map { try #require(CalendarMonth(String($0))) }
            let count = months[0].months(until: months[1])
            expect(months[1].months(until: months[0]), equals: -count)
            #expect((months[0] < months[1]) == (count > 0) && (months[0] == months[1]) == (count == 0))
            return "\(count)"
        },
        "R1.4 a time in RFC 3339": { text in
            guard let instant = Instant(rfc3339: text) else { return "none" }
            var output = JSONBytes()
            output.instant(instant)
            expect(String(decoding: output.bytes, as: UTF8.self), equals: "\"\(instant)\"")
            // As the service's tool prints it: the same without `T` and zone.
            #expect(instant.dateAndTime == instant.description.replacing("T", with: " ").dropLast())
            return "\(instant.secondsSinceEpoch), \(instant)"
        },
        "R1.4 the day and the hour of a number of seconds": { line in
            "day \(instant(line).dayNumber), hour \(instant(line).hourNumber)"
        },
        "a number since 1970": { Instant(epoch: $0).map { "\($0.secondsSinceEpoch)" } ?? "none" },
        "R7.6 a percentage": { Percentage($0).map { "\($0.billionths), \($0)" } ?? "none" },
        "R7.6 the lowest draw that is out": { text in
            let share = try #require(Percentage(text))
            #expect(share.contains(0) && !share.contains(.max))
            var (first, end) = (UInt64.min, UInt64.max)
            while first < end {
                let middle = first + (end - first) / 2
                if share.contains(middle) { first = middle + 1 } else { end = middle }
            }
            return "\(first)"
        },
        "R7.6 the draw of a device, a day and an account": { line in
            let parts = line.split(separator: "|").map(String.init)
            let time = try #require(Instant(rfc3339: "\(parts[1])T12:00:00Z"))
            let draw = Sampling.draw(device: try #require(DeviceID(parts[0])), day: time.date, account: parts[2])
            return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: draw >> $0) }.hexadecimal
        },
        "R9.1 a version of an SDK against 2.4.0 and 2.5.0, number by number": { text in
            guard let version = SDKVersion(text) else { return "none" }
            return [SDKVersion(2, 4, 0), SDKVersion(2, 5)].map { bound in
                expect(version == bound, equals: !(version < bound) && !(bound < version))
                return version < bound ? "older" : bound < version ? "newer" : "equal"
            }.joined(separator: ", ")
        },
        "R13.1 the system of a device, by how its attribute begins": { text in
            OperatingSystem(deviceAttribute: Array(text.utf8).span).metricName
        },
        "R4.5, R4.8 the name of a rejection": { name in
            let rejection = Rejection(name)
            expect(rejection.name, equals: name)
            switch rejection {
            case .blacklist: return "the policy"
            case .filter(let filter): return "the filter `\(filter.text)`"
            case .flag(let flag): return "the flag `\(flag.text)`"
            }
        },
        "the overall signature": { line in
            let words = line.split(separator: " ").map { $0 == "-" ? nil : String($0) }
            let signature = try #require(words[0])
            return Registration(signature: signature, package: words[1], version: words[2], libraryID: words[3])
                .overallSignature
        },
        "R12.2 HMAC-SHA-256": { line in
            let parts = try line.components(separatedBy: " | ").map(bytes)
            return Cryptography.hmacSHA256(of: parts[1], key: parts[0]).hexadecimal
        },
        "R24.2 an address of a user": { MailAddress.isAddress($0) ? "address" : "none" },
    ]

    // Bytes behind what they are, such as `key 20 × 0b`, `key 01 to 19` or `message "abc"`.
    private static func bytes(_ line: String) throws -> [UInt8] {
        let words = line.drop { $0 != " " }.dropFirst()
        if words.hasPrefix("\"") { return Array(words.dropFirst().dropLast().utf8) }
        let parts = words.split(separator: " ").map(String.init)
        let last = try #require(UInt8(parts[2], radix: 16))
        return parts[1] == "to"
            ? Array(try #require(UInt8(parts[0], radix: 16))...last)
            : Array(repeating: last, count: Int(parts[0]) ?? 0)
    }

    private static func numbers(_ line: String) -> [Int] { line.split(separator: " ").compactMap { Int($0) } }

    private static func instant(_ line: String) -> Instant { Instant(secondsSinceEpoch: Int(line) ?? 0) }

    @Test(arguments: CaseFile.all(in: "Tables/values", ending: ".txt")) func reads(_ file: CaseFile) throws {
        try file.expectActual { example in
            let readings = Self.readings.mapValues { reading -> TextCase.Reading in
                { try reading(TextCase.text(of: $0)) }
            }
            return try TextCase.lines(example, by: readings)
        }
    }

    @Test("R24.2 an address has at most 254 bytes") func longestAddress() {
        let long = String(repeating: "a", count: 248)
        #expect(MailAddress.isAddress("\(long)@b.com") && !MailAddress.isAddress("a\(long)@b.com"))
        expect(MailAddress.user(of: "bob@a.com"), equals: "bob")
    }
}
