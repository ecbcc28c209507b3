internal import HTTP

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
