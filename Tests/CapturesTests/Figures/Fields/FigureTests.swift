import Testing

@testable import Figures
@testable import PolicyEngine
@testable import TestSupport

/// The tables of fields: each field is written, read, added and reported as worked-out values say, and all obey the same laws.
@Suite struct FigureTests {
    /// A type of figures.
    struct Table: Sendable, CustomTestStringConvertible {
        let figure: any Figure.Type
        /// The names of the stored properties that no partial result has.
        var besides: Set<String> = []
        var testDescription: String { "\(figure)" }
    }

    private static let others: [any Figure.Type] = [
        Figures.Devices.self, Figures.Window.self, Figures.FilterFigures.self, Figures.Unevaluated.self,
        Figures.Reproduction.self, FetchFigures.self, FetchFigures.Device.self, FetchFigures.Weights.self,
        ChangeFigures.self, ChangeFigures.Split.self, ChangeFigures.Part.self, ChangeFigures.Example.self,
        ChangeFigures.Side.self, ComparisonFigures.LifetimeChange.self, ComparisonFigures.Presence.self,
        ComparisonFigures.Disagreement.self, AnnotationFigures.self, FailingDevices.self, GroupDevices.self,
        ComparedAccounts.self,
        PolicyDifference.self, PairFigures.self, CaptureIdentity.self,
        PartialResult.TypedCommand.self, LabelFigures.self, LabelFigures.Unmatched.self,
        LabelFigures.Contradiction.self, LabelFigures.Exempted.self, LabelLane.self, LabelCounts.self,
    ]

    static let tables =
        [
            Table(figure: Figures.self, besides: ["frequencies"]),
            Table(figure: ComparisonFigures.self, besides: ["attested", "clients"]),
        ] + others.map { Table(figure: $0) }

    @Test("every stored property is in the table once", arguments: tables) func table(_ table: Table) {
        func names<Value: Figure>(_ type: Value.Type) -> [String] {
            type.fields.filter { $0.write(type.init()) != nil }.map(\.name)
        }
        let stored = Set(Mirror(reflecting: table.figure.init()).children.compactMap(\.label))
        let written = names(table.figure)
        expect(Set(written).count, equals: written.count)
        expect(written.count, equals: stored.subtracting(table.besides).count, "\(stored.sorted())")
    }

    @Test("values are as worked out", arguments: FigureRow.files) func values(_ file: CaseFile) throws {
        try file.expectActual { try FigureRow($0).rewritten() }
    }

    @Test("a partial form is read back", arguments: FigureRow.all) func readBack(_ row: FigureRow) throws {
        for text in [row.first, row.second].compactMap(\.self) { try expect(row.readBack(text), equals: text) }
    }

    @Test("a member that is missing or of another kind is refused by its name", arguments: FigureRow.all)
    func refused(_ row: FigureRow) throws {
        let members = try row.members()
        for (index, member) in members.enumerated() {
            var others = members
            others.remove(at: index)
            let refusal = PartialFailure(message: "`\(member.name.text)` is missing, or makes no sense")
            #expect(throws: refusal) { try row.readBack(.object(others)) }
            others.insert(JSONMember(member.name, .object([])), at: index)
            #expect(throws: refusal) { try row.readBack(.object(others)) }
        }
    }

    @Test("values add up, whichever comes first, and nothing adds nothing", arguments: FigureRow.all)
    func adding(_ row: FigureRow) throws {
        guard let second = row.second else { return }
        let sum = try row.adding(row.first, second)
        try expect(row.adding(second, row.first), equals: sum)
        try expect(row.readBack(sum), equals: sum)
        try expect(row.adding(row.first, nil), equals: row.first)
        try expect(row.adding(sum, nil), equals: sum)
    }

    @Test("reports name the members as their schema does", arguments: FigureRow.all) func reports(_ row: FigureRow)
        throws
    {
        for unit in row.units {
            guard case .object(let members) = try FigureRow.content(row.report(unit)) else { continue }
            #expect(Set(members.map(\.name.text)).isSuperset(of: row.declared))
        }
    }

    @Test("the sum of lists has the things of the second one last") func order() {
        let (one, two) = (Self.part("a", 1), Self.part("b", 1))
        expect([one].adding([two, one]).map(\.events), equals: [2, 1])
        expect([one].adding([two, one]).map(\.name), equals: ["a", "b"])
    }

    @Test("of two that were seen first at once, the first one is kept") func firstSeen() {
        var other = Self.part("b", 2)
        other.example = DeviceID(first: 0, second: 1)
        let sum = Self.part("a", 1).adding(other)
        #expect((sum.name, sum.events, sum.example) == ("a", 3, .blank))
    }

    @Test("the sum of ranges spans both, and that of absent values is the other one") func ranges() {
        expect((3...5).adding(1...4), equals: 1...5)
        expect((1...2).adding(4...9), equals: 1...9)
        expect(Int?.none.adding(3), equals: 3)
        expect(Int?.some(3).adding(nil), equals: 3)
        expect(Int?.some(3).adding(4), equals: 7)
        expect(["a": 1, "b": 2].adding(["b": 3, "c": 4]), equals: ["a": 1, "b": 5, "c": 4])
    }

    @Test("a label fits no record if it fits none of any device") func unmatched() {
        func figures(_ lines: [Int]) -> LabelFigures {
            LabelFigures { $0.unmatched = lines.map { line in .init { $0.line = line } } }
        }
        expect(figures([2, 3, 5]).adding(figures([5, 2, 7])).unmatched.map(\.line), equals: [2, 5])
    }

    @Test("the example of a contradiction is the device with the smallest ID") func contradictions() throws {
        let devices = try ["w4mmGFZkpz5oPz6w6gl1Cw==", "qZka0yfv+ExvOq3PRh6pGw=="].map { try #require(DeviceID($0)) }
        let parts = devices.map { device in
            LabelFigures.Contradiction { ($0.bad, $0.good, $0.devices, $0.example) = (2, 3, 4, device) }
        }
        for sum in [parts[0].adding(parts[1]), parts[1].adding(parts[0])] {
            #expect((sum.bad, sum.good, sum.devices, sum.example) == (2, 3, 8, devices[1]))
        }
    }

    @Test("a partial result holds no more devices than can be named") func knownDevices() {
        let limit = ChangeFigures.KnownDevices.limit
        let devices = (0...limit).map { DeviceID(first: 0, second: UInt64($0)) }
        expect(ChangeFigures.KnownDevices(devices.dropLast()).all?.count, equals: limit)
        #expect(ChangeFigures.KnownDevices(devices).all == nil)
        let half = ChangeFigures.KnownDevices(devices.prefix(limit / 2))
        expect(half.adding(half).all?.count, equals: limit)
        #expect(half.adding(ChangeFigures.KnownDevices(devices.prefix(limit / 2 + 1))).all == nil)
    }

    @Test("a partial result names devices in the order of their IDs") func orderOfKnownDevices() {
        let devices = ["BBBBBBBBBBBBBBBBBBBBBA==", "ABBBBBBBBBBBBBBBBBBBBA==", "ACBBBBBBBBBBBBBBBBBBBA=="]
            .compactMap { DeviceID($0) }
        let first = ChangeFigures.KnownDevices(devices)
        expect(
            Self.text(first),
            equals: #"["ABBBBBBBBBBBBBBBBBBBBA==","ACBBBBBBBBBBBBBBBBBBBA==","BBBBBBBBBBBBBBBBBBBBBA=="]"#)
        let reversed = ChangeFigures.KnownDevices(devices.suffix(2).reversed())
        expect(Self.text(reversed.adding(ChangeFigures.KnownDevices(devices.prefix(1)))), equals: Self.text(first))
    }

    private static func text(_ value: some FigureValue) -> String {
        var bytes = JSONBytes()
        value.partial.write(to: &bytes)
        return String(decoding: bytes.bytes, as: UTF8.self)
    }

    private static func part(_ name: String, _ events: Int) -> ChangeFigures.Part {
        .init { ($0.name, $0.events) = (name, events) }
    }
}
