import Testing

@testable import Scenarios
@testable import TestSupport

/// Launches that a step spreads over some time.
@Suite struct SpreadLaunchTests {
    static let rows = ScenarioRow.table(
        """
        == R14.4 each launches at a time of its own
        # Whoever launched before 50s attests then, and the others at 100s: each launched once.
        devices: {people: {count: 400}, others: {}}
        - {at: 0s, fetch: all, expect: {attested: 401}}
        - {at: 1s, launch: {group: people, over: 99s}}
        - at: 50s
          fetch: all
          expect: [{group: people, attested: {about: {value: 198, within: 60}}}, {group: others, cached: 1}]
        - at: 100s
          fetch: all
          expect: [{group: people, attested: {about: {value: 202, within: 60}}}, {group: others, cached: 1}]
        - {at: 101s, fetch: all, expect: {cached: 401}}
        == R14.4 equal times in the order of the file
        devices: {people: {count: 5}}
        - {at: 0s, fetch: people, expect: {attested: 5}}
        - {at: 10s, fetch: people, expect: {cached: 5}}
        - {at: 10s, launch: {group: all, over: 1s}}
        - {at: 10s, fetch: people, expect: {attested: 5}}
        - {at: 11s, fetch: people, expect: {cached: 5}}
        == R14.4 once in each repetition
        # Each reads pins when it is installed, and at three launches.
        devices: {people: {count: 10, client: {read-pins: launch}}}
        - {at: 0s, launch: {group: people, over: 60s}, every: 60s, until: 2m}
        - {at: 180s, fetch: people}
        expect: {metrics: {sdk-calls-get-pins: 40}}
        == R14.4 several groups, each of its own account
        accounts: {a: {}, b: {}}
        devices: {one: {account: a, count: 3}, two: {account: b, count: 2}}
        - {at: 0s, fetch: all, expect: {attested: 5}}
        - {at: 1s, launch: {group: [two, one], over: 20s}}
        - {at: 21s, fetch: all, expect: {attested: 5}}
        == R14.5 the scenario ends with the span
        devices: {bob: {}}
        - {at: 0s, fetch: bob}
        - {at: 1s, launch: {group: bob, over: 2h}}
        expect: {metrics: {hourly-pass: 0, pass: 1}}
        """)

    @Test("R14.4 launches over a span", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    private static let scenario = """
        scenario: s
        devices: {people: {count: 300}, few: {count: 7}}
        steps:
          - {at: 5s, fetch: all}
          - {at: 10s, launch: {group: [few, people], over: 100s}}
          - {at: 60s, fetch: all, every: 30s, until: 120s}
          - {at: 200s, launch: {group: few, over: 50s}, every: 50s, until: 250s}

        """

    private static func occurrences(seed: UInt64) throws -> [Timeline.Occurrence] {
        let scenario = try ScenarioText.load(scenario)
        return Array(Timeline(scenario.steps, drawing: LaunchTimes(scenario, seed: seed)))
    }

    @Test("R14.4 every install is there once, within the span, in the order of time") func launches() throws {
        for seed in UInt64(1)...20 {
            let occurrences = try Self.occurrences(seed: seed)
            let order = occurrences.map { [$0.time, $0.step] }
            #expect(order.sorted { $0.lexicographicallyPrecedes($1) } == order)
            for (step, start, span, count) in [(1, 10, 100, 307), (3, 200, 50, 7), (3, 250, 50, 7)] {
                let round = occurrences.filter { $0.step == step && start..<start + span ~= $0.time }
                let launches = round.flatMap { $0.launching ?? [] }
                #expect(launches.count == count)
                #expect(Set(launches).count == count)
                #expect(launches.allSatisfy { $0.number < ($0.group == 0 ? 300 : 7) && $0.group < 2 })
            }
            #expect(occurrences.filter { $0.step == 1 }.allSatisfy { 10..<110 ~= $0.time })
            let last = (0..<4).map { step in occurrences.filter { $0.step == step && $0.isLast } }
            #expect(last.allSatisfy { $0.count == 1 })
            #expect(last[3].first?.time == occurrences.last?.time)
        }
    }

    @Test("R14.4 a seed always draws the same times, and another one others") func seeds() throws {
        #expect(try Self.occurrences(seed: 3) == Self.occurrences(seed: 3))
        #expect(try Self.occurrences(seed: 3) != Self.occurrences(seed: 4))
        // A step that begins again draws again.
        let times = try Self.occurrences(seed: 3).filter { $0.step == 3 }.flatMap { occurrence in
            (occurrence.launching ?? []).map { [$0.number, occurrence.time] }
        }
        let rounds = [200, 250].map { start in
            times.filter { start..<start + 50 ~= $0[1] }.map { [$0[0], $0[1] - start] }.sorted { $0[0] < $1[0] }
        }
        #expect(rounds[0] != rounds[1])
    }

    static let refused: [LoaderRow] = [
        .steps("R14.4 no time", "- {at: 0s, launch: ①{group: bob}}", "① `over` is missing from `launch`"),
        .steps("R14.4 nobody", "- {at: 0s, launch: ①{over: 1h}}", "① `group` is missing from `launch`"),
        .steps("R14.4 no span", "- {at: 0s, launch: {group: bob, over: ①0s}}", "① `over` must be at least `1s`"),
        .steps(
            "R14.4 no duration", "- {at: 0s, launch: {group: bob, over: ①day}}",
            "① `over` must be a duration such as `1h30m`, not `day`"),
        .steps(
            "R14.4 another key", "- {at: 0s, launch: {group: bob, over: 1h, ①ovr: 1h}}",
            "① unknown key `ovr` in `launch`; hint: did you mean `over`?"),
        .steps(
            "R14.4 overlapping", "- {at: 0s, launch: {group: bob, over: 2h}, every: ①1h, until: 5h}",
            "① `every` is shorter than `over`, so that launches would overlap"),
    ]

    @Test("R14.4 says what is wrong", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
