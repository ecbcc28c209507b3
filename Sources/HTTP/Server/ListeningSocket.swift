internal import CLibrary
internal import Documents

/// A socket that waits for connections.
struct ListeningSocket {
    let descriptor: Int32
    /// The address at which it waits, as a URL has it: `127.0.0.1`, `[::1]`.
    let host: String
    /// The port at which it waits.
    let port: UInt16

    // Connections that wait until somebody takes them.
    private static let backlog: Int32 = 1024

    /// Starts to wait.
    ///
    /// - Parameters:
    ///   - address: A number, such as `127.0.0.1` or `::1`.
    ///   - port: 0 for any that is free.
    /// - Throws: ``ListeningFailure``.
    init(address: String, port: UInt16) throws(ListeningFailure) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        // SAFETY: the texts live through the call; the list is freed below and not used afterwards.
        guard unsafe getaddrinfo(address, "\(port)", &hints, &found) == 0, let first = unsafe found else {
            throw .noAddress(address)
        }
        defer { unsafe freeaddrinfo(first) }
        let info = unsafe first.pointee
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = unsafe socket(info.ai_family, flags, 0)
        guard descriptor >= 0 else { throw .cannotListen(address, port: port, errno) }
        var one: Int32 = 1
        // SAFETY: the option and the address lie where they are said to, with their sizes.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, UInt32(MemoryLayout<Int32>.size))
        let isListening =
            unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 && listen(descriptor, Self.backlog) == 0
        guard isListening else {
            let reason = errno
            close(descriptor)
            throw .cannotListen(address, port: port, reason)
        }
        self.port = Self.port(of: descriptor)
        host = unsafe info.ai_family == AF_INET6 ? "[\(address)]" : address
    }

    // Of either family: the port has the same offset.
    private static func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = UInt32(MemoryLayout<sockaddr_in6>.size)
        // SAFETY: the structure is large enough for the addresses of both families, and lives through the call.
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                _ = unsafe getsockname(socket, name, &size)
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// True if an address is one of this machine alone.
    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address == "localhost" || address.hasPrefix("127.")
    }
}

/// Why nobody can be listened to.
package enum ListeningFailure: DescribedError, Hashable {
    /// The text is no address.
    case noAddress(String)
    /// The system refuses, for a reason of its own.
    case cannotListen(String, port: UInt16, Int32)
    /// The system allows this number of open files, and more are needed for the fewest connections.
    case tooFewFiles(Int, needed: Int)
    /// The library cannot start.
    case noServer

    package var description: String {
        switch self {
        case .noAddress(let text): "\(text.quoted) is not an address of a network interface"
        case .cannotListen(let address, let port, let reason):
            // SAFETY: the text is the system's, and is copied at once.
            "cannot listen at \(address), port \(port): \(unsafe String(cString: strerror(reason)))"
        case .tooFewFiles(let limit, let needed):
            "the system allows \(limit) open files, and \(OpenFileBudget.fewestConnections) connections need \(needed)"
        case .noServer: "the server cannot be started"
        }
    }

    package var hint: String? {
        switch self {
        case .noAddress: "such as 127.0.0.1 or ::1"
        case .cannotListen(_, _, EADDRINUSE): "`--port 0` takes one that is free"
        case .tooFewFiles: "`ulimit -n` sets the limit"
        case .cannotListen, .noServer: nil
        }
    }
}
