import PolicyEngine
import Testing

@testable import Figures

/// The tables of fields: every stored field of a figure is in its table, once.
@Suite struct FieldTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stored: Set<String>
        let names: [String]
        let addsNothingTwice: Bool

        init<Value: Figure>(_ type: Value.Type, besides others: Set<String> = []) {
            testDescription = "\(type)"
            let blank = type.init()
            stored = Set(Mirror(reflecting: blank).children.compactMap(\.label)).subtracting(others)
            names = type.fields.filter { $0.write(blank) != nil }.map(\.name)
            var sum = blank
            for field in type.fields { field.add(&sum, blank) }
            addsNothingTwice = Self.text(sum.partial) == Self.text(blank.partial)
        }

        private static func text(_ value: JSONValue) -> [UInt8] {
            var bytes = JSONBytes()
            value.write(to: &bytes)
            return bytes.bytes
        }
    }

    static let rows = [
        Row(Figures.self, besides: ["frequencies"]), Row(Figures.Devices.self), Row(Figures.Window.self),
        Row(Figures.FilterFigures.self), Row(Figures.Unevaluated.self), Row(Figures.Reproduction.self),
        Row(FetchFigures.self), Row(FetchFigures.Device.self), Row(FetchFigures.Weights.self),
        Row(ChangeFigures.self), Row(ChangeFigures.Split.self), Row(ChangeFigures.Part.self),
        Row(ChangeFigures.Example.self), Row(ChangeFigures.Side.self),
        Row(ComparisonFigures.self, besides: ["attested", "clients"]), Row(ComparisonFigures.LifetimeChange.self),
        Row(ComparisonFigures.Presence.self), Row(ComparisonFigures.Disagreement.self), Row(AnnotationFigures.self),
        Row(ComparedAccounts.self), Row(PolicyDifference.self), Row(PairFigures.self), Row(CaptureIdentity.self),
        Row(PartialResult.TypedCommand.self),
    ]

    @Test(arguments: rows) func everyFieldIsInTheTableOnce(_ row: Row) {
        #expect(Set(row.names).count == row.names.count)
        #expect(row.names.count == row.stored.count, "\(row.stored.sorted())")
    }

    // Windows of no kind become windows of each, with nothing in them.
    @Test(arguments: rows.filter { !["Figures", "PairFigures"].contains($0.testDescription) })
    func nothingAddsNothing(_ row: Row) { #expect(row.addsNothingTwice) }

    @Test func whatCameFirstIsTheExample() {
        func part(_ index: Int) -> ChangeFigures.Part {
            .init {
                ($0.name, $0.events, $0.index) = ("a", 1, index)
                $0.example = DeviceID(first: 0, second: UInt64(index))
            }
        }
        for (first, second) in [(part(3), part(5)), (part(5), part(3))] {
            let sum = first.adding(second)
            #expect(sum.events == 2)
            #expect(sum.index == 3)
            #expect(sum.example == DeviceID(first: 0, second: 3))
        }
    }
}
