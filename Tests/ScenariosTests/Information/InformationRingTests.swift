import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// The records that the service keeps of the latest attestations (R10 step 14; manual, Analyzing New Devices, Analyzing
/// Filtered Devices, Observing All Token Fetch Devices).
@Suite struct InformationRingTests {
    private static let (bob, amy) = ("h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234==")

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
        #expect(output.printedDevices == Array(devices.suffix(100)))
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
        #expect(devices.count == row.first + row.second)
        #expect(output.printedDevices == Array(devices.suffix(100)))
    }

    @Test("R10 a device that matches again is there again") func filteredAgain() throws {
        let output = try RunOutput(
            """
            account: {filters: [{name: f, key: ip, match: x, capture-device-info: true}]}
            devices: {bob: {id: \(Self.bob), attributes: {ip: x}}, amy: {id: \(Self.amy), attributes: {ip: x}}}
            steps:
              - {at: 0s, fetch: all}
              - {at: 100s, fetch: all}
              - {at: 300s, fetch: bob}
              - {at: 301s, approov: device -getInfo filtered}
            expect: {metrics: {filter-f: 3}}
            """)
        #expect(output.printedDevices == [Self.bob, Self.amy, Self.bob])
        #expect(
            output.lines.filter { $0.hasPrefix("--- ") } == [
                "--- \(Self.bob) 2020-01-01 00:00:00 UTC ---", "--- \(Self.amy) 2020-01-01 00:00:00 UTC ---",
                "--- \(Self.bob) 2020-01-01 00:05:00 UTC ---",
            ])
    }

    @Test("R10 all filters that a captured device matched are listed, conjunctions too") func matchedFilters() throws {
        let output = try RunOutput(
            """
            account:
              filters:
                - {name: zz, key: ip, match: x}
                - {name: captures, key: device-id, regex: "^", capture-device-info: true}
                - {name: both, conjunction: [zz, captures]}
                - {name: other, key: ip, match: "y"}
            devices: {bob: {attributes: {ip: x}}, amy: {attributes: {ip: "y"}}, eve: {}}
            steps: [{at: 0s, fetch: all}, {at: 0s, approov: device -getInfo filtered}]
            expect: {metrics: {filter-captures: 3}}
            """)
        #expect(
            output.lines.filter { $0.hasPrefix("matched-filters:") } == [
                "matched-filters: zz,captures,both", "matched-filters: captures,other", "matched-filters: captures",
            ])
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
        #expect(devices.count == row.first + row.second)
        let times =
            Array(repeating: "2020-07-23 23:59:59 UTC", count: row.first)
            + Array(repeating: "2020-07-24 00:00:00 UTC", count: row.second)
        let timed = zip(devices, times).map { "\($0) \($1)" }
        #expect(output.lines == Array(timed.suffix(1000)) + Array(devices.suffix(1000)))
    }

    @Test("R14.3 what the failover serves is not kept by the primary service") func failover() throws {
        let output = try RunOutput(
            """
            devices: {bob: {id: \(Self.bob)}, amy: {id: \(Self.amy)}}
            steps:
              - {at: 0s, outage: primary, until: 10m}
              - {at: 60s, fetch: bob}
              - {at: 10m, fetch: amy}
              - {at: 11m, approov: device -getFetches untimed}
            expect: {metrics: {pass: 1}}
            """)
        #expect(output.lines == [Self.amy])
    }

    /// Clearings, and the number of records or fetches that each of the four still prints afterwards; `nil` for an error.
    static let clearings: [Case<String, [Int?]>] = [
        Case("device -getInfo new-did", gives: [0, 3, 1, 3]),
        Case("device -getInfo filtered", gives: [2, 0, 1, 3]),
        Case("device -getInfo \(bob)", gives: [2, 3, nil, 3]),
        Case("device -getFetches timed", gives: [2, 3, 1, 0]),
        Case("device -getFetches untimed", gives: [2, 3, 1, 0]),
    ]

    private static func clearing(_ query: String, then others: [String]) -> String {
        """
        account:
          filters: [{name: f, key: ip, match: x, capture-device-info: true}]
          devices: [{id: \(bob)}, {id: \(amy)}]
        devices: {bob: {id: \(bob), attributes: {ip: x}}, amy: {id: \(amy), attributes: {ip: x}}}
        steps:
          - {at: 0s, fetch: all}
          - {at: 300s, fetch: bob}
          - {at: 301s, approov: \(query)}
        \(others.map { "  - {at: 302s, approov: \($0)}" }.joined(separator: "\n"))
        expect: {metrics: {pass: 3}}
        """
    }

    private static func started(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("--- ") || $0.hasPrefix("captured: ") || $0.hasPrefix(bob) || $0.hasPrefix(amy) }
    }

    @Test("Analyzing New Devices: `-clear` discards exactly what is printed", arguments: clearings)
    func clear(_ row: Case<String, [Int?]>) throws {
        let before = try RunOutput(Self.clearing(row.input, then: [row.input]))
        let cleared = try RunOutput(Self.clearing("\(row.input) -clear", then: []))
        // It is printed before it is discarded, and without `-clear` it stays.
        #expect(before.lines == cleared.lines + cleared.lines)
        #expect(!cleared.lines.isEmpty)
        let others = [
            "device -getInfo new-did", "device -getInfo filtered", "device -getInfo \(Self.bob)",
            "device -getFetches timed",
        ]
        for (query, left) in zip(others, row.expected) {
            let text = Self.clearing("\(row.input) -clear", then: [query])
            guard let left else {
                #expect(try ScenarioText.attempt(text).diagnostics.count == 1)
                continue
            }
            let lines = try RunOutput(text).lines.dropFirst(cleared.lines.count)
            #expect(Self.started(Array(lines)).count == left, "\(query)")
        }
        // The other device with an entry keeps what is known of it.
        let amy = try RunOutput(Self.clearing("\(row.input) -clear", then: ["device -getInfo \(Self.amy)"]))
        #expect(amy.lines.count > cleared.lines.count)
    }

    @Test("Analyzing New Devices: what comes after `-clear` is kept again") func clearedAndFilledAgain() throws {
        let output = try RunOutput(
            """
            devices: {early: {count: 3}, late: {count: 2}}
            steps:
              - {at: 0s, fetch: early}
              - {at: 1s, approov: device -getFetches untimed -clear}
              - {at: 1s, approov: device -getInfo new-did -clear}
              - {at: 2s, fetch: late}
              - {at: 3s, approov: device -getFetches untimed -clear}
              - {at: 3s, approov: device -getInfo new-did -clear}
              - {at: 4s, approov: device -getFetches untimed}
              - {at: 4s, approov: device -getInfo new-did}
            expect: {metrics: {pass: 5}}
            """)
        let devices = output.decisions.map(\.device)
        #expect(output.lines.filter { $0.count == 24 } == devices)
        #expect(output.printedDevices == devices)
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
        #expect(fetches == output.decisions.map(\.device))
        #expect(output.printedDevices == output.decisions.filter { $0.flags.contains("new-did") }.map(\.device))
        #expect(output.printedDevices.count == 270)
    }

    @Test("R6.5 clearing device state leaves the rings, and makes everyone new again") func clearingOfState() throws {
        let output = try RunOutput(
            """
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1s, approov: device -clearDeviceState}
              - {at: 300s, fetch: bob}
              - {at: 301s, approov: device -getInfo new-did}
            expect: {metrics: {pass-flag-new-did: 2}}
            """)
        #expect(output.printedDevices == [Self.bob, Self.bob])
    }

    @Test("R8.10 accounts keep apart what they know") func accounts() throws {
        let output = try RunOutput(
            """
            accounts: {a: {}, b: {}}
            devices: {bob: {account: a, id: \(Self.bob)}, amy: {account: b, id: \(Self.amy)}}
            steps:
              - {at: 0s, fetch: all}
              - {at: 1s, approov: device -getFetches untimed -clear, account: a}
              - {at: 1s, approov: device -getFetches untimed, account: a}
              - {at: 1s, approov: device -getFetches untimed, account: b}
            expect: {account: a, metrics: {pass: 1}}
            """)
        #expect(output.lines == [Self.bob, Self.amy])
    }
}

/// A ring against an array that keeps everything.
@Suite struct RingTests {
    @Test(arguments: [1, 2, 3, 7, 100]) func keepsTheLatestInTheirOrder(capacity: Int) {
        var ring = Ring<Int>(capacity: capacity)
        #expect(ring.inOrder == [])
        for number in 0..<(3 * capacity + 2) {
            ring.append(number)
            #expect(ring.inOrder == Array(max(0, number + 1 - capacity)...number))
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
            #expect(ring.inOrder == Array(all.suffix(capacity)))
        }
    }

    @Test func copiesAreApart() {
        var ring = Ring<Int>(capacity: 2)
        ring.append(1)
        var copy = ring
        copy.append(2)
        copy.append(3)
        ring.removeAll()
        #expect(ring.inOrder == [])
        #expect(copy.inOrder == [2, 3])
    }

    @Test func theServiceKeepsWhatTheManualSays() {
        // "Only the information for the last 100 new devices is held", "for the last 1000 requests".
        #expect(InformationLog.deviceLimit == 100)
        #expect(InformationLog.fetchLimit == 1000)
    }
}
