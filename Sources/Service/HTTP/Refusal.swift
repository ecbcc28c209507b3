internal import PolicyEngine

/// The reason why a request is refused, as its sender gets it.
struct Refusal: Error, Hashable, Sendable {
    /// The status of the answer, 400 and above.
    let status: Int
    /// The problem: lower case, no final period, and without any part of a key.
    let message: String
    /// The field that is wrong: a header, a parameter or a member of the body.
    var field: String?
    /// Advice that might help.
    var hint: String?
    /// Further headers of the answer.
    var headers: [HTTPRequest.Field] = []

    init(_ status: Int, _ message: String, field: String? = nil, hint: String? = nil) {
        (self.status, self.message, self.field, self.hint) = (status, message, field, hint)
    }

    /// A field that is wrong.
    static func badField(_ field: String, _ message: String, hint: String? = nil) -> Refusal {
        Refusal(400, message, field: field, hint: hint)
    }

    /// A request in which something else may be meant than is understood; its connection is of no more use.
    static func malformed(_ message: String, field: String? = nil) -> Refusal {
        var refusal = Refusal(400, message, field: field)
        refusal.headers = [HTTPRequest.Field("Connection", "close")]
        return refusal
    }

    /// The answer that says it.
    var answer: HTTPAnswer {
        let members = [("error", message), ("field", field), ("hint", hint)]
        var answer = HTTPAnswer(
            status: status, .ordered(members.compactMap { name, text in text.map { (name, .string($0)) } }))
        answer.headers = headers
        return answer
    }
}
