import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ActivityLoadingTests {
    private static let exponent = "`zipf` must be a number from `0` to `10` with at most three decimals, not"
    private static let zeros = Array(repeating: "0", count: 24).joined(separator: ", ")

    static let rows: [LoaderRow] = [
        .head("a list", "activity: ①[a]", Problem("①", "`activity` must be a mapping, not a list")),
        .head(
            "unknown key", "activity: {①rythm: day}",
            Problem("①", "unknown key `rythm` in `activity`", hint: "did you mean `rhythm`?")),
        .head("negative exponent", "activity: {zipf: ①-1}", Problem("①", "\(exponent) `-1`")),
        .head("exponent too great", "activity: {zipf: ①10.001}", Problem("①", "\(exponent) `10.001`")),
        .head("list for an exponent", "activity: {zipf: ①[1]}", Problem("①", "`zipf` must be text, not a list")),
        .head(
            "rhythm that is none", "activity: {rhythm: ①days}",
            Problem("①", "`rhythm` must be `even` or `day`, not `days`", hint: "did you mean `day`?")),
        .head(
            "too few hours", "activity: {rhythm: ①[1, 2]}",
            Problem("①", "`rhythm` must have 24 weights, one for each hour of the day, not 2")),
        .head(
            "negative weight of an hour", "activity: {rhythm: [\(zeros.dropLast())①-1]}",
            Problem("①", "a weight of `rhythm` must be a whole number from 0 to 1000000, not `-1`")),
        .head(
            "nobody at any hour", "activity: {rhythm: ①[\(zeros)]}",
            Problem("①", "`rhythm` leaves no hour in which anyone attests")),
        .group(
            "no weight", "activity: {weight: ①0}",
            Problem("①", "`weight` must be a whole number from 1 to 1000000, not `0`")),
        .group(
            "unknown key in a group", "activity: {①weigth: 2}",
            Problem("①", "unknown key `weigth` in `activity`", hint: "did you mean `weight`?")),
    ]

    @Test(arguments: rows) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }

    @Test func groupsTakeWhatTheScenarioSaysUnlessTheySayOtherwise() throws {
        let scenario = try ScenarioText.load(
            """
            scenario: s
            activity: {zipf: 1.1, rhythm: day, weight: 3}
            devices:
              plain: {}
              own: {activity: {zipf: 0, rhythm: even}}
              heavy: {activity: {weight: 50}}
            expect: {metrics: {pass: 0}}

            """)
        let activities = scenario.groups.map(\.activity)
        #expect(activities.map(\.zipf.thousandths) == [1100, 0, 1100])
        #expect(activities.map(\.rhythm) == [.day, .even, .day])
        #expect(activities.map(\.weight) == [3, 3, 50])
    }

    @Test func withoutActivityAllAreAlike() throws {
        let scenario = try ScenarioText.load("scenario: s\ndevices: {bob: {}}\nexpect: {metrics: {pass: 0}}\n")
        #expect(scenario.groups.map(\.activity) == [Activity()])
        #expect(Activity().rhythm == .even)
        #expect(Activity().zipf == .zero)
        #expect(Activity().weight == 1)
    }
}
