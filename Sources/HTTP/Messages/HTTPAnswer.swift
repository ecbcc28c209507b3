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
