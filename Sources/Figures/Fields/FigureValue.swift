package import Documents
package import PolicyEngine

/// A value that a figure holds: partial results have it as JSON, and reports show it.
package protocol FigureValue: SendableMetatype {
    /// The JSON value of partial results; equal values give equal ones.
    var partial: JSONValue { get }

    /// Reads what ``partial`` made; `nil` for anything else, and for what no part can have.
    init?(partial: JSONContent)

    /// The JSON value that reports have; by default the same.
    func reported(_ unit: ComparedUnit) -> JSONValue

    /// The form of that value; by default text.
    static var reportedForm: JSONSchema { get }
}

extension FigureValue {
    package func reported(_ unit: ComparedUnit) -> JSONValue { partial }

    package static var reportedForm: JSONSchema { .string }

    /// The JSON value that reports without a comparison have.
    package var reported: JSONValue { reported(.attestations) }
}

/// Why a partial result cannot be read.
package struct PartialFailure: Error, Hashable, Sendable {
    package let message: String

    /// A file of another version.
    static func form(_ form: Int?, read: Int) -> PartialFailure {
        let found = form.map { "has the form \($0)" } ?? "does not say its form"
        return PartialFailure(message: "\(found), and this version reads the form \(read)")
    }
}

extension Figure {
    /// Reads a whole value of a partial result.
    ///
    /// - Throws: ``PartialFailure`` with the first member that is missing or makes no sense.
    static func read(_ content: JSONContent) throws(PartialFailure) -> Self {
        if let value = Self(partial: content) { return value }
        var value = Self()
        let wrong = fields.first { !$0.read(&value, content) }
        throw PartialFailure(message: "\(wrong.map { "\($0.name.quoted) is missing, or" } ?? "it") makes no sense")
    }
}

extension JSONContent {
    /// Reads the whole of a partial result.
    static func partial(_ json: [UInt8]) throws(PartialFailure) -> JSONContent {
        do throws(JSONFailure) { return try JSONParser.parse(json, maximumNesting: 32) } catch {
            throw PartialFailure(message: error.message)
        }
    }

    /// A member of an object as a value of a figure; `nil` where it is missing or is none.
    func member<Value: FigureValue>(_ name: String) -> Value? {
        self[ExactText(name)].flatMap { Value(partial: $0) }
    }

    /// The items of an array; `nil` where this is none.
    var items: [JSONContent]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The two items of an array of two.
    func pair<First: FigureValue, Second: FigureValue>() -> (First, Second)? {
        guard let items, items.count == 2, let first = First(partial: items[0]), let second = Second(partial: items[1])
        else { return nil }
        return (first, second)
    }

    /// The whole number, if it is no larger than counts and times are, so that sums of all parts fit.
    ///
    /// - Parameter least: The smallest that makes sense: 0 for what counts or numbers something.
    func count(from least: Int) -> Int? {
        integer.flatMap { least...Self.largestCount ~= $0 ? $0 : nil }
    }

    /// The largest number of a part.
    static let largestCount = 1 << 40
}
