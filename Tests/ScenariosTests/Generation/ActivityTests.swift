import Foundation
import PolicyEngine
import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ActivityScheduleTests {
    private static let start = Instant(secondsSinceEpoch: 1_595_462_400)  // 2020-07-23T00:00:00Z
    private static let day = start..<start + 86_400

    private static func group(
        _ name: String, _ count: Int, zipf: String = "0", rhythm: Rhythm = .even, weight: Int = 1
    ) throws -> DeviceGroup {
        var group = DeviceGroup(name: name)
        group.count = count
        group.activity.zipf = try #require(ZipfExponent(zipf))
        group.activity.rhythm = rhythm
        group.activity.weight = weight
        return group
    }

    private static func rhythm(_ weights: [Int]) throws -> Rhythm { try #require(Rhythm(weights: weights)) }

    private static func events(
        _ groups: [DeviceGroup], _ count: Int, in span: Range<Instant> = day, seed: UInt64 = 1
    ) throws -> [(device: Int, time: Instant)] {
        let schedule = try #require(ActivitySchedule(groups, count: count, in: span, seed: seed))
        return Array(schedule)
    }

    private static func counts(_ events: [(device: Int, time: Instant)], by key: (Int, Instant) -> Int) -> [Int: Int] {
        events.reduce(into: [:]) { $0[key($1.device, $1.time), default: 0] += 1 }
    }

    @Test(arguments: [1, 2, 23, 24, 1000, 99_999]) func thereAreAsManyAsAskedForInTheOrderOfTime(_ count: Int) throws {
        let groups = [
            try Self.group("a", 10, rhythm: .day), try Self.group("b", 3, zipf: "1.2"), try Self.group("c", 1),
        ]
        let events = try Self.events(groups, count)
        expect(events.count, equals: count)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(events.allSatisfy { Self.day.contains($0.time) && 0..<14 ~= $0.device })
    }

    @Test func oneSeedGivesOneSchedule() throws {
        let groups = [try Self.group("a", 100, zipf: "1.1", rhythm: .day), try Self.group("b", 100)]
        func texts(_ seed: UInt64) throws -> [String] {
            try Self.events(groups, 5000, seed: seed).map { "\($0.device) \($0.time)" }
        }
        try expect(texts(1), equals: texts(1))
        #expect(try texts(1) != texts(2))
    }

    @Test func hoursGetTheirWeightsToTheNearestWhole() throws {
        let weights = [0, 0, 0, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 34, 21, 13, 8, 5, 3, 2, 1, 0, 0, 7]
        let events = try Self.events([try Self.group("a", 50, rhythm: Self.rhythm(weights))], 10_007)
        let hours = Self.counts(events) { _, time in time.hourNumber - Self.start.hourNumber }
        for (hour, weight) in weights.enumerated() {
            let expected = Double(10_007 * weight) / Double(weights.reduce(0, +))
            #expect(abs(Double(hours[hour] ?? 0) - expected) <= 1)
            if weight == 0 { #expect(hours[hour] == nil) }
        }
    }

    // From 10:40 to 12:10: a third of an hour of weight 1, an hour of weight 2, a sixth of one of weight 3.
    @Test func partsOfHoursGetTheirParts() throws {
        let weights = (0..<24).map { [10: 1, 11: 2, 12: 3][$0] ?? 9 }
        let span = Self.start + 38_400..<Self.start + 43_800
        let events = try Self.events([try Self.group("a", 5, rhythm: Self.rhythm(weights))], 1700, in: span)
        let hours = Self.counts(events) { _, time in time.hourNumber - Self.start.hourNumber }
        expect(hours, equals: [10: 200, 11: 1200, 12: 300])
        #expect(events.allSatisfy { span.contains($0.time) })
    }

    @Test func withinAnHourEverySecondIsAsLikely() throws {
        let events = try Self.events([try Self.group("a", 5)], 36_000, in: Self.start..<Self.start + 3600)
        let quarters = Self.counts(events) { _, time in (time - Self.start) / 900 }
        // 9000 ± five standard deviations of 82.2.
        for quarter in 0..<4 { #expect(8589...9411 ~= quarters[quarter] ?? 0) }
        #expect(Set(events.map(\.time)).count > 3590)
    }

    // A hundred thousand million in an hour.
    @Test func howeverManyThereAreTheFirstDoesNotWait() throws {
        let count = 100_000_000_000
        let schedule = try #require(
            ActivitySchedule(
                [try Self.group("a", 5)], count: count, in: Self.start..<Self.start + 3600, seed: 1))
        expect(schedule.prefix(1000).map(\.time), equals: Array(repeating: Self.start, count: 1000))
    }

    @Test func evenlyOrDrawnEverySecondHasItsPart() throws {
        let groups = [try Self.group("a", 5)]
        let span = Self.start..<Self.start + 1000
        let schedule = try #require(ActivitySchedule(groups, count: 1_200_000, in: span, seed: 1))
        var seconds = Array(repeating: 0, count: 1000)
        for event in schedule { seconds[event.time - Self.start] += 1 }
        // 200 laid, and 1000 ± five standard deviations of 31.6.
        #expect(seconds.allSatisfy { 1042...1358 ~= $0 })
        expect(seconds.reduce(0, +), equals: 1_200_000)
    }

    // Zipf with exponent 1 over three devices: 1, 1/2 and 1/3 of 11/6.
    @Test func theFirstDevicesShareIsThatOfZipf() throws {
        let events = try Self.events([try Self.group("a", 3, zipf: "1")], 110_000)
        let devices = Self.counts(events) { device, _ in device }
        // 60 000, 30 000 and 20 000 ± five standard deviations of 165.1, 147.7 and 127.9.
        #expect(59_174...60_826 ~= devices[0] ?? 0)
        #expect(29_261...30_739 ~= devices[1] ?? 0)
        #expect(19_360...20_640 ~= devices[2] ?? 0)
    }

    // 30 devices at weight 1 and 10 at weight 7: 30 to 70, however a group is spread over its devices.
    @Test(arguments: ["0", "1.3"]) func groupsGetTheirWeights(_ zipf: String) throws {
        let groups = [try Self.group("a", 30, zipf: zipf), try Self.group("b", 10, weight: 7)]
        let events = try Self.events(groups, 100_000)
        // 30 000 ± five standard deviations of 144.9.
        #expect(29_275...30_725 ~= events.count { $0.device < 30 })
        let devices = Self.counts(events) { device, _ in device }
        for device in 30..<40 { #expect(6600...7400 ~= devices[device] ?? 0) }
    }

    // By day as many as the others, by night a hundredth: a rhythm says when, and not how often.
    @Test func groupsKeepTheirOwnRhythms() throws {
        let people = try Self.rhythm(Array(repeating: 1, count: 12) + Array(repeating: 99, count: 12))
        let groups = [try Self.group("people", 20, rhythm: people), try Self.group("robots", 20)]
        let events = try Self.events(groups, 20_000)
        let noon = Self.start + 43_200
        expect(events.count { $0.device < 20 }, equals: 10_000)
        expect(events.count { $0.device < 20 && $0.time < noon }, equals: 100)
        expect(events.count { $0.device >= 20 && $0.time < noon }, equals: 5000)
        let night = try Self.events(groups, 20_000, in: Self.start..<noon)
        // A hundredth of the people's day comes by night, and a half of the robots': one to fifty.
        expect(night.count { $0.device < 20 }, equals: 20_000 / 51)
    }

    @Test func nobodyAttestsOutsideTheRhythm() throws {
        let evening = try Self.rhythm(Array(repeating: 0, count: 23) + [1])
        let group = try Self.group("a", 3, rhythm: evening)
        #expect(ActivitySchedule([group], count: 5, in: Self.start..<Self.start + 82_800, seed: 1) == nil)
        let events = try Self.events([group], 5, in: Self.start..<Self.start + 82_801)
        expect(events.map(\.time), equals: Array(repeating: Self.start + 82_800, count: 5))
    }

    @Test func manyDevicesAndWeightsFitIntoTheTable() throws {
        let groups = [
            try Self.group("a", 100_000, zipf: "3", weight: Activity.weightLimit), try Self.group("b", 1, weight: 1),
        ]
        try expect(Self.events(groups, 1000).count, equals: 1000)
    }
}

@Suite struct ActivityLoadingTests {
    @Test func groupsTakeWhatTheScenarioSaysUnlessTheySayOtherwise() throws {
        let scenario = try ScenarioText.load(
            """
            activity: {zipf: 1.1, rhythm: day, weight: 3}
            devices:
              plain: {}
              own: {activity: {zipf: 0, rhythm: even}}
              heavy: {activity: {weight: 50}}
            expect: {metrics: {pass: 0}}
            """)
        let activities = scenario.groups.map(\.activity)
        expect(activities.map(\.zipf.thousandths), equals: [1100, 0, 1100])
        expect(activities.map(\.rhythm), equals: [.day, .even, .day])
        expect(activities.map(\.weight), equals: [3, 3, 50])
    }

    @Test func withoutActivityAllAreAlike() throws {
        let scenario = try ScenarioText.load("scenario: s\ndevices: {bob: {}}\nexpect: {metrics: {pass: 0}}\n")
        expect(scenario.groups.map(\.activity), equals: [Activity()])
        expect(Activity().rhythm, equals: .even)
        expect(Activity().zipf, equals: .zero)
        expect(Activity().weight, equals: 1)
    }
}

@Suite struct RhythmTests {
    private static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private static func activity(_ rhythm: Rhythm, from start: String, to end: String) throws -> Int {
        rhythm.activity(in: try instant(start)..<instant(end))
    }

    // One, two, three, … by the hour.
    private static let rising = Rhythm(weights: Array(1...24))

    @Test func hoursHaveTheirWeights() throws {
        let rising = try #require(Self.rising)
        expect(rising.dailyActivity, equals: 300 * 3600)
        try expect(Self.activity(rising, from: "2020-07-23T00:00:00Z", to: "2020-07-23T01:00:00Z"), equals: 3600)
        try expect(Self.activity(rising, from: "2020-07-23T23:59:59Z", to: "2020-07-24T00:00:01Z"), equals: 24 + 1)
        try expect(
            Self.activity(rising, from: "2020-07-23T12:30:00Z", to: "2020-07-26T12:30:00Z"), equals: 3 * 300 * 3600)
        try expect(
            Self.activity(rising, from: "2020-07-23T12:30:00Z", to: "2020-07-23T13:30:00Z"), equals: 1800 * (13 + 14))
    }

    @Test func daysBefore1970AreLikeOthers() throws {
        let rising = try #require(Self.rising)
        try expect(Self.activity(rising, from: "1969-12-31T23:00:00Z", to: "1970-01-01T01:00:00Z"), equals: 3600 * 25)
        try expect(Self.activity(rising, from: "0001-01-01T00:00:00Z", to: "0001-01-02T00:00:00Z"), equals: 300 * 3600)
    }

    @Test func everyHourOfTheDayOfPeopleHasSomeone() {
        expect(Rhythm.day.weights.count, equals: 24)
        expect(Rhythm.day.weights.min(), equals: 1)
        expect(Rhythm.day.weights.firstIndex(of: 20), equals: 19)
        expect(Set(Rhythm.even.weights).count, equals: 1)
    }

    @Test func whatIsNoRhythmIsRefused() {
        let ones = Array(repeating: 1, count: 24)
        expect(Rhythm(weights: ones), equals: .even)
        #expect(Rhythm(weights: ones + [1]) == nil)
        #expect(Rhythm(weights: Array(ones.dropLast())) == nil)
        #expect(Rhythm(weights: Array(repeating: 0, count: 24)) == nil)
        #expect(Rhythm(weights: ones.dropLast() + [-1]) == nil)
        #expect(Rhythm(weights: ones.dropLast() + [1_000_001]) == nil)
    }
}

@Suite struct ZipfWeightsTests {
    private static func weight(_ exponent: String, _ rank: Int) throws -> UInt64 {
        ZipfWeights(try #require(ZipfExponent(exponent))).weight(ofRank: rank)
    }

    // By the definition: halves of halves are exact.
    @Test func powersOfTwoAreExact() throws {
        for index in 0...23 { try expect(Self.weight("1", 1 << index), equals: 1 << UInt64(62 - index)) }
        try expect(Self.weight("2.5", 4), equals: 1 << 57)
        try expect(Self.weight("10", 64), equals: 1 << 2)
        try expect(Self.weight("10", 128), equals: 0)
    }

    @Test func withoutExponentAllAreAlike() throws {
        for rank in [1, 2, 3, 10_000_000] { try expect(Self.weight("0", rank), equals: ZipfWeights.first) }
    }

    @Test(arguments: ["0.001", "0.5", "0.999", "1", "1.1", "1.5", "2", "3.7"]) func agreesWithTheLibrary(
        _ exponent: String
    ) throws {
        let (weights, power) = (ZipfWeights(try #require(ZipfExponent(exponent))), try #require(Double(exponent)))
        for rank in [1, 2, 3, 5, 7, 10, 99, 1000, 65_535, 65_537, 999_983, 10_000_000] {
            let share = Double(weights.weight(ofRank: rank)) / Double(ZipfWeights.first)
            #expect(abs(share - pow(Double(rank), -power)) < 1e-11)
        }
    }

    @Test func weightsFall() throws {
        let weights = ZipfWeights(try #require(ZipfExponent("0.01")))
        let all = (1...2000).map(weights.weight(ofRank:))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 > $1 })
    }

    // Worked out by another program, with whole numbers of any length and the same forty places of a logarithm.
    @Test func allDigitsAreRight() throws {
        let expected: [(rank: Int, weight: Int)] = [
            (2, 2_151_427_600_901_700_827), (3, 1_377_293_034_114_013_641), (5, 785_222_483_524_261_960),
            (1000, 2_311_318_157_934_096),
        ]
        for (rank, weight) in expected { #expect(abs(Int(try Self.weight("1.1", rank)) - weight) < 64) }
    }

    static let texts: [Case<String, UInt64?>] = [
        Case("0", gives: 0), Case("1.1", gives: 1100), Case("0.05", gives: 50),
        Case("10", gives: 10_000), Case("10.000", gives: 10_000),
        Case("00.125", gives: 125), Case("10.001", gives: nil),
        Case("1.2345", gives: nil), Case("-1", gives: nil), Case("+1", gives: nil),
        Case("", gives: nil), Case(".5", gives: nil), Case("1.", gives: nil),
        Case("1e0", gives: nil), Case("1,5", gives: nil), Case("1.1.1", gives: nil),
        Case("١", gives: nil), Case("100", gives: nil),
    ]

    @Test(arguments: texts) func readsPlainDecimals(_ row: Case<String, UInt64?>) {
        expect(ZipfExponent(row.input)?.thousandths, equals: row.expected)
    }
}

@Suite struct AliasTableTests {
    struct Row: LabelledRow {
        let name: String
        let weights: [UInt64]
    }

    static let rows = [
        Row(name: "one", weights: [7]), Row(name: "two alike", weights: [1, 1]),
        Row(name: "one to three", weights: [1, 3]),
        Row(name: "falling", weights: [60, 30, 20, 15, 12, 10]), Row(name: "rising", weights: [1, 2, 3, 4, 5]),
        Row(name: "nothing for some", weights: [0, 5, 0, 0, 1, 0]), Row(name: "one takes all", weights: [0, 0, 9]),
        Row(name: "great", weights: [1 << 62, 1 << 61, 1 << 61, 1 << 60]),
        Row(name: "alternating", weights: Array(repeating: [1, 1000], count: 50).flatMap(\.self)),
    ]

    // Random numbers at even distances take every column at its share.
    @Test(arguments: rows) func everyPlaceHasItsShare(_ row: Row) {
        let (table, count) = (AliasTable(row.weights), 100_000)
        var found = Array(repeating: 0, count: row.weights.count)
        for draw in 0..<count { found[table.index(of: UInt64.max / UInt64(count) * UInt64(draw))] += 1 }
        let total = row.weights.reduce(0.0) { $0 + Double($1) }
        for (weight, found) in zip(row.weights, found) {
            // Each column is cut in two, so that an index is off by one draw a column at most.
            let expected = Double(weight) / total * Double(count)
            #expect(abs(Double(found) - expected) <= Double(row.weights.count + 1))
            if weight == 0 { expect(found, equals: 0) }
        }
    }

    @Test func theEndsOfTheRangeAreTaken() {
        let table = AliasTable([1, 2, 3])
        #expect(0..<3 ~= table.index(of: 0))
        #expect(0..<3 ~= table.index(of: .max))
    }
}
