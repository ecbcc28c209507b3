import Synchronization
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Launches that a step spreads over some time.
@Suite struct SpreadLaunchTests {
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
            expect(order.sorted { $0.lexicographicallyPrecedes($1) }, equals: order)
            for (step, start, span, count) in [(1, 10, 100, 307), (3, 200, 50, 7), (3, 250, 50, 7)] {
                let round = occurrences.filter { $0.step == step && start..<start + span ~= $0.time }
                let launches = round.flatMap { $0.launching ?? [] }
                expect(launches.count, equals: count)
                expect(Set(launches).count, equals: count)
                #expect(launches.allSatisfy { $0.number < ($0.group == 0 ? 300 : 7) && $0.group < 2 })
            }
            #expect(occurrences.filter { $0.step == 1 }.allSatisfy { 10..<110 ~= $0.time })
            let last = (0..<4).map { step in occurrences.filter { $0.step == step && $0.isLast } }
            #expect(last.allSatisfy { $0.count == 1 })
            expect(last[3].first?.time, equals: occurrences.last?.time)
        }
    }

    @Test("R14.4 a seed always draws the same times, and another one others") func seeds() throws {
        try expect(Self.occurrences(seed: 3), equals: Self.occurrences(seed: 3))
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
}

@Suite struct TimelineTests {
    private static func step(_ at: Int, every: Int? = nil, until: Int = 0) -> Step {
        let repetition = every.map { Step.Repetition(every: $0, until: until) }
        let position = SourcePosition(line: 1, column: 1)
        return Step(at: at, position: position, action: LaunchStep(), repetition: repetition)
    }

    /// Steps, and when they happen: `step@time`, with `!` behind the last time of a step.
    private static func text(_ occurrences: some Sequence<Timeline.Occurrence>) -> String {
        occurrences.map { "\($0.step)@\($0.time)\($0.isLast ? "!" : "")" }.joined(separator: " ")
    }

    @Test(arguments: CaseFile.all(in: "Tables/population", ending: "timeline.txt")) func lists(_ file: CaseFile) throws
    {
        try file.expectActual { example in
            TextCase.lines(example) { line in
                let steps = line.split(separator: ";").compactMap { words in
                    let numbers = words.split(separator: " ").compactMap { Int($0) }
                    return numbers.first.map {
                        Self.step($0, every: numbers.count > 1 ? numbers[1] : nil, until: numbers.last ?? 0)
                    }
                }
                let text = Self.text(Timeline(steps, drawing: nil))
                return text.isEmpty ? "never" : text
            }
        }
    }

    /// Every time of every step, sorted: the expected result of the timeline.
    private static func expansion(_ steps: [Step]) -> [Timeline.Occurrence] {
        var all: [Timeline.Occurrence] = []
        for (number, step) in steps.enumerated() {
            var times = [step.at]
            if let repetition = step.repetition {
                times = Array(stride(from: step.at, through: repetition.until, by: repetition.every))
            }
            for time in times {
                all.append(Timeline.Occurrence(step: number, time: time, isLast: time == times.last))
            }
        }
        return all.sorted { ($0.time, $0.step) < ($1.time, $1.step) }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func agreesWithAnExpansion(seed: UInt64) {
        var generator = SeededGenerator(seed: seed, path: "timeline")
        var (steps, at) = ([Step](), 0)
        for _ in 0..<Int(generator.next() % 30) {
            at += Int(generator.next() % 4)
            let isRepeated = generator.next() % 2 == 0
            let every = 1 + Int(generator.next() % 7)
            steps.append(Self.step(at, every: isRepeated ? every : nil, until: at + Int(generator.next() % 40)))
        }
        expect(Array(Timeline(steps, drawing: nil)), equals: Self.expansion(steps))
    }
}

@Suite struct HeapTests {
    @Test(arguments: 0...20 as ClosedRange<UInt64>) func givesTheLeastFirst(seed: UInt64) {
        var generator = SeededGenerator(seed: seed, path: "heap")
        var (heap, left) = (Heap<Int>(), [Int]())
        for _ in 0..<200 {
            if generator.next() % 3 == 0 {
                expect(heap.least, equals: left.min())
                let least = heap.popLeast()
                expect(least, equals: left.min())
                if let index = left.firstIndex(where: { $0 == least }) { left.remove(at: index) }
            } else {
                let value = Int(generator.next() % 50)
                heap.insert(value)
                left.append(value)
            }
        }
        var rest: [Int] = []
        while let least = heap.popLeast() { rest.append(least) }
        expect(rest, equals: left.sorted())
    }

    @Test func ofNothingThereIsNoLeast() {
        var heap = Heap<Int>()
        #expect(heap.least == nil)
        #expect(heap.popLeast() == nil)
    }
}

@Suite struct ScenarioRunnerTests {
    private static func scenario(_ name: String) throws -> Scenario {
        let text = """
            scenario: \(name)
            devices: {crowd: {count: 3}}
            steps:
              - {at: 0s, fetch: all, every: 10m, until: 20m, expect: {pass: 9}}
            """
        return try ScenarioText.load(text)
    }

    @Test func tellsHowFarItIsOverAllScenarios() throws {
        let shown = Mutex<[Progress.Position]>([])
        let runner = ScenarioRunner(progress: Progress { position in shown.withLock { $0.append(position) } })
        var diagnostics = Diagnostics()
        let results = runner.run([try Self.scenario("one"), try Self.scenario("two")], diagnostics: &diagnostics)
        expect(results.map(\.passed), equals: [true, true])
        let positions = shown.withLock { $0 }
        expect(positions.map(\.records), equals: [3, 6, 9, 12, 15, 18])
        expect(positions.map(\.share), equals: [0, 0.25, 0.5, 0.5, 0.75, 1])
        #expect(positions.allSatisfy { $0.unit == "fetches" })
    }
}
