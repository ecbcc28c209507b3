import PolicyEngine
import Statistics
import Testing

@testable import Figures
@testable import TestSupport

/// The conclusions from a comparison as a whole, worked out by hand.
@Suite struct ComparisonTests {
    private static func unevaluated(_ newDevices: Int, searches: [String: Int] = [:]) -> Figures.Unevaluated {
        var devices = Figures.Unevaluated()
        devices.addNewDevices(newDevices, others: newDevices)
        devices.addUnsearched(searches.values.max() ?? 0, byFilter: searches)
        return devices
    }

    private static func comparison(
        before: String = "{}", after: String = "{}", isCapture: Bool = true, _ fill: (inout ComparisonFigures) -> Void
    ) throws -> Comparison {
        var changes = ComparisonFigures()
        fill(&changes)
        let accounts = ComparedAccounts(
            before: try AccountText.account(before), after: try AccountText.account(after))
        let side = Comparison.Side(figures: Figures())
        return Comparison(before: side, after: side, accounts: accounts, changes: changes, isCapture: isCapture)
    }

    @Test("devices that are not evaluated are named by what is lacking") func sentences() throws {
        let newDevices = try Self.comparison { ($0.devices, $0.unevaluated) = (2000, Self.unevaluated(1500)) }
        #expect(
            newDevices.unevaluated == [
                "no record has `new-did`, so it is not known which devices were new: effects that depend on it are left "
                    + "out, and 1,500 devices (75.0 %) are not evaluated"
            ])
        let searches = try Self.comparison {
            ($0.devices, $0.unevaluated) = (8, Self.unevaluated(0, searches: ["f": 3]))
        }
        #expect(searches.unevaluated.count == 1)
        #expect(searches.unevaluated[0].hasSuffix(": 3 devices (37.5 %) are not evaluated"))
        #expect(try Self.comparison { $0.devices = 8 }.isExact)
        #expect(!searches.isExact)
    }

    @Test("where only the other side knows no new devices, none is counted") func otherSide() throws {
        var side = Comparison.Side(figures: Figures())
        side.figures.unevaluated = Self.unevaluated(1)
        let sentences = UnevaluatedChanges.newDevices(ComparisonFigures(), sides: [side])
        #expect(sentences.map { $0.hasSuffix("effects that depend on it are left out") } == [true])
        #expect(UnevaluatedChanges.newDevices(ComparisonFigures(), sides: []) == [])
    }

    static let presences: [Case<Int, String?>] = [
        Case("no record", 0, gives: "filter `f` looks at `ip`, which no record has"),
        Case("some", 1, gives: "filter `f` looks at `ip`, which only 25.0 % of the records have"),
        Case("all", 4, gives: nil),
    ]

    @Test("a new filter over what the records lack", arguments: presences) func presence(_ row: Case<Int, String?>)
        throws
    {
        let filter = "filters: [{name: f, key: ip, match: x}]"
        func sentences(_ before: String, _ after: String, isCapture: Bool = true) throws -> [String] {
            try Self.comparison(before: before, after: after, isCapture: isCapture) { figures in
                figures.events = 4
                figures.presences = [.init { ($0.attribute, $0.records) = ("ip", row.input) }]
            }.unevaluated
        }
        #expect(try sentences("{}", filter) == [row.expected].compactMap(\.self))
        #expect(try sentences(filter, filter) == [] && sentences("{}", filter, isCapture: false) == [])
    }

    @Test("a change that captures do not show is said of captures alone, and one without effect is no gap")
    func beyond()
        throws
    {
        let capture = try Self.comparison(before: "grace: 0s", after: "grace: 60s") { _ in }
        #expect(capture.beyondCaptures.count == 1 && capture.unevaluated == capture.beyondCaptures)
        #expect(!capture.isExact && !capture.isOfEqualAccounts)
        let scenario = try Self.comparison(before: "grace: 0s", after: "grace: 60s", isCapture: false) { _ in }
        #expect(scenario.beyondCaptures == [] && scenario.unevaluated == [] && scenario.isExact)
        let labels = try Self.comparison(before: "arc: on", after: "arc: off") { _ in }
        #expect(labels.unevaluated == [UnevaluatedChanges.noBearing] && labels.isExact && labels.beyondCaptures == [])
        #expect(try Self.comparison { _ in }.isOfEqualAccounts)
    }

    @Test("nothing is evaluated if no device is") func emptiness() throws {
        func emptiness(_ attestations: Int, _ devices: Int, _ unevaluated: Figures.Unevaluated) throws -> String? {
            try Self.comparison {
                ($0.attestations, $0.devices, $0.unevaluated) = (attestations, devices, unevaluated)
            }.emptiness
        }
        let newDevices = "the captures do not say which devices were new"
        #expect(try emptiness(5, 2, Self.unevaluated(1)) == nil)
        #expect(try emptiness(5, 2, Self.unevaluated(2)) == newDevices)
        #expect(try emptiness(0, 2, Self.unevaluated(0)) == newDevices)
        #expect(
            try emptiness(5, 2, Self.unevaluated(0, searches: ["f": 2])) == "searches were given up for every device")
        var clients = ClientChanges()
        clients.parts = [ClientChanges.Part(.token)]
        let comparison = try Self.comparison { ($0.devices, $0.clients) = (1, clients) }
        #expect(comparison.comparesAnything && comparison.emptiness == nil)
    }

    @Test("a filter whose searches hit the limit is named once, by the account before") func limits() throws {
        func side(_ filters: [(name: String, hits: Int)]) -> Comparison.Side {
            let figures = filters.map { filter in
                Figures.FilterFigures { ($0.name, $0.limitHits) = (filter.name, filter.hits) }
            }
            return Comparison.Side(figures: Figures { $0.filters = figures })
        }
        var comparison = try Self.comparison { _ in }
        comparison.before = side([("a", 1), ("b", 0), ("c", 2)])
        comparison.after = side([("a", 5), ("b", 6), ("d", 0)])
        #expect(comparison.limitedFilters.map { "\($0.name) \($0.limitHits)" } == ["a 1", "c 2", "b 6"])
    }

    @Test("kinds of what clients get, and those that change for the worse") func clients() {
        var clients = ClientChanges()
        clients.parts = [.init(.token), .init(.request), .init(.proof)]
        (clients.parts[1].worse.devices, clients.parts[2].worse.events) = (3, 1)
        #expect(clients.worsening.map(\.kind) == [.request])
        #expect(clients[.proof]?.worse.events == 1 && clients[.customToken] == nil)
        var changes = ComparisonFigures()
        #expect(changes.newlyBlocked == 0)
        changes.clients = clients
        #expect(changes.newlyBlocked == 3)
    }

    @Test("a difference of shares is drift up to a level, and captures are uneven beyond twice the hours") func drift()
        throws
    {
        func side(_ hours: Int) -> DriftFigures.Side { .init(name: "", devices: 0, attestations: 0, hours: hours) }
        func value(_ text: String, _ pValue: Double) -> DriftFigures.Value {
            .init(
                term: .init(key: "k", value: text), before: 1, after: 2, difference: 0.5,
                interval: ConfidenceInterval(0, 1), pValue: pValue)
        }
        var figures = DriftFigures(old: side(2), new: side(4), level: "95 %")
        #expect(!figures.isUneven && figures.largest == nil)
        figures.values = [value("a", 0.05), value("b", 0.051), value("c", 0)]
        #expect(figures.drifts.map(\.term.value) == ["a", "c"])
        #expect(figures.largest?.term.value == "a")
        figures.new.hours = 5
        #expect(figures.isUneven)
        (figures.old.hours, figures.new.hours) = (5, 2)
        #expect(figures.isUneven)
    }
}
