package import PolicyEngine

/// A message of JSON-RPC 2.0 that was received.
package enum RPCMessage: Sendable {
    /// It is answered under its ID.
    case request(id: RPCID, method: String, parameters: JSONContent)
    /// It is not answered.
    case notification(method: String, parameters: JSONContent)
    /// The answer to a request of ours.
    case response(id: RPCID, result: JSONContent?)

    /// The depth to which parameters may nest.
    private static let deepest = 64

    /// Reads a message.
    ///
    /// - Throws: ``RPCFailure``, with the ID of the request where there is one.
    package init(_ bytes: [UInt8]) throws(RPCFailure) {
        let content: JSONContent
        do throws(JSONFailure) {
            content = try JSONParser.parse(bytes, maximumNesting: Self.deepest)
        } catch {
            throw RPCFailure(.parseError, "the message is not JSON: \(error.message)")
        }
        let id = content["id"].flatMap(RPCID.init)
        guard case .object = content, content["jsonrpc"]?.text == "2.0" else {
            throw RPCFailure(.invalidRequest, "the message is not of JSON-RPC 2.0", id: id)
        }
        let parameters = content["params"] ?? .null
        switch (content["method"]?.text, content["id"]) {
        case (let method?, nil): self = .notification(method: method, parameters: parameters)
        case (let method?, _?):
            guard let id else { throw RPCFailure(.invalidRequest, "an ID is a text or a whole number") }
            self = .request(id: id, method: method, parameters: parameters)
        case (nil, _):
            guard let id, content["result"] != nil || content["error"] != nil else {
                throw RPCFailure(.invalidRequest, "the message is neither a request nor a response", id: id)
            }
            self = .response(id: id, result: content["result"])
        }
    }
}

/// The ID of a request.
package enum RPCID: Hashable, Sendable {
    case number(Int)
    case text(String)

    init?(_ content: JSONContent) {
        if let number = content.integer {
            self = .number(number)
        } else if let text = content.text {
            self = .text(text)
        } else {
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}

/// Why a request has no result.
package struct RPCFailure: Error, Hashable {
    /// The kinds of failures, by their numbers in JSON-RPC and LSP.
    package enum Code: Int {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case notInitialized = -32002
        case cancelled = -32800
        case failed = -32803
    }

    let code: Code
    /// The problem in words.
    package let message: String
    /// The request, if it is known though it was not understood.
    var id: RPCID?

    package init(_ code: Code, _ message: String, id: RPCID? = nil) {
        (self.code, self.message, self.id) = (code, message, id)
    }
}

/// Messages of JSON-RPC 2.0 that are sent.
package enum RPCReply {
    /// The result of a request.
    package static func result(_ result: JSONValue, of id: RPCID) -> JSONValue {
        .ordered([("jsonrpc", .string("2.0")), ("id", id.json), ("result", result)])
    }

    /// The failure of a request; of one that nobody knows without an ID.
    package static func failure(_ failure: RPCFailure, of id: RPCID?) -> JSONValue {
        .ordered([
            ("jsonrpc", .string("2.0")), ("id", (id ?? failure.id)?.json ?? .null),
            (
                "error",
                .ordered([("code", .integer(failure.code.rawValue)), ("message", .string(failure.message))])
            ),
        ])
    }

    /// A notification.
    package static func notification(_ method: String, _ parameters: JSONValue) -> JSONValue {
        .ordered([("jsonrpc", .string("2.0")), ("method", .string(method)), ("params", parameters)])
    }

    /// A request of ours.
    package static func request(_ id: RPCID, _ method: String) -> JSONValue {
        .ordered([("jsonrpc", .string("2.0")), ("id", id.json), ("method", .string(method))])
    }
}
