/// The head of a request, and the bytes that it was received in: no byte of it may be left out of account (R23.6).
///
/// libmicrohttpd takes a zero for the end of a text and drops the bytes behind it; so the bytes of all that it hands over
/// are added up.
struct RequestHead {
    /// The headers in their order.
    var headers: [HTTPRequest.Field] = []
    /// The parameters behind `?`, in their order.
    var query: [HTTPRequest.Field] = []
    /// True if a text of it is not UTF-8.
    var isUnreadable = false
    /// True if it has an escaped zero, `%00`.
    var hasZero = false
    // Bytes of the parts that were handed over.
    private var bytes = 0

    // `HTTP/1.1`
    private static let versionBytes = 8

    /// Counts the first line.
    ///
    /// - Parameters:
    ///   - method: Bytes of the method.
    ///   - target: Bytes of the request target, with its escapes.
    mutating func addLine(method: Int, target: Int) { bytes += method + 1 + target + 1 + Self.versionBytes + 2 }

    /// Counts a header.
    ///
    /// - Parameters:
    ///   - name: Its bytes.
    ///   - gap: Those from its end to the value: a colon, and mostly a space.
    ///   - value: Its bytes.
    mutating func addHeader(name: Int, gap: Int, value: Int) { bytes += name + gap + value + 2 }

    /// The reason to refuse the request unread; `nil` for a valid one.
    ///
    /// - Parameter received: The bytes of the head, its empty line included.
    func fault(received: Int) -> Refusal? {
        if isUnreadable { return .malformed("the head of the request is not UTF-8") }
        if hasZero || bytes + 2 != received {
            return .malformed("the head of the request contains bytes that belong to no header, such as a zero")
        }
        if let field = headers.first(where: { $0.name.contains { $0.isWhitespace } }) {
            return .malformed("the name of a header has no space", field: field.name)
        }
        return lengthFault
    }

    // RFC 9112, 6.3: if the end of a body is not clear, the bytes behind it may be taken for another request.
    private var lengthFault: Refusal? {
        let (lengths, encodings) = (values(of: "Content-Length"), values(of: "Transfer-Encoding"))
        if lengths.count > 1 { return .malformed("the length of the body is given twice", field: "Content-Length") }
        guard let encoding = encodings.first else { return nil }
        guard encodings.count == 1, encoding.lowercased() == "chunked" else {
            return .malformed("the body is coded in another way than in chunks", field: "Transfer-Encoding")
        }
        return lengths.isEmpty
            ? nil : .malformed("a body in chunks has no length", field: "Content-Length")
    }

    /// The values of a header.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
