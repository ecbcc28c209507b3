internal import CExplorePage
internal import Documents
package import HTTP

/// Serves the page of a session, and answers its questions.
package final class ExploreServer: Sendable {
    /// The evaluation of a question, until it is interrupted.
    package typealias Evaluation = @Sendable (Question) throws(Refusal) -> HTTPAnswer

    private let gate: RequestGate
    private let secret: SessionSecret
    private let turns: Turns
    private let ending = Cancellation()
    private let evaluate: Evaluation
    private let files: [PageFile]

    /// - Parameters:
    ///   - style: The rules that the page shares with other pages.
    ///   - evaluate: Answers a question; called on several threads at a time, but for one evaluation at a time of captures.
    package init(style: String, _ evaluate: @escaping Evaluation) {
        files = PageFile.all + [PageFile(name: "base.css", content: Array(style.utf8))]
        secret = SessionSecret()
        gate = RequestGate(secret)
        turns = Turns(within: ending)
        self.evaluate = evaluate
    }

    /// The path below which everything lies, such as `/0123456789abcdef0123456789abcdef/`.
    package var path: String { "/\(secret.text)/" }

    /// Ends all evaluations, and lets no other begin.
    package func end() { ending.request() }

    /// Answers a request.
    package func answer(_ request: HTTPRequest) -> HTTPAnswer {
        do throws(Refusal) {
            return Self.protected(try admittedAnswer(request))
        } catch {
            let isSilent = error.message.isEmpty
            return Self.protected(
                isSilent ? HTTPAnswer(status: error.status, mediaType: "text/plain", body: []) : error.answer)
        }
    }

    private func admittedAnswer(_ request: HTTPRequest) throws(Refusal) -> HTTPAnswer {
        let path = try gate.path(of: request)
        if let file = path.isEmpty ? files.first : files.first(where: { $0.name == path }) {
            try RequestGate.check(request, isSentBy: "GET")
            return file.answer
        }
        guard let subject = QuestionSubject(rawValue: path) else { throw Refusal(404, "there is nothing at this path") }
        try RequestGate.check(request, isSentBy: subject.method)
        let question = try Question(subject, body: request.body)
        let session = try question.session
        if subject == .end, let session { turns.end(session) }
        guard subject.isEvaluated else { return try evaluate(question) }
        let asker = session.map { Turns.Asker(session: $0, subject: subject) }
        let answer = try turns.take(asker) { cancellation throws(Refusal) in
            try cancellation.ending { () throws(Refusal) in try evaluate(question) }
        }
        guard let answer else { throw Refusal(409, "a newer question took its place") }
        return answer
    }

    // Nothing but the page's own files runs or is shown, and nobody else learns its address. A connection of its own for each
    // request: one that waits behind an evaluation could not end it.
    private static let headers = [
        HTTPRequest.Field(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        HTTPRequest.Field("X-Content-Type-Options", "nosniff"), HTTPRequest.Field("Referrer-Policy", "no-referrer"),
        HTTPRequest.Field("Cross-Origin-Resource-Policy", "same-origin"),
        HTTPRequest.Field("Cross-Origin-Opener-Policy", "same-origin"), HTTPRequest.Field("Connection", "close"),
    ]

    private static func protected(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.headers += headers.filter { header in !answer.headers.contains { $0.name == header.name } }
        return answer
    }
}

/// The secret of a session: who knows it may ask. It is the first part of every path, so that no other page can name one.
struct SessionSecret: Sendable {
    /// 32 hexadecimal digits: 128 bits.
    let text: String

    private static let byteCount = 16

    /// Draws a secret from the system's chance.
    init() {
        var chance = SystemRandomNumberGenerator()
        let digits = (0..<Self.byteCount).flatMap { _ in
            let byte = UInt8.random(in: .min ... .max, using: &chance)
            return [byte >> 4, byte & 15].map { String($0, radix: 16) }
        }
        text = digits.joined()
    }

    /// The part of a path below the secret; `nil` where the path does not begin with it.
    ///
    /// The time does not depend on the digits that are right.
    func rest(of path: String) -> String? {
        let (bytes, expected) = (Array(path.utf8), Array("/\(text)/".utf8))
        guard bytes.count >= expected.count else { return nil }
        let difference = zip(bytes, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? String(decoding: bytes[expected.count...], as: UTF8.self) : nil
    }
}

/// Lets in the requests of the session's own page, and no others: not those of other pages in the same browser, whatever name of
/// this machine they use.
struct RequestGate: Sendable {
    private let secret: SessionSecret

    init(_ secret: SessionSecret) { self.secret = secret }

    /// The path below the secret.
    ///
    /// - Parameter request: A request to the server.
    /// - Throws: ``Refusal``; one without a message is answered by its status alone, so that a stranger learns nothing.
    func path(of request: HTTPRequest) throws(Refusal) -> String {
        if let fault = request.fault { throw fault }
        guard let path = secret.rest(of: request.path) else { throw Refusal(404, "") }
        let host = request.headers(named: "Host").first ?? ""
        guard request.headers(named: "Origin").allSatisfy({ $0.lowercased() == "http://\(host.lowercased())" }) else {
            throw Refusal(403, "")
        }
        guard request.headers(named: "Sec-Fetch-Site").allSatisfy({ ["same-origin", "none"].contains($0) }) else {
            throw Refusal(403, "")
        }
        guard request.headers(named: "Upgrade").isEmpty else { throw Refusal(426, "this server speaks HTTP alone") }
        guard !request.isTooLong else {
            throw Refusal(413, "the body has more than \(HTTPRequest.bodyLimit) bytes", field: "body")
        }
        guard request.query.isEmpty else { throw .badField(request.query[0].name, "there are no parameters") }
        return path
    }

    /// Checks the method of a request, and the form of its body: no form of a page can send JSON.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ request: HTTPRequest, isSentBy method: String) throws(Refusal) {
        guard request.method == method || (method == "GET" && request.method == "HEAD") else {
            var refusal = Refusal(405, "the method is not allowed here", hint: "it is \(method)")
            refusal.headers = [HTTPRequest.Field("Allow", method)]
            throw refusal
        }
        guard method == "POST" else { return }
        let types = request.headers(named: "Content-Type")
        guard types.count == 1, types[0].lowercased() == HTTPAnswer.json else {
            throw Refusal(415, "the body is not JSON by its type", field: "Content-Type", hint: HTTPAnswer.json)
        }
    }
}

/// Lets one question at a time be evaluated; a newer question of the same asker ends older ones that it replaces.
final class Turns: Sendable {
    /// The asker and the subject of a question.
    struct Asker: Hashable, Sendable {
        let session: String
        let subject: QuestionSubject

        /// True if a question of this asker ends an older one of another.
        ///
        /// The effect of the changes is asked for after each of them: what a page asked about the changes before, it
        /// needs no more. The sessions of its other questions begin with its own.
        func ends(_ other: Asker) -> Bool {
            if self == other { return true }
            guard subject == .answer, other.session.hasPrefix(session) else { return false }
            return [.answer, .reasons, .whatif, .exempt, .hygiene, .devices].contains(other.subject)
        }
    }

    /// Ends the questions of a session that have no answer yet, and those of sessions whose names begin with its own.
    func end(_ session: String) {
        newest.withLock { newest in
            for (asker, cancellation) in newest where asker.session.hasPrefix(session) { cancellation.request() }
        }
    }

    private let newest = Lock<[Asker: Cancellation]>([:])
    private let evaluation = Lock(())
    private let ending: Cancellation?

    /// - Parameter ending: Ends all evaluations.
    init(within ending: Cancellation? = nil) { self.ending = ending }

    /// Evaluates a question when it is its turn.
    ///
    /// - Parameters:
    ///   - asker: `nil` for a question that no other one ends.
    ///   - body: Evaluates it, until it is interrupted.
    /// - Returns: `nil` where a newer question took its place.
    func take<Result: Sendable, Failure: Error>(
        _ asker: Asker?, _ body: (Cancellation) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let own = Cancellation(within: ending)
        if let asker {
            newest.withLock { newest in
                for (other, cancellation) in newest where asker.ends(other) { cancellation.request() }
                newest[asker] = own
            }
        }
        defer {
            if let asker { newest.withLock { if $0[asker] === own { $0[asker] = nil } } }
        }
        do throws(Failure) {
            let result = try evaluation.withLock { _ throws(Failure) in own.isRequested ? nil : try body(own) }
            return own.isRequested ? nil : result
        } catch {
            // A failure of what was ended is no answer.
            guard own.isRequested else { throw error }
            return nil
        }
    }
}

/// The files of the page, which are parts of the command.
struct PageFile: Sendable {
    let name: String
    let content: [UInt8]

    /// All of them; the first is the page itself.
    static let all: [PageFile] = {
        var count = 0
        // Constants, as many as the module says, whose texts end with a zero.
        let files = unsafe UnsafeBufferPointer(start: explore_page_files(&count), count: count)
        return unsafe files.map { file in
            unsafe PageFile(name: String(cString: file.name), content: Array(String(cString: file.content).utf8))
        }
    }()

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]

    var answer: HTTPAnswer {
        let ending = String(name.split(separator: ".").last ?? "")
        return HTTPAnswer(status: 200, mediaType: Self.mediaTypes[ending] ?? "text/plain", body: content)
    }
}
