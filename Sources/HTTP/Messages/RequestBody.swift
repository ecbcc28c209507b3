package import PolicyEngine

/// Reads bodies of requests; it needs no service, so that nobody waits for it (R23.6).
package enum RequestBody {
    /// The greatest number of members of all objects and arrays of a body together; JSON is read in a time that grows with
    /// the square of their number.
    package static let memberLimit = 1000

    /// A body that is JSON.
    ///
    /// - Throws: ``Refusal`` for any other, and for one with too many members.
    package static func json(_ body: [UInt8]) throws(Refusal) -> JSONContent {
        guard separators(in: body) < memberLimit else {
            throw .badField("body", "the body has more than \(memberLimit) members")
        }
        do throws(JSONFailure) {
            return try JSONParser.parse(body)
        } catch {
            throw .badField("body", "the body is not JSON: \(error.message), at byte \(error.offset)")
        }
    }

    /// The members of a body that is a JSON object.
    ///
    /// - Throws: ``Refusal`` for any other.
    package static func object(_ body: [UInt8]) throws(Refusal) -> [JSONMember] {
        guard case .object(let members) = try json(body) else {
            throw .badField("body", "the body is not a JSON object")
        }
        return members
    }

    /// The words of a body that is a JSON array of texts.
    ///
    /// - Throws: ``Refusal`` for any other.
    package static func words(_ body: [UInt8]) throws(Refusal) -> [String] {
        guard case .array(let items) = try json(body) else {
            throw .badField("body", "the body is not a JSON array of words", hint: #"such as ["policy","-get"]"#)
        }
        let words = items.compactMap(\.text)
        guard words.count == items.count else { throw .badField("body", "a word of the command is not text") }
        return words
    }

    // Commas outside of texts: one between two members each.
    private static func separators(in body: [UInt8]) -> Int {
        var (count, isText, isEscaped) = (0, false, false)
        for byte in body {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if isText {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: ",") {
                count += 1
            }
        }
        return count
    }
}
