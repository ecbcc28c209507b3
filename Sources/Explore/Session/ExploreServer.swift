package import Documents
package import HTTP

/// Serves the page of a session, and answers its questions.
package final class ExploreServer: Sendable {
    /// The evaluation of a question, until it is interrupted.
    package typealias Evaluation = @Sendable (Question, Cancellation) throws(Refusal) -> HTTPAnswer

    private let gate: RequestGate
    private let secret: SessionSecret
    private let turns = Turns()
    private let evaluate: Evaluation

    /// - Parameter evaluate: Answers a question; called on several threads at a time, but for one evaluation at a time of
    ///   captures.
    package init(_ evaluate: @escaping Evaluation) {
        secret = SessionSecret()
        gate = RequestGate(secret)
        self.evaluate = evaluate
    }

    /// The path below which everything lies, such as `/0123456789abcdef0123456789abcdef/`.
    package var path: String { "/\(secret.text)/" }

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
        if let file = PageFile.named(path) {
            try RequestGate.check(request, isSentBy: "GET")
            return file.answer
        }
        guard let subject = QuestionSubject(rawValue: path) else { throw Refusal(404, "there is nothing at this path") }
        try RequestGate.check(request, isSentBy: subject.method)
        let question = try Question(subject, body: request.body)
        let session = try question.session
        guard subject.isEvaluated else { return try evaluate(question, Cancellation()) }
        let asker = session.map { Turns.Asker(session: $0, subject: subject) }
        let answer = try turns.take(asker) { cancellation throws(Refusal) in try evaluate(question, cancellation) }
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
