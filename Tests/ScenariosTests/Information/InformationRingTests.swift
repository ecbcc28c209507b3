import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// The records that the service keeps of the latest attestations (R10 step 14; manual, Analyzing New Devices, Analyzing
/// Filtered Devices, Observing All Token Fetch Devices).
@Suite struct InformationRingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let first, second: Int
        var testDescription: String { "\(first) and \(second) devices" }
    }

    static let sizes = [
        Row(first: 1, second: 1), Row(first: 60, second: 40), Row(first: 60, second: 41), Row(first: 60, second: 90),
        Row(first: 101, second: 100), Row(first: 150, second: 1), Row(first: 230, second: 170),
    ]

    @Test("R10 the last 100 new devices, oldest first", arguments: sizes) func newDevices(_ row: Row) throws {
        let output = try RunOutput(
            """
            devices: {first: {count: \(row.first)}, second: {count: \(row.second)}}
            steps:
              - {at: 0s, fetch: first}
              - {at: 1s, fetch: second}
              # Who attests again is not new again.
              - {at: 10m, fetch: first}
              - {at: 11m, approov: device -getInfo new-did}
            expect: {metrics: {pass: \(2 * row.first + row.second)}}
            """)
        let devices = output.decisions.prefix(row.first + row.second).map(\.device)
        expect(output.printedDevices, equals: Array(devices.suffix(100)))
    }

    @Test("R10 the last 100 that matched a filter which captures", arguments: sizes) func filtered(_ row: Row) throws {
        let output = try RunOutput(
            """
            account:
              filters:
                - {name: captures, key: ip, match: x, capture-device-info: true}
                - {name: watches, key: ip, match: "y"}
                - {name: rejects, key: ip, match: z, reject: true}
            devices:
              first: {count: \(row.first), attributes: {ip: x}}
              others: {count: 2, attributes: {ip: "y"}}
              more: {count: 2, attributes: {ip: z}}
              none: {count: 2}
              second: {count: \(row.second), attributes: {ip: x}}
            steps:
              - {at: 0s, fetch: all}
              - {at: 1s, approov: device -getInfo filtered}
            expect: {metrics: {filter-captures: \(row.first + row.second), filter-watches: 2, filter-rejects: 2}}
            """)
        let devices = output.decisions.filter { $0.filters == ["captures"] }.map(\.device)
        expect(devices.count, equals: row.first + row.second)
        expect(output.printedDevices, equals: Array(devices.suffix(100)))
    }

    static let fetchSizes = [
        Row(first: 1, second: 0), Row(first: 600, second: 400), Row(first: 600, second: 401),
        Row(first: 1300, second: 2),
        Row(first: 1000, second: 1000),
    ]

    @Test("R10 the last 1000 attestations, of whatever device", arguments: fetchSizes) func fetches(_ row: Row) throws {
        let output = try RunOutput(
            """
            start: 2020-07-23T23:59:59Z
            devices: {first: {count: \(row.first)}, second: {count: \(max(1, row.second)), flags: [rooted]}}
            steps:
              - {at: 0s, fetch: first}
              \(row.second > 0 ? "- {at: 1s, fetch: second}" : "")
              # Cached tokens do not come to the service.
              - {at: 10s, fetch: first}
              - {at: 11s, approov: device -getFetches timed}
              - {at: 11s, approov: device -getFetches untimed}
            expect: {metrics: {pass: \(row.first), fail: \(row.second)}}
            """)
        let devices = output.decisions.map(\.device)
        expect(devices.count, equals: row.first + row.second)
        let times =
            Array(repeating: "2020-07-23 23:59:59 UTC", count: row.first)
            + Array(repeating: "2020-07-24 00:00:00 UTC", count: row.second)
        let timed = zip(devices, times).map { "\($0) \($1)" }
        expect(output.lines, equals: Array(timed.suffix(1000)) + Array(devices.suffix(1000)))
    }

    // "Unless there are more than 100 new devices per minute, all the new device information will be captured."
    @Test("Analyzing Captured Streams: the scripts of the manual miss nothing and print nothing twice")
    func scripts() throws {
        let output = try RunOutput(
            """
            devices: {a: {count: 90}, b: {count: 80}, c: {count: 100, flags: [rooted]}}
            steps:
              - {at: 0s, fetch: a, every: 5m, until: 30m}
              - {at: 30s, approov: device -getFetches untimed -clear, every: 1m, until: 1h}
              - {at: 31s, approov: device -getInfo new-did -clear, every: 1m, until: 1h}
              - {at: 61s, fetch: b, every: 150s, until: 20m}
              - {at: 10m, fetch: c, every: 1m, until: 20m}
            expect: {metrics: {pass: {at-least: 1}}}
            """)
        let fetches = output.lines.filter { $0.count == 24 && $0.hasSuffix("==") }
        expect(fetches, equals: output.decisions.map(\.device))
        expect(output.printedDevices, equals: output.decisions.filter { $0.flags.contains("new-did") }.map(\.device))
        expect(output.printedDevices.count, equals: 270)
    }
}

/// A ring against an array that keeps everything.
@Suite struct RingTests {
    @Test(arguments: [1, 2, 3, 7, 100]) func keepsTheLatestInTheirOrder(capacity: Int) {
        var ring = Ring<Int>(capacity: capacity)
        expect(ring.inOrder, equals: [])
        for number in 0..<(3 * capacity + 2) {
            ring.append(number)
            expect(ring.inOrder, equals: Array(max(0, number + 1 - capacity)...number))
        }
    }

    @Test(arguments: 0..<50) func agreesWithAnArray(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed), path: "ring")
        let capacity = Int(generator.next() % 20) + 1
        var (ring, all) = (Ring<UInt64>(capacity: capacity), [UInt64]())
        for _ in 0..<200 {
            if generator.next() % 40 == 0 {
                ring.removeAll()
                all.removeAll()
            } else {
                let element = generator.next()
                ring.append(element)
                all.append(element)
            }
            expect(ring.inOrder, equals: Array(all.suffix(capacity)))
        }
    }

    @Test func copiesAreApart() {
        var ring = Ring<Int>(capacity: 2)
        ring.append(1)
        var copy = ring
        copy.append(2)
        copy.append(3)
        ring.removeAll()
        expect(ring.inOrder, equals: [])
        expect(copy.inOrder, equals: [2, 3])
    }

    @Test func theServiceKeepsWhatTheManualSays() {
        // "Only the information for the last 100 new devices is held", "for the last 1000 requests".
        expect(InformationLog.deviceLimit, equals: 100)
        expect(InformationLog.fetchLimit, equals: 1000)
    }
}
