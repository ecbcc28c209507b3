/// A dictionary as it is stored: a message, and in a file those that add values to it.
///
/// It has all that it takes to decode it, on any thread.
package struct StoredDictionary: Sendable {
    let id: Int64
    private let field: ColumnField
    private let choice: ColumnChoice
    private var messages: [Message] = []

    /// A message of a dictionary.
    struct Message: Sendable {
        let header: BatchHeader
        let body: [UInt8]
        /// The place of the body in the input.
        let offset: Int
        /// True if it adds values.
        let isDelta: Bool
    }

    /// - Parameters:
    ///   - id: The number of the dictionary.
    ///   - field: A column that has it.
    ///   - choice: Says what becomes of text that is not UTF-8.
    init(_ id: Int64, of field: ColumnField, _ choice: ColumnChoice) {
        (self.id, self.field, self.choice) = (id, ColumnField(field.name, field.type), choice)
    }

    /// The bytes of all messages.
    var byteCount: Int { messages.reduce(0) { $0 + $1.body.count } }

    /// Takes the message that comes next.
    mutating func append(_ message: Message) { messages.append(message) }

    /// Unpacks and checks it.
    package func decoded() -> Result<ColumnDictionary, ColumnFailure> {
        do throws(ColumnFailure) {
            return .success(try decode(after: nil))
        } catch {
            return .failure(error)
        }
    }

    /// Unpacks and checks it.
    ///
    /// - Parameter earlier: The dictionary that the first message may add to.
    func decode(after earlier: ColumnDictionary?) throws(ColumnFailure) -> ColumnDictionary {
        var dictionary = earlier
        try ColumnFailure.naming(column: field.name) { () throws(ColumnFailure) in
            for message in messages { dictionary = try decode(message, after: message.isDelta ? dictionary : nil) }
        }
        return dictionary ?? .empty
    }

    private func decode(
        _ message: Message, after earlier: ColumnDictionary?
    ) throws(ColumnFailure) -> ColumnDictionary {
        var (body, values) = (BatchBody(message.body, message.header, at: message.offset, choice), Column())
        let column = try body.column(field)
        try body.checkEnd()
        try column.decode(0..<column.count, from: body.bytes, into: &values)
        guard let new = ColumnDictionary(&values, in: values.texts ?? body.bytes, after: earlier) else {
            throw ColumnFailure("dictionary \(id) is larger than 1 GiB", at: message.offset)
        }
        return new
    }
}
