internal import Documents
package import PolicyEngine

/// A request in the log of a backend.
package struct LoggedRequest: Sendable {
    package let time: Instant
    let token: Token
    let binding: RequestCheck.Binding
    /// The domain of the backend; `nil` where the log does not say.
    let domain: String?
    /// The value of the key that requests are counted by; `nil` where the request has none.
    let value: String?

    /// The token of a request.
    enum Token: Sendable {
        /// The token in its compact form; `nil` where the request has none.
        case compact(String?)
        /// The claims of a token, as a JSON object.
        case claims(String)
    }

    /// Why a line of a log is no request.
    struct Mistake: Error {
        let message: String
        let hint: String?

        init(_ message: String, hint: String? = nil) { (self.message, self.hint) = (message, hint) }
    }

    /// Reads a line of a log: `{"time":"2020-07-23T10:00:00Z","token":"eyJ…","domain":"api.example.com","data":"Bearer x"}`.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - key: The key of the value that requests are counted by.
    init(_ line: [UInt8], countedBy key: String) throws(Mistake) {
        let content: JSONContent
        do throws(JSONFailure) { content = try JSONParser.parse(line, maximumNesting: 32) } catch {
            // A line of another kind of file may hold anything, so it is not quoted.
            throw Mistake("this is not a JSON object: \(error.message)")
        }
        guard case .object(let members) = content else { throw Mistake("this is not a JSON object") }
        time = try Self.time(content, members)
        token = try Self.token(content, members)
        binding =
            switch content["data"] {
            case nil: .unknown
            case .null?: .missing
            case .string(let text)?: .data(text.text)
            default: throw Mistake("`data` is neither text nor null")
            }
        domain =
            switch content["domain"] {
            case nil, .null?: nil
            case .string(let text)?: text.text
            default: throw Mistake("`domain` is neither text nor null")
            }
        value = content[ExactText(key)].flatMap(Self.text)
    }

    private static func time(_ content: JSONContent, _ members: [JSONMember]) throws(Mistake) -> Instant {
        let time: Instant? =
            switch content["time"] {
            case nil: throw missing("time", members)
            case .string(let text)?: Instant(rfc3339: text.text)
            case .number(let digits)?: Instant(epoch: digits)
            default: nil
            }
        guard let time else {
            throw Mistake(
                "`time` is not a time",
                hint:
                    "such as \"2020-07-23T11:10:43Z\", or seconds, milli-, micro- or nanoseconds since 1970"
            )
        }
        return time
    }

    // A request without a token says so, so that a misspelt name does not look like one.
    private static func token(_ content: JSONContent, _ members: [JSONMember]) throws(Mistake) -> Token {
        if let claims = content["claims"], content["token"] == nil {
            guard case .object = claims else { throw Mistake("`claims` is not a JSON object") }
            return .claims(text(of: claims))
        }
        switch content["token"] {
        case nil: throw missing("token", members)
        case .null?: return .compact(nil)
        case .string(let text)?:
            return text.text.utf8.first == UInt8(ascii: "{") ? .claims(text.text) : .compact(text.text)
        case .object(let members)?: return .claims(Self.text(of: .object(members)))
        default: throw Mistake("`token` is not text")
        }
    }

    private static func text(of content: JSONContent) -> String {
        var json = JSONBytes()
        content.writeSorted(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func text(_ value: JSONContent) -> String? {
        switch value {
        case .string(let text): text.text
        case .number(let digits): digits
        case .boolean(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }

    private static func missing(_ name: String, _ members: [JSONMember]) -> Mistake {
        let near = Suggestion.closest(to: name, among: members.map(\.name.text)).map {
            "is \($0.quoted) meant to be it?"
        }
        let usual = name == "token" ? "`null` says that a request has none; `claims` may take its place" : nil
        return Mistake("request without `\(name)`", hint: near ?? usual)
    }
}
