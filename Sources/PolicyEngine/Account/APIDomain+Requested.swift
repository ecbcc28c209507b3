// Domain names in the texts by which apps, and commands in place of an app, ask for tokens (manual, Token Fetch Errors).
extension APIDomain {
    /// The domain in a text: the text itself, or the host of a URL with `https`.
    ///
    /// - Returns: `nil` for a URL of another scheme, and for what is no domain.
    /// - Complexity: O(length).
    package static func name(in text: String) -> String? {
        text.contains("://") ? name(in: text, scheme: "https") : host(text[...])
    }

    /// The host of a URL of one scheme.
    ///
    /// - Returns: `nil` for a URL of another one, and for what is none.
    /// - Complexity: O(length).
    package static func name(in url: String, scheme: String) -> String? {
        guard let end = url.firstRange(of: "://"), url[..<end.lowerBound].lowercased() == scheme else { return nil }
        return host(url[end.upperBound...])
    }

    // Without a port, a path and the text behind them.
    private static func host(_ rest: Substring) -> String? {
        let host = rest.prefix { !"/?#".contains($0) }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), isName(name), parts.count <= 2 else { return nil }
        if parts.count == 2, !parts[1].utf8.allSatisfy(\.isDigit) || UInt16(parts[1]) == nil { return nil }
        return name
    }

    /// True if a text asks for a measurement beside the token (R22.1).
    package static func asksForMeasurement(_ text: String) -> Bool {
        text.prefix { $0 != "#" }.split(separator: "?").dropFirst().contains { query in
            query.split(separator: "&").contains("measurement")
        }
    }
}
