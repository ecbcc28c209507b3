internal import PolicyEngine

/// A request as it was received whole.
package struct HTTPRequest: Sendable {
    /// Such as `GET`.
    package let method: String
    /// The path with its escapes undone, without what stands behind `?`.
    package let path: String
    /// What stands behind `?`, in its order.
    package var query: [Field] = []
    /// The headers in their order.
    package var headers: [Field] = []
    package var body: [UInt8] = []
    /// Whether the body was longer than may be, so that it is not here.
    package var isTooLong = false
    /// Why nobody looks at it; `nil` for a sound request.
    var fault: Refusal?

    /// How many bytes a body may have (R23.6).
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
