import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// R7.2: the searches of a filter have a budget for the whole run. The records that it does not reach depend on the capture
/// alone.
@Suite("R7.2 floods of costly searches") struct SearchFloodTests {
    private static let pattern = "needle$"

    // Longer than what is searched quickly.
    private static func value(_ number: Int) -> String { String(repeating: "hay ", count: 1100) + "\(number) needle" }

    // Each device has two values, and each value comes twice.
    private static func capture(values: Int) -> String {
        var lines = ""
        for round in 0..<2 {
            for number in 0..<values {
                let id = Sample.device(number / 2)
                lines +=
                    #"{"time":"2020-07-23T11:1\#(round):00Z","device-id":"\#(id)","flags":"","x":"\#(value(number))"}"#
                lines += "\n"
            }
        }
        return lines
    }

    private static func replay(
        values: Int, budget: Int, _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> Replayed {
        let account = try AccountText.account("filters: [{name: slow, key: x, regex: '\(pattern)', reject: true}]")
        return try ReplayBench.replay(capture(values: values), account: account) {
            $0.searchBudget = budget
            edit(&$0)
        }
    }

    // The cost of one of the searches: the smallest budget that is enough, to a hundredth.
    private static func cost() throws -> Int {
        var (least, most) = (0, 10_000_000)
        while most - least > most / 100 {
            let middle = (least + most) / 2
            if try replay(values: 1, budget: middle).metric("filter-slow") == 2 {
                most = middle
            } else {
                least = middle
            }
        }
        return most
    }

    @Test("a value is searched once, and the first values of the capture get the budget") func firstComeFirst() throws {
        let cost = try Self.cost()
        for enough in 0...4 {
            let replayed = try Self.replay(values: 4, budget: cost * enough + cost / 4)
            #expect(replayed.metric("filter-slow") == 2 * enough, "budget for \(enough)")
            #expect(replayed.metric("fail") == 2 * enough)
            let figures = try #require(replayed.summary.figures)
            #expect(figures.filters.map(\.limitHits) == [8 - 2 * enough])
            // Values 0 and 1 belong to one device, 2 and 3 to another.
            #expect(figures.unevaluated.devices == [2, 2, 1, 1, 0][enough])
            #expect(figures.unevaluated.unsearched == figures.unevaluated.devices)
            #expect(figures.unevaluated.filters.map(\.devices) == (enough == 4 ? [] : [figures.unevaluated.devices]))
        }
    }

    @Test("the result does not depend on workers and blocks", arguments: [1, 2, 3, 8]) func workers(jobs: Int) throws {
        let budget = try Self.cost() * 5 / 2
        let alone = try Self.replay(values: 6, budget: budget)
        #expect(alone.metric("filter-slow") == 4)
        for blockBytes in [1, 5000, 20_000] {
            let replayed = try Self.replay(values: 6, budget: budget) {
                ($0.jobs, $0.blockBytes) = (jobs, blockBytes)
            }
            #expect(replayed.decisions == alone.decisions)
            #expect(replayed.messages == alone.messages)
            #expect(replayed.summary.figures?.unevaluated == alone.summary.figures?.unevaluated)
        }
    }

    @Test("what a filter without effect does not find leaves every device evaluated") func noEffect() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(Self.pattern)'}]")
        let replayed = try ReplayBench.replay(Self.capture(values: 1), account: account) { $0.searchBudget = 1 }
        #expect(replayed.summary.figures?.unevaluated.devices == 0)
        #expect(replayed.summary.figures?.filters.map(\.limitHits) == [2])
    }

    @Test("an input of a conjunction that rejects counts") func conjunction() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(Self.pattern)'}, {name: c, conjunction: [slow], reject: true}]")
        let replayed = try ReplayBench.replay(Self.capture(values: 1), account: account) { $0.searchBudget = 1 }
        #expect(replayed.summary.figures?.unevaluated.filters.map(\.name) == ["slow"])
    }
}
