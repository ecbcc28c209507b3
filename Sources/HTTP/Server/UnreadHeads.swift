internal import CLibrary
internal import Documents

/// The connections on which a request has begun whose head is not there whole, by the thread that receives it.
///
/// libmicrohttpd answers twice if a length is no number, and nobody is asked before it does; it only says so in its log. So
/// the answer is given here, and the connection is closed before the library writes to it. If several heads are being
/// received by the thread, nobody knows which one is meant, and the library's answers go out.
final class UnreadHeads: Sendable {
    private let sockets = Lock<[UInt: Set<Int32>]>([:])

    /// Notes that a request has begun.
    func begin(_ socket: Int32, on thread: UInt) {
        sockets.withLock { _ = $0[thread, default: []].insert(socket) }
    }

    /// Notes that its head is there, or that it is over.
    func end(_ socket: Int32, on thread: UInt) {
        sockets.withLock { _ = $0[thread]?.remove(socket) }
    }

    /// Answers the only request that a thread can mean, and closes its connection for writing.
    func refuse(_ refusal: Refusal, on thread: UInt) {
        sockets.withLock { sockets in
            guard let socket = sockets[thread]?.first, sockets[thread]?.count == 1 else { return }
            let answer = refusal.answer
            let head = [
                "HTTP/1.1 \(answer.status) Refused", "Content-Type: \(answer.mediaType)", "Cache-Control: no-store",
                "Connection: close", "Content-Length: \(answer.body.count)", "", "",
            ]
            let bytes = Array(head.joined(separator: "\r\n").utf8) + answer.body
            // SAFETY: the bytes live through the call; the socket is open as long as it is listed here.
            _ = unsafe bytes.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            shutdown(socket, Int32(SHUT_WR))
        }
    }
}
