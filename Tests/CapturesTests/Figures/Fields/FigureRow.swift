import Testing

@testable import Figures
@testable import PolicyEngine
@testable import TestSupport

/// Worked-out values of a figure, as partial results and reports have them: a case of `Tests/Tables/figures`, named by the type.
///
/// `value:` and `plus:` are given; `gives:` is the sum of both, `reported:` and `fetches:` are the value in a report about
/// attestations and in one about fetches, and `refused:` says why no part can have the value.
struct FigureRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The partial form of a value.
    let first: String
    /// The partial form of another value; `nil` where nothing is added up.
    let second: String?
    private let figure: any Figure.Type
    private let keys: [String]

    init(_ example: CaseFile.Case) throws {
        testDescription = example.name
        let pairs = example.body.map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        (keys, first, second) = (pairs.map { $0[0] }, values["value"] ?? "", values["plus"])
        let type = example.name.split(separator: ",")[0]
        let types = FigureTests.tables.map(\.figure) + [ReplayPart.self]
        // Without the name of the module.
        figure = try #require(
            types.first { String(reflecting: $0).split(separator: ".").dropFirst().joined(separator: ".") == type })
    }

    static let files = CaseFile.all(in: "Tables/figures", ending: ".txt")

    /// Those that parts can have.
    static let all = files.flatMap(\.cases).compactMap { try? FigureRow($0) }.filter { !$0.keys.contains("refused") }

    /// The case with the values that there actually are.
    func rewritten() throws -> [String] {
        try keys.map { key in
            switch key {
            case "value": "value: \(first)"
            case "plus": "plus: \(second ?? "")"
            case "gives": "gives: \(try adding(first, second))"
            case "reported": "reported: \(try report(.attestations))"
            case "fetches": "fetches: \(try report(.fetches))"
            case "refused": "refused: \(refusal ?? "")"
            default: throw TestFailure("`\(key)` is no member of a figure")
            }
        }
    }

    private var refusal: String? {
        do {
            _ = try readBack(first)
            return nil
        } catch {
            return (error as? PartialFailure)?.message
        }
    }

    /// The units of the reports that have the value.
    var units: [ComparedUnit] {
        (keys.contains("reported") ? [.attestations] : []) + (keys.contains("fetches") ? [.fetches] : [])
    }

    /// The members of the value.
    func members() throws -> [JSONMember] {
        if case .object(let members) = try Self.content(first) { members } else { [] }
    }

    /// The partial form of a value that was read from one.
    func readBack(_ content: JSONContent) throws -> String {
        try Self.text(figure.read(content).partial)
    }

    /// The same of text.
    func readBack(_ text: String) throws -> String { try readBack(Self.content(text)) }

    /// The partial form of a sum of two values; of a value and nothing without the other one.
    func adding(_ left: String, _ right: String?) throws -> String {
        func sum<Value: Figure>(_ type: Value.Type) throws -> String {
            let own = try type.read(Self.content(left))
            let other = try right.map { try type.read(Self.content($0)) } ?? type.init()
            guard var sum = own as? any Figure & Addable else { return left }
            func add<Sum: Addable>(_ sum: inout Sum) { if let other = other as? Sum { sum.add(other) } }
            add(&sum)
            return Self.text(sum.partial)
        }
        return try sum(figure)
    }

    /// The value in a report.
    func report(_ unit: ComparedUnit) throws -> String {
        try Self.text(figure.read(Self.content(first)).reported(unit))
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
