import CLibrary

/// A connection on which a test writes what it likes.
final class RawClient {
    private let descriptor: Int32
    /// True once ``readAll()`` has read up to the end that the other side made.
    private(set) var isEnded = false

    /// - Parameters:
    ///   - url: `http://127.0.0.1:PORT`.
    ///   - resets: True if the end of the connection is no orderly one, so that the system can use its port again at once.
    init(_ url: String, resets: Bool = false) throws {
        let port = UInt16(url.split(separator: ":").last.map(String.init) ?? "") ?? 0
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe connect(descriptor, name, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestFailure("cannot connect to \(url)") }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, UInt32(MemoryLayout<timeval>.size))
        var end = linger(l_onoff: resets ? 1 : 0, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &end, UInt32(MemoryLayout<linger>.size))
    }

    deinit { close(descriptor) }

    /// Writes bytes; what the other side does not take any more is lost.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes text.
    func write(_ text: String) { write(Array(text.utf8)) }

    /// True if there is something to read before some milliseconds are over.
    func hasAnswer(within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wanted, 1, milliseconds) > 0
    }

    /// Says that nothing more is written.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the other side closes, or says nothing for a minute.
    func readAll() -> String {
        var (all, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = unsafe recv(descriptor, &part, part.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isEnded = count == 0 || errno == ECONNRESET
                return String(decoding: all, as: UTF8.self)
            }
            all += part.prefix(count)
        }
    }

    /// Reads what comes first.
    func readSome() -> String {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &part, part.count, 0)
        return String(decoding: part.prefix(max(0, count)), as: UTF8.self)
    }
}
