internal import PolicyEngine

/// The names by which a server may be asked for (R23.6).
///
/// A page in a browser can let its own name point to this machine, and then ask as one of the same origin (DNS rebinding). Its
/// requests still say that name. The port may be any: a tunnel, or whatever else is in front of the server, has another one.
struct HostNames: Sendable {
    // In lower case.
    private let names: Set<String>
    private let takesAny: Bool

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// - Parameters:
    ///   - address: The address that is listened on, as a URL has it.
    ///   - isPrivate: True if only this machine reaches it. Elsewhere it has names that nobody here knows, and any is
    ///     accepted unless some are allowed.
    ///   - further: More names that are allowed.
    init(address: String, isPrivate: Bool, allowing further: [String]) {
        names = Set((Self.loopback + [address] + further).map { $0.lowercased() })
        takesAny = !isPrivate && further.isEmpty
    }

    /// Why a request is refused; `nil` where it asks for this server.
    ///
    /// - Parameters:
    ///   - hosts: Its headers `Host`.
    ///   - target: The host of its target, which takes the place of the header (RFC 9112, 3.2.2); `nil` for none.
    func refusal(of hosts: [String], target: String? = nil) -> Refusal? {
        guard let host = hosts.first, hosts.count == 1 else {
            return .malformed("a request has one header `Host`", field: "Host")
        }
        if takesAny || Self.name(in: (target ?? host).lowercased()).map(names.contains) == true { return nil }
        return Refusal(421, "this is another host", field: "Host", hint: "`--host NAME` allows more names")
    }

    // The part in front of the port, if there is one; `nil` where the port is none. An address with colons is in brackets.
    private static func name(in host: String) -> String? {
        let end = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[end...].firstIndex(of: ":") else { return host }
        let port = host[host.index(after: colon)...]
        return port.isEmpty || port.utf8.allSatisfy(\.isDigit) && UInt16(port) != nil ? String(host[..<colon]) : nil
    }

    /// True if a text can be allowed: a name, or an address, without a port.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit
                    || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
            }
    }
}
