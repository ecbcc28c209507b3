internal import PolicyEngine

/// The target of a request: a path, or a whole address as a proxy is sent it (RFC 9112, 3.2).
struct RequestTarget: Hashable, Sendable {
    /// The path with its escapes undone, up to `?`.
    let path: String
    /// The host and port of a whole address, which take the place of those of `Host`; `nil` where there is a path alone.
    let host: String?

    private static let scheme = "http://"

    /// - Parameter text: The text up to `?`, with its escapes undone.
    /// - Returns: `nil` for another form, such as `*`, or an address of another scheme or with a user in it.
    init?(_ text: String) {
        if text.utf8.first == UInt8(ascii: "/") {
            (path, host) = (text, nil)
            return
        }
        guard text.lowercased().hasPrefix(Self.scheme) else { return nil }
        let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
        let authority = String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
        guard !authority.isEmpty, !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let path = String(Substring(rest.dropFirst(authority.utf8.count)))
        (self.path, host) = (path.isEmpty ? "/" : path, authority)
    }

    /// The refusal of another form.
    static let refusal = Refusal.malformed(
        "the target of a request is a path, or an address that begins with `\(scheme)` and names no user")
}
