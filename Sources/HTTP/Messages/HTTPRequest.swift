/// A request as it was received whole.
package struct HTTPRequest: Sendable {
    /// Such as `GET`.
    package let method: String
    /// The path with its escapes undone, up to `?`.
    package let path: String
    /// The parameters behind `?`, in their order.
    package var query: [Field] = []
    /// The headers in their order.
    package var headers: [Field] = []
    package var body: [UInt8] = []
    /// True if the body was too long, so that it is not here.
    package var isTooLong = false
    /// The reason to refuse it unread; `nil` for a valid request.
    package var fault: Refusal?

    /// The greatest number of bytes of a body (R23.6).
    package static let bodyLimit = 65_536

    /// A name and its value.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    package init(method: String, path: String) {
        (self.method, self.path) = (method, path)
    }

    /// The values of a header, whose name may be in any case.
    package func headers(named name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
