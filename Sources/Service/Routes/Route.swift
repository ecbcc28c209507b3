internal import HTTP
internal import PolicyEngine
internal import Scenarios

/// One thing that can be asked of the service: the router, the checks of a request and the documentation all read this
/// value.
struct Route: Sendable {
    let method: Method
    /// The path; braces match any text without a slash.
    let path: String
    /// One sentence for the documentation.
    let summary: String
    /// The access that a caller needs.
    var access = Access.everybody
    /// The parameters that there may be behind `?`.
    var query: [Parameter] = []
    /// The headers that are looked at.
    var headers: [Parameter] = []
    /// The body; `nil` for none.
    var body: Body?
    /// The statuses of answers beside those that every route has.
    var answers: [(status: Int, summary: String)] = []
    /// The form of the answer with the status 200.
    let result: AnswerForm
    /// True if only the primary service answers.
    var needsPrimary = false
    /// Reads a request that was admitted, and makes what takes its time; nobody waits for that.
    let reading: @Sendable (Call) throws(Refusal) -> Deed

    /// Carries out what was read, and answers.
    typealias Deed = @Sendable (inout StandIn, Call) throws(Refusal) -> HTTPAnswer

    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    /// The callers that a route admits.
    enum Access: Sendable {
        case everybody
        /// Callers with the account's API key.
        case backend
        /// Callers with a management token.
        case manager
    }

    /// A header, or a parameter behind `?`.
    struct Parameter: Sendable {
        let name: String
        let summary: String
        var isRequired = false
    }

    /// The form of a body.
    struct Body: Sendable {
        let summary: String
        /// An example, as JSON.
        let example: String
        /// `object` or `array`.
        let type: String
    }

    /// A request that fits its route.
    struct Call: Sendable {
        let request: HTTPRequest
        /// The devices that a test may name by their group.
        let population: PopulationRecords?
        /// The text in the path that the braces match.
        let name: String
        let time: Instant
        /// The manager who gives a management command.
        let manager: StandIn.Manager?

        /// A parameter behind `?`; `nil` where it is not given.
        func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

        /// A header; `nil` where it is not given.
        func header(_ name: String) -> String? { request.headers(named: name).first }
    }

    /// The text in a path that the braces match, empty if there are none; `nil` for another path.
    func match(_ path: String) -> String? {
        guard let brace = self.path.firstIndex(of: "{") else {
            return path == self.path || path + "/" == self.path ? "" : nil
        }
        let start = self.path[..<brace]
        guard path.utf8.starts(with: start.utf8), !path.dropFirst(start.count).contains("/") else { return nil }
        return String(path.dropFirst(start.count))
    }
}

/// The form of an answer, for the documentation.
indirect enum AnswerForm: Sendable {
    case text, integer, boolean
    /// Any JSON.
    case anything
    case list(AnswerForm)
    /// An object with these members, of which those that end with `?` may be missing.
    case members([String: AnswerForm])
    /// An object with whatever names.
    case values(AnswerForm)
    /// Samples of OpenMetrics, which are no JSON.
    case metrics

    /// The media type of an answer of this form.
    var mediaType: String {
        if case .metrics = self { return "application/openmetrics-text" }
        return HTTPAnswer.json
    }

    /// The JSON Schema of the answer.
    var schema: JSONValue {
        switch self {
        case .text, .metrics: .ordered([("type", .string("string"))])
        case .integer: .ordered([("type", .string("integer"))])
        case .boolean: .ordered([("type", .string("boolean"))])
        case .anything: .boolean(true)
        case .list(let item): .ordered([("type", .string("array")), ("items", item.schema)])
        case .values(let value): .ordered([("type", .string("object")), ("additionalProperties", value.schema)])
        case .members(let members): Self.schema(of: members)
        }
    }

    private static func schema(of members: [String: AnswerForm]) -> JSONValue {
        let names = members.keys.sorted()
        let properties = names.map { name in
            (key: name.hasSuffix("?") ? String(name.dropLast()) : name, value: members[name]?.schema ?? .null)
        }
        return .ordered([
            ("type", .string("object")), ("properties", .ordered(properties)),
            ("required", .array(names.filter { !$0.hasSuffix("?") }.map { .string($0) })),
        ])
    }

    /// A request that is refused.
    static let refusal = AnswerForm.members(["error": .text, "field?": .text, "hint?": .text])
}
