import Testing

@testable import Figures
@testable import PolicyEngine

/// The tables of fields: every stored field of a figure is in its table, once.
@Suite struct FieldTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stored: Set<String>
        let names: [String]
        /// The fields of one number that do not add up.
        let kept, expected: Set<String>

        init<Value: Figure>(_ type: Value.Type, besides others: Set<String> = [], keeping kept: Set<String> = []) {
            testDescription = "\(type)"
            let blank = type.init()
            stored = Set(Mirror(reflecting: blank).children.compactMap(\.label)).subtracting(others)
            names = type.fields.filter { $0.write(blank) != nil }.map(\.name)
            expected = kept
            self.kept = (try? Self.kept(type)) ?? ["unreadable"]
        }

        // The integers of a value of ones that adding it to itself does not double.
        private static func kept<Value: Figure>(_ type: Value.Type) throws -> Set<String> {
            let value = try type.init(PartialReader(try ones(type.init().partial)))
            var sum = value
            for field in type.fields { field.add(&sum, value) }
            guard case .ordered(let members) = sum.partial else { return [] }
            return Set(members.compactMap { name, member in if case .integer(1) = member { name } else { nil } })
        }

        // The members of an object, with ones in place of its integers.
        private static func ones(_ object: JSONValue) throws -> JSONContent {
            guard case .ordered(let members) = object else { return .null }
            var bytes = JSONBytes()
            JSONValue.ordered(
                members.map { name, member in
                    if case .integer = member { (name, .integer(1)) } else { (name, member) }
                }
            ).write(to: &bytes)
            return try JSONParser.parse(bytes.bytes, maximumNesting: 16)
        }
    }

    static let rows = [
        Row(Figures.self, besides: ["frequencies"]), Row(Figures.Devices.self),
        Row(Figures.Window.self, keeping: ["start"]),
        Row(Figures.FilterFigures.self), Row(Figures.Unevaluated.self), Row(Figures.Reproduction.self),
        Row(FetchFigures.self), Row(FetchFigures.Device.self, keeping: ["fetches"]), Row(FetchFigures.Weights.self),
        Row(ChangeFigures.self), Row(ChangeFigures.Split.self), Row(ChangeFigures.Part.self, keeping: ["index"]),
        Row(ChangeFigures.Example.self, keeping: ["index", "time"]), Row(ChangeFigures.Side.self),
        Row(ComparisonFigures.self, besides: ["attested", "clients"]),
        Row(ComparisonFigures.LifetimeChange.self, keeping: ["before", "after"]),
        Row(ComparisonFigures.Presence.self), Row(ComparisonFigures.Disagreement.self, keeping: ["index", "time"]),
        Row(AnnotationFigures.self), Row(ShareMoments.self), Row(DeviceMoments.self), Row(ChangeMoments.self),
        Row(ComparedAccounts.self), Row(PolicyDifference.self), Row(PairFigures.self),
        Row(CaptureIdentity.self),
        Row(PartialResult.TypedCommand.self),
    ]

    @Test(arguments: rows) func everyFieldIsInTheTableOnce(_ row: Row) {
        #expect(Set(row.names).count == row.names.count)
        #expect(row.names.count == row.stored.count, "\(row.stored.sorted())")
    }

    @Test(arguments: rows) func countsAddUp(_ row: Row) { #expect(row.kept == row.expected) }

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
