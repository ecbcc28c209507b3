package import Documents
package import PolicyEngine

/// A value that is written into a partial result as JSON, and read from it.
package protocol PartialCodable: SendableMetatype {
    /// The JSON value; equal values give equal ones.
    var partial: JSONValue { get }

    /// Reads what ``partial`` made.
    init(_ reader: PartialReader) throws(PartialFailure)

    /// The JSON value that reports have; by default the same.
    func reported(_ unit: ComparedUnit) -> JSONValue

    /// The form of that value; by default text.
    static var reportedForm: JSONSchema { get }
}

extension PartialCodable {
    package func reported(_ unit: ComparedUnit) -> JSONValue { partial }

    package static var reportedForm: JSONSchema { .string }

    /// The JSON value that reports without a comparison have.
    package var reported: JSONValue { reported(.attestations) }
}

/// Why a partial result cannot be read.
package struct PartialFailure: Error, Hashable, Sendable {
    /// The error, and its position in the document.
    package let message: String
}

/// A value of a partial result that is being read, and its position in the document.
package struct PartialReader {
    private let content: JSONContent
    private let path: String

    /// - Parameter content: The whole document.
    init(_ content: JSONContent) { self.init(content, path: "") }

    /// - Parameter json: The bytes of the whole document.
    init(json: [UInt8]) throws(PartialFailure) {
        do throws(JSONFailure) {
            self.init(try JSONParser.parse(json, maximumNesting: Self.maximumNesting))
        } catch {
            throw PartialFailure(message: error.message)
        }
    }

    private static let maximumNesting = 32

    private init(_ content: JSONContent, path: String) {
        (self.content, self.path) = (content, path)
    }

    /// A member of an object.
    subscript<Value: PartialCodable>(name: String) -> Value {
        get throws(PartialFailure) { try Value(try member(name)) }
    }

    /// True if an object has a member.
    func has(_ name: String) -> Bool { content[ExactText(name)] != nil }

    private func member(_ name: String) throws(PartialFailure) -> PartialReader {
        guard let value = content[ExactText(name)] else { throw failure("\(name.quoted) is missing") }
        return PartialReader(value, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// A whole number that is no larger than counts and times are, so that sums of all parts fit.
    ///
    /// - Parameter least: The smallest that makes sense: 0 for what counts or numbers something.
    func integer(from least: Int = -largest) throws(PartialFailure) -> Int {
        guard let number = content.integer, least...Self.largest ~= number else {
            throw failure("is not a whole number in the supported range")
        }
        return number
    }

    /// The largest number of a part.
    static let largest = 1 << 40

    /// A text.
    func text() throws(PartialFailure) -> String {
        guard let text = content.text else { throw failure("is not text") }
        return text
    }

    /// True for a text.
    var isText: Bool { content.text != nil }

    /// True if there is no value.
    var isNull: Bool { content == .null }

    /// True or false.
    func boolean() throws(PartialFailure) -> Bool {
        guard case .boolean(let value) = content else { throw failure("is neither true nor false") }
        return value
    }

    /// The items of an array.
    func items() throws(PartialFailure) -> [PartialReader] {
        guard case .array(let items) = content else { throw failure("is not an array") }
        return items.enumerated().map { PartialReader($1, path: "\(path)[\($0)]") }
    }

    /// The items of a member that is an array.
    func items(of name: String) throws(PartialFailure) -> [PartialReader] { try member(name).items() }

    /// The two items of an array of two.
    func pair<First: PartialCodable, Second: PartialCodable>() throws(PartialFailure) -> (First, Second) {
        let items = try items()
        guard items.count == 2 else { throw failure("does not have two items") }
        return (try First(items[0]), try Second(items[1]))
    }

    /// The failure for a value that makes no sense.
    func failure(_ message: String) -> PartialFailure {
        PartialFailure(message: path.isEmpty ? message : "\(path.quoted): \(message)")
    }
}
