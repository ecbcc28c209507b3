import Documents
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

    private static func comparison(_ fill: (inout ComparisonFigures) -> Void) -> Comparison {
        var changes = ComparisonFigures()
        fill(&changes)
        let side = Comparison.Side(figures: Figures())
        return Comparison(
            before: side, after: side, accounts: ComparedAccounts(before: Account(), after: Account()),
            changes: changes,
            isCapture: true)
    }

    @Test("devices that are not evaluated are named by what is lacking") func sentences() {
        let newDevices = Self.comparison { ($0.devices, $0.unevaluated) = (2000, Self.unevaluated(1500)) }
        expect(
            newDevices.unevaluated,
            equals: [
                "no record has `new-did`, so it is not known which devices were new: effects that depend on it are left "
                    + "out, and 1,500 devices (75.0 %) are not evaluated"
            ])
        let searches = Self.comparison {
            ($0.devices, $0.unevaluated) = (8, Self.unevaluated(0, searches: ["f": 3]))
        }
        expect(searches.unevaluated.count, equals: 1)
        #expect(searches.unevaluated[0].hasSuffix(": 3 devices (37.5 %) are not evaluated"))
        #expect(Self.comparison { $0.devices = 8 }.isExact)
        #expect(!searches.isExact)
    }

    @Test("where only the other side knows no new devices, none is counted") func otherSide() throws {
        var side = Comparison.Side(figures: Figures())
        side.figures.unevaluated = Self.unevaluated(1)
        let sentences = UnevaluatedChanges.newDevices(ComparisonFigures(), sides: [side])
        expect(sentences.map { $0.hasSuffix("effects that depend on it are left out") }, equals: [true])
        expect(UnevaluatedChanges.newDevices(ComparisonFigures(), sides: []), equals: [])
    }

    @Test("nothing is evaluated if no device is") func emptiness() {
        func emptiness(_ attestations: Int, _ devices: Int, _ unevaluated: Figures.Unevaluated) -> String? {
            Self.comparison {
                ($0.attestations, $0.devices, $0.unevaluated) = (attestations, devices, unevaluated)
            }.emptiness
        }
        let newDevices = "the captures do not say which devices were new"
        #expect(emptiness(5, 2, Self.unevaluated(1)) == nil)
        expect(emptiness(5, 2, Self.unevaluated(2)), equals: newDevices)
        expect(emptiness(0, 2, Self.unevaluated(0)), equals: newDevices)
        expect(
            emptiness(5, 2, Self.unevaluated(0, searches: ["f": 2])), equals: "searches were given up for every device")
        var clients = ClientChanges()
        clients.parts = [ClientChanges.Part(.token)]
        let comparison = Self.comparison { ($0.devices, $0.clients) = (1, clients) }
        #expect(comparison.comparesAnything && comparison.emptiness == nil)
    }

    @Test("a filter whose searches hit the limit is named once, by the account before") func limits() {
        func side(_ filters: [(name: String, hits: Int)]) -> Comparison.Side {
            let figures = filters.map { filter in
                Figures.FilterFigures { ($0.name, $0.limitHits) = (filter.name, filter.hits) }
            }
            return Comparison.Side(figures: Figures { $0.filters = figures })
        }
        var comparison = Self.comparison { _ in }
        comparison.before = side([("a", 1), ("b", 0), ("c", 2)])
        comparison.after = side([("a", 5), ("b", 6), ("d", 0)])
        expect(comparison.limitedFilters.map { "\($0.name) \($0.limitHits)" }, equals: ["a 1", "c 2", "b 6"])
    }

    @Test("kinds of what clients get, and those that change for the worse") func clients() {
        var clients = ClientChanges()
        clients.parts = [.init(.token), .init(.request), .init(.proof)]
        (clients.parts[1].worse.devices, clients.parts[2].worse.events) = (3, 1)
        expect(clients.changing(.worse).map(\.kind), equals: [.request])
        #expect(clients[.proof]?.worse.events == 1 && clients[.customToken] == nil)
        var changes = ComparisonFigures()
        expect(changes.newlyBlocked, equals: 0)
        changes.clients = clients
        expect(changes.newlyBlocked, equals: 3)
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
        #expect(!figures.isUneven && figures.emptiness == "no device showed a value of ")
        figures.values = [value("a", 0.05), value("b", 0.051), value("c", 0)]
        expect(figures.drifts.map(\.term.value), equals: ["a", "c"])
        #expect(figures.emptiness == nil)
        figures.new.hours = 5
        #expect(figures.isUneven)
        (figures.old.hours, figures.new.hours) = (5, 2)
        #expect(figures.isUneven)
    }
}

/// The figures of changes: their order, and what follows from them, worked out by hand.
@Suite struct ChangeTests {
    private static func lifetime(_ before: Int, _ after: Int, _ events: Int) -> ComparisonFigures.LifetimeChange {
        .init { ($0.before, $0.after, $0.events) = (before, after, events) }
    }

    @Test("a token that lives shorter is fetched more often") func fetches() {
        var figures = ComparisonFigures()
        expect(figures.expectedFetchesPerMille, equals: 1000)
        // Each of 10 devices fetches 300 / 120 times as often, and each of 30 as often as before.
        figures.lifetimes = [Self.lifetime(300, 120, 10), Self.lifetime(300, 300, 30)]
        expect(figures.expectedFetchesPerMille, equals: (10 * 2500 + 30 * 1000) / 40)
        figures.lifetimes = [Self.lifetime(300, 0, 1)]
        expect(figures.expectedFetchesPerMille, equals: 300_000)
        figures.attested = (before: 4, after: 6)
        expect(figures.expectedFetchesPerMille, equals: 1500)
        figures.attested = (before: 0, after: 6)
        expect(figures.expectedFetchesPerMille, equals: 1000)
        var edit = EditFigures()
        edit.countLifetimes(300, 120, 1)
        edit.countLifetimes(300, 300, 3)
        edit.countLifetimes(120, 300, 0)
        (edit.unevaluatedDevices, edit.rejected.devices, edit.accepted.attestations) = (2, 3, 4)
        expect(edit.expectedFetchesPerMille, equals: (1 * 2500 + 3 * 1000) / 4)
        let sum = edit.adding(edit)
        expect(sum.expectedFetchesPerMille, equals: edit.expectedFetchesPerMille)
        #expect((sum.unevaluatedDevices, sum.rejected.devices, sum.accepted.attestations) == (4, 6, 8))
    }

    @Test("attestations of a day follow from an hour at least") func attestationsPerDay() {
        var figures = ComparisonFigures()
        (figures.events, figures.span) = (50, Instant(secondsSinceEpoch: 0)...Instant(secondsSinceEpoch: 3599))
        #expect(figures.attestationsPerDay == nil)
        figures.span = Instant(secondsSinceEpoch: 0)...Instant(secondsSinceEpoch: 3600)
        expect(figures.attestationsPerDay, equals: 50 * 24)
        figures.attested = (before: 100, after: 1)
        expect(figures.attestationsPerDay, equals: 100 * 24)
    }

    @Test("a report has the largest first, and of equal ones the first seen") func order() {
        func part(_ name: String, _ devices: Int, _ events: Int) -> ChangeFigures.Part {
            .init { ($0.name, $0.devices, $0.events) = (name, devices, events) }
        }
        var figures = ComparisonFigures()
        figures.rejected.splits = [
            .init { $0.kind = .app }, .init { $0.kind = .flag },
        ]
        figures.rejected.splits[1].parts = [part("d", 1, 9), part("c", 2, 1), part("b", 2, 2), part("a", 2, 2)]
        figures.accepted.examples = (0..<12).map { index in .init { ($0.index, $0.events) = (index, index % 3) } }
        figures.lifetimes = [Self.lifetime(120, 300, 1), Self.lifetime(300, 120, 1), Self.lifetime(300, 300, 1)]
        figures.disagreements = (0..<12).map { index in .init { ($0.index, $0.attestations) = (index, index % 2) } }
        let finished = figures.finished
        expect(finished.rejected.splits.map(\.kind), equals: [.flag, .app])
        expect(finished.rejected.splits[0].parts.map(\.name), equals: ["a", "b", "c", "d"])
        expect(finished.accepted.examples.map(\.index), equals: [2, 5, 8, 11, 1, 4, 7, 10, 0, 3])
        expect(finished.lifetimes.map(\.after), equals: [300, 120, 300])
        expect(finished.disagreements.map(\.index), equals: [1, 3, 5, 7, 9, 11, 0, 2, 4, 6])
    }

    @Test("annotations change by flag, and as a whole") func annotations() throws {
        let catalogue = FlagCatalogue()
        let flags = try ["rooted", "frida", "xposed"].map { try #require(catalogue.namedFlag($0)) }
        var figures = AnnotationFigures()
        figures.count(FlagSet(flags.prefix(2)), FlagSet(flags.suffix(2)), (events: 3, attestations: 2), catalogue)
        #expect(figures.gained == ["xposed": 3] && figures.lost == ["rooted": 3])
        #expect((figures.appearing, figures.disappearing) == (0, 0))
        figures.count(nil, FlagSet(flags.prefix(1)), (events: 1, attestations: 1), catalogue)
        figures.count(FlagSet(flags.prefix(1)), nil, (events: 5, attestations: 0), catalogue)
        #expect((figures.appearing, figures.disappearing) == (1, 5))
        #expect((figures.events, figures.attestations) == (9, 3))
        #expect(figures.gained == ["xposed": 3, "rooted": 1] && figures.lost == ["rooted": 8])
    }

    @Test("two policies differ in flags, and in all that is no flag") func policies() throws {
        func account(_ policy: String) throws -> Account {
            try AccountText.account("policy: default,\(policy),default\n")
        }
        func others(_ before: String, _ after: String) throws -> [String] {
            let part = ComparedAccounts(before: try account(before), after: try account(after))
            expect(part.difference.isEmpty, equals: (before == after))
            expect(part.difference.size, equals: part.difference.flags.count + part.difference.others.count)
            return part.difference.others
        }
        try expect(others("default", "default"), equals: [])
        try expect(others("whitelist", "blacklist"), equals: ["everything is rejected", "rejecting filters count"])
        try expect(
            others("blacklist", "whitelist"),
            equals: ["not everything is rejected any more", "rejecting filters do not count"])
        try expect(
            others("default", "allow-raj-only-short-lifetime"),
            equals: [
                "tokens live 300 or 120 s before and 45 s after"
            ])
    }

    @Test("a condition quotes what an expression would not read as one word") func conditions() {
        let terms = [
            ("app-version", "5.1"), ("flags", "rooted"), ("verdict", "fail"), ("ip", "a b"), ("ip", ""), ("k", "a(b"),
        ].map { HitFigures.Term(key: $0, value: $1).condition }
        expect(
            terms, equals: ["app-version=5.1", "flag:rooted", "verdict:fail", #"ip="a b""#, #"ip="""#, #"k="a(b""#])
    }

    @Test("the smallest files keep their digests within a budget") func digests() {
        let files = [5, nil, 3, 4, 1].map { bytes in
            CaptureIdentity {
                ($0.bytes, $0.digest, $0.sample) = (bytes, bytes.map { "d\($0)" }, bytes.map { "s\($0)" })
            }
        }
        let limited = CaptureIdentity.limiting(files, to: 8)
        expect(
            limited.map(\.text), equals: ["sampled-sha256:s5", nil, "sha256:d3", "sha256:d4", "sha256:d1"])
    }

    @Test("labels that contradict each other are named by their lines") func labels() throws {
        let device = try #require(DeviceID("w4mmGFZkpz5oPz6w6gl1Cw=="))
        func problem(_ bad: Int, _ good: Int, _ devices: Int) -> LabelFigures.Contradiction {
            .init { ($0.bad, $0.good, $0.devices, $0.example) = (bad, good, devices, device) }
        }
        var figures = LabelFigures()
        figures.contradictions = [problem(9, 4, 2), problem(2, 7, 1), problem(2, 5, 4)]
        let all = figures.problems(in: "l.csv")
        expect(all.map(\.line), equals: [5, 7, 9])
        #expect(all[0].message.hasSuffix("of device \(device) and 3 others"))
        #expect(
            all[1].message.hasPrefix("the labels of lines 2 and 7 contradict") && all[1].message.hasSuffix("\(device)"))
        #expect(all[2].message.hasSuffix("and 1 other"))
    }
}
