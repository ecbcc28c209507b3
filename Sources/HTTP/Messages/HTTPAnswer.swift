package import PolicyEngine

/// The answer to a request.
package struct HTTPAnswer: Hashable, Sendable {
    /// Such as 200.
    package let status: Int
    package let mediaType: String
    package let body: [UInt8]
    /// Further headers.
    package var headers: [HTTPRequest.Field] = []

    package init(status: Int, mediaType: String, body: [UInt8]) {
        (self.status, self.mediaType, self.body) = (status, mediaType, body)
    }

    /// An answer that is JSON.
    package init(status: Int = 200, json: String) {
        self.init(status: status, mediaType: Self.json, body: Array(json.utf8))
    }

    /// An answer that is JSON, on one line.
    package init(status: Int = 200, _ value: JSONValue) {
        self.init(status: status, mediaType: Self.json, body: value.line)
    }

    package static let json = "application/json"
}

/// The reason why a request is refused, as its sender gets it.
package struct Refusal: Error, Hashable, Sendable {
    /// The status of the answer, 400 and above.
    package let status: Int
    /// The problem: lower case, no final period, and without any part of a key.
    package let message: String
    /// The field that is wrong: a header, a parameter or a member of the body.
    package var field: String?
    /// The column in the text of that field, counted from 1.
    package var column: Int?
    /// Advice that might help.
    package var hint: String?
    /// Further headers of the answer.
    package var headers: [HTTPRequest.Field] = []

    package init(_ status: Int, _ message: String, field: String? = nil, hint: String? = nil) {
        (self.status, self.message, self.field, self.hint) = (status, message, field, hint)
    }

    /// A field that is wrong.
    package static func badField(_ field: String, _ message: String, hint: String? = nil) -> Refusal {
        Refusal(400, message, field: field, hint: hint)
    }

    /// A request in which something else may be meant than is understood; its connection is of no more use.
    package static func malformed(_ message: String, field: String? = nil) -> Refusal {
        var refusal = Refusal(400, message, field: field)
        refusal.headers = [HTTPRequest.Field("Connection", "close")]
        return refusal
    }

    /// The answer that says it.
    package var answer: HTTPAnswer {
        let members: [(key: String, value: JSONValue?)] = [
            ("error", .string(message)), ("field", field.map(JSONValue.string)),
            ("column", column.map(JSONValue.integer)), ("hint", hint.map(JSONValue.string)),
        ]
        var answer = HTTPAnswer(
            status: status, .ordered(members.compactMap { name, value in value.map { (name, $0) } }))
        answer.headers = headers
        return answer
    }
}
