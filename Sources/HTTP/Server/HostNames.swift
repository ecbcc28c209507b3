internal import PolicyEngine

/// The names by which a server may be asked for (R23.6).
///
/// A page in a browser can let its own name point to this machine, and then ask as one of the same origin (DNS rebinding). Its
/// requests still say that name.
struct HostNames: Sendable {
    // As a request says them, in lower case.
    private let own: Set<String>
    // Without a port: what is in front of the server has another one.
    private let further: Set<String>
    private let takesAny: Bool

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]
    // It is left out where it is the usual one.
    private static let usualPort: UInt16 = 80

    /// - Parameters:
    ///   - address: The address that is listened on, as a URL has it.
    ///   - isPrivate: True if only this machine reaches it. Elsewhere it has names that nobody here knows, and any is
    ///     accepted unless some are allowed.
    ///   - further: More names that are allowed.
    init(address: String, port: UInt16, isPrivate: Bool, allowing further: [String]) {
        let names = (Self.loopback + [address]).map { $0.lowercased() }
        own = Set(names.map { "\($0):\(port)" } + (port == Self.usualPort ? names : []))
        self.further = Set(further.map { $0.lowercased() })
        takesAny = !isPrivate && further.isEmpty
    }

    /// Why a request is refused; `nil` where it asks for this server.
    ///
    /// - Parameter hosts: Its headers `Host`.
    func refusal(of hosts: [String]) -> Refusal? {
        guard let host = hosts.first?.lowercased(), hosts.count == 1 else {
            return .malformed("a request has one header `Host`", field: "Host")
        }
        let name = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        if takesAny || own.contains(host) || name.map(further.contains) == true { return nil }
        return Refusal(421, "this is another host", field: "Host", hint: "`--host NAME` allows more names")
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
