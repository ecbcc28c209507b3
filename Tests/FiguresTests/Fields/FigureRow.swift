import Testing

@testable import Figures
@testable import PolicyEngine

/// Worked-out values of a figure, as partial results and reports have them.
struct FigureRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The partial form of a value.
    let first: String
    /// The partial forms of another value and of the sum of both; `nil` where nothing is added up.
    let second, sum: String?
    /// The value in a report about attestations, and in one about fetches; `nil` where no report has it.
    let reported, inFetches: String?
    private let figure: any Figure.Type

    init<Value: Figure & Addable>(
        _ type: Value.Type, _ first: String, plus second: String, gives sum: String, reported: String? = nil,
        inFetches: String? = nil
    ) {
        (testDescription, figure, self.first, self.second, self.sum) = ("\(type)", type, first, second, sum)
        (self.reported, self.inFetches) = (reported, inFetches)
    }

    init<Value: Figure>(_ type: Value.Type, _ value: String, reported: String? = nil) {
        (testDescription, figure, first, second, sum) = ("\(type)", type, value, nil, nil)
        (self.reported, inFetches) = (reported, nil)
    }

    /// The members of the value.
    func members() throws -> [JSONMember] {
        if case .object(let members) = try Self.content(first) { members } else { [] }
    }

    /// The partial form of a value that was read from one.
    func readBack(_ content: JSONContent) throws -> String {
        try Self.text(figure.init(PartialReader(content)).partial)
    }

    /// The same of text.
    func readBack(_ text: String) throws -> String { try readBack(Self.content(text)) }

    /// The partial form of a sum of two values; of a value and nothing without the other one.
    func adding(_ left: String, _ right: String?) throws -> String {
        func sum<Value: Figure>(_ type: Value.Type) throws -> String {
            let own = try type.init(PartialReader(Self.content(left)))
            let other = try right.map { try type.init(PartialReader(Self.content($0))) } ?? type.init()
            guard var sum = own as? any Figure & Addable else { return left }
            func add<Sum: Addable>(_ sum: inout Sum) { if let other = other as? Sum { sum.add(other) } }
            add(&sum)
            return Self.text(sum.partial)
        }
        return try sum(figure)
    }

    /// The value in a report.
    func report(_ unit: ComparedUnit) throws -> String {
        try Self.text(figure.init(PartialReader(Self.content(first))).reported(unit))
    }

    /// The names of the members that the schema of reports has always.
    var declared: Set<String> { Set(figure.reportedFields().members.map(\.name)) }

    static func content(_ text: String) throws -> JSONContent {
        try JSONParser.parse(Array(text.utf8), maximumNesting: 32)
    }

    private static func text(_ value: JSONValue) -> String {
        var bytes = JSONBytes()
        value.write(to: &bytes)
        return String(decoding: bytes.bytes, as: UTF8.self)
    }
}
