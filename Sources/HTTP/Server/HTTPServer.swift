internal import CLibrary
internal import CMicroHTTPD
internal import Documents

/// A server for HTTP/1.1; the one file that knows libmicrohttpd.
@safe
package final class HTTPServer {
    /// The address of the server, such as `http://127.0.0.1:8080`.
    package let url: String
    // SAFETY: made in `init`, stopped in `stop` and not used afterwards.
    private var daemon: OpaquePointer?
    private let context: Context

    /// The limits of a server.
    package struct Limits: Sendable {
        /// Connections at once, if the system allows this number of open files; further ones wait.
        package var connections = 1200
        /// Seconds in which nothing happens on a connection until it is closed.
        package var idleSeconds = 10
        /// Seconds that a request may take until it is there whole.
        package var requestSeconds = 30
        /// Threads that answer, 2 or more.
        package var threads = 4

        package init() {}
    }

    // The objects that the callbacks need.
    private final class Context: Sendable {
        let answer: @Sendable (HTTPRequest) -> HTTPAnswer
        let hosts: HostNames
        let deadlines: ConnectionDeadlines
        let unread = UnreadHeads()

        init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer, _ hosts: HostNames, _ limits: Limits) {
            (self.answer, self.hosts) = (answer, hosts)
            deadlines = ConnectionDeadlines(seconds: limits.requestSeconds)
        }
    }

    // Memory for the head of a request; a longer one is answered by the library, with 431 or 414.
    private static let headBytes = 32_768

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: A number, such as `127.0.0.1` or `::1`.
    ///   - port: 0 for any that is free.
    ///   - hosts: More names by which it may be asked for.
    ///   - answer: Answers a request; called on several threads at a time.
    /// - Throws: ``ListeningFailure``.
    package init(
        address: String, port: UInt16, hosts: [String] = [], limits: Limits = Limits(),
        answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
    ) throws(ListeningFailure) {
        let budget = OpenFileBudget.asking(forConnections: limits.connections, threads: limits.threads)
        let threads = budget.threads(wanted: limits.threads, connections: limits.connections)
        let connections = try budget.connections(wanted: limits.connections, threads: threads)
        let socket = try ListeningSocket(address: address, port: port)
        let names = HostNames(
            address: socket.host, isPrivate: ListeningSocket.isLoopback(address), allowing: hosts)
        context = Context(answer, names, limits)
        url = "http://\(socket.host):\(socket.port)"
        // SAFETY: the context lives until `stop`, behind which no callback is called; the callbacks take nothing else.
        unsafe daemon = http_server_start(
            socket.descriptor, UInt32(threads), UInt32(connections), UInt32(limits.idleSeconds), Self.headBytes,
            { context, format, _ in unsafe HTTPServer.note(format, context) }, Self.begin, Self.take, Self.complete,
            Self.notify, Unmanaged.passUnretained(context).toOpaque())
        guard unsafe daemon != nil else {
            close(socket.descriptor)
            throw .noServer
        }
    }

    deinit { stop() }

    /// True if an address is reached from this machine alone.
    package static func isPrivate(_ address: String) -> Bool { ListeningSocket.isLoopback(address) }

    /// True if a text can be one more name by which a server may be asked for.
    package static func isHostName(_ text: String) -> Bool { HostNames.isName(text) }

    /// Stops the server; answers that were begun are finished.
    package func stop() {
        guard let running = unsafe daemon else { return }
        unsafe daemon = nil
        // SAFETY: the daemon runs, and this is its only owner.
        unsafe MHD_stop_daemon(running)
    }

    // MARK: Callbacks

    // The received part of a request.
    private final class Receipt {
        // The request target as it was received: the number of its bytes, and true if it has an escaped zero.
        let target: (bytes: Int, hasZero: Bool)
        var hasHead = false
        var body: [UInt8] = []
        var isTooLong = false
        var excess = 0

        init(target: [UInt8]) {
            let zero = Array("%00".utf8)
            self.target = (target.count, target.indices.contains { target[$0...].starts(with: zero) })
        }
    }

    // Called with the first line of a request. The library answers twice where there is no host, so one is put there, which is
    // not looked at; what the request itself says is looked at here.
    private static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, target, connection in
            guard let context = unsafe context, let connection = unsafe connection else { return nil }
            // SAFETY: the context is the server's; the text ends with a zero, and is copied at once.
            let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
            server.unread.begin(unsafe http_connection_socket(connection), on: UInt(http_thread()))
            let count = unsafe target.map { unsafe strlen($0) } ?? 0
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: count))
            unsafe http_add_host(connection)
            // SAFETY: `complete` releases it, which the library calls for every request that began.
            return unsafe Unmanaged.passRetained(Receipt(target: bytes)).toOpaque()
        }

    // Called with what the library would write into a log.
    private static func note(_ format: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context, let message = unsafe text(format) else { return }
        guard message.contains("Content-Length") else { return }
        // SAFETY: the context is the server's.
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let refusal =
            message.hasPrefix("Too large")
            ? Refusal(413, "the body has more than \(HTTPRequest.bodyLimit) bytes", field: "body")
            : Refusal(400, "the length of the body is not a number", field: "Content-Length")
        server.unread.refuse(refusal, on: UInt(http_thread()))
    }

    // The number of bytes that are read on of a body that is too long, so that its sender gets to the answer.
    private static let excessLimit = 1 << 20

    // Called with the head of a request, with each part of its body, and at its end.
    private static let take: MHD_AccessHandlerCallback = {
        context, connection, url, method, _, part, count, receipt in
        guard let context = unsafe context, let connection = unsafe connection, let count = unsafe count,
            let known = unsafe receipt?.pointee
        else { return .NO }
        // SAFETY: the context is the server's; the receipt was put there by `begin`.
        let received = unsafe Unmanaged<Receipt>.fromOpaque(known).takeUnretainedValue()
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        if unsafe count.pointee > 0 {
            let isTaken = unsafe receive(part, count.pointee, into: received)
            unsafe count.pointee = 0
            return isTaken ? .YES : .NO
        }
        var request = unsafe head(of: connection, url, method, received, server.hosts)
        if !received.hasHead {
            received.hasHead = true
            server.unread.end(unsafe http_connection_socket(connection), on: UInt(http_thread()))
            // A request that is refused anyway is not received whole first.
            request.isTooLong = announcesTooMuch(request)
            return request.fault == nil && !request.isTooLong ? .YES : unsafe answer(request, server, on: connection)
        }
        (request.body, request.isTooLong) = (received.body, received.isTooLong)
        return unsafe answer(request, server, on: connection)
    }

    // An answer takes as long as it takes; then its receiver has as long as a sender of a request.
    private static func answer(
        _ request: HTTPRequest, _ server: Context, on connection: OpaquePointer
    ) -> MHD_Result {
        let socket = unsafe http_connection_socket(connection)
        server.deadlines.end(socket)
        defer { server.deadlines.begin(socket) }
        return unsafe send(server.answer(request), on: connection)
    }

    private static func receive(_ part: UnsafePointer<CChar>?, _ count: Int, into receipt: Receipt) -> Bool {
        if receipt.isTooLong || receipt.body.count + count > HTTPRequest.bodyLimit {
            (receipt.isTooLong, receipt.body) = (true, [])
            receipt.excess += count
            return receipt.excess <= excessLimit
        }
        // SAFETY: the library says how many bytes there are.
        let bytes = unsafe UnsafeRawBufferPointer(start: part, count: count)
        unsafe receipt.body.append(contentsOf: bytes)
        return true
    }

    private static func announcesTooMuch(_ request: HTTPRequest) -> Bool {
        request.headers(named: "Content-Length").first.flatMap(Int.init).map { $0 > HTTPRequest.bodyLimit } ?? false
    }

    private static func send(_ answer: HTTPAnswer, on connection: OpaquePointer) -> MHD_Result {
        var body = answer.body
        // SAFETY: the library copies the body before the call returns.
        let response = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe response else { return .NO }
        // SAFETY: the response is ours until it is destroyed; the connection keeps its own reference.
        defer { unsafe MHD_destroy_response(response) }
        let headers = [HTTPRequest.Field("Content-Type", answer.mediaType), .init("Cache-Control", "no-store")]
        for header in headers + answer.headers {
            unsafe MHD_add_response_header(response, header.name, header.value)
        }
        return unsafe MHD_queue_response(connection, UInt32(answer.status), response)
    }

    private static let complete: MHD_RequestCompletedCallback = { context, connection, receipt, _ in
        guard let context = unsafe context, let connection = unsafe connection, let receipt = unsafe receipt else {
            return
        }
        // SAFETY: the receipt was retained when the request began, and is released once.
        if let known = unsafe receipt.pointee { unsafe Unmanaged<Receipt>.fromOpaque(known).release() }
        unsafe receipt.pointee = nil
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let socket = unsafe http_connection_socket(connection)
        server.unread.end(socket, on: UInt(http_thread()))
        server.deadlines.begin(socket)
    }

    private static let notify: MHD_NotifyConnectionCallback = { context, connection, _, event in
        guard let context = unsafe context, let connection = unsafe connection else { return }
        // SAFETY: the context lives as long as the server runs, and the connection through the call.
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let socket = unsafe http_connection_socket(connection)
        guard socket >= 0 else { return }
        if http_connection_began(event) {
            server.deadlines.begin(socket)
        } else {
            server.unread.end(socket, on: UInt(http_thread()))
            server.deadlines.end(socket)
        }
    }
}

// Reading the head of a request.
extension HTTPServer {
    private static func head(
        of connection: OpaquePointer, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
        _ receipt: Receipt, _ hosts: HostNames
    ) -> HTTPRequest {
        let (text, verb) = (unsafe text(url), unsafe text(method))
        let target = text.flatMap { RequestTarget($0) }
        var request = HTTPRequest(method: verb ?? "", path: target?.path ?? "")
        let fields = Fields()
        fields.head.isUnreadable = text == nil || verb == nil
        fields.head.hasZero = receipt.target.hasZero
        fields.head.addLine(method: verb?.utf8.count ?? 0, target: receipt.target.bytes)
        for kind: MHD_ValueKind in [.GET_ARGUMENT_KIND, .HEADER_KIND] {
            // SAFETY: the callback is called during this call alone, in which the fields live.
            unsafe MHD_get_connection_values_n(
                connection, kind, collect, Unmanaged.passUnretained(fields).toOpaque())
        }
        (request.query, request.headers) = (fields.head.query, fields.head.headers)
        request.fault =
            fields.head.fault(received: unsafe http_head_size(connection))
            ?? (target == nil ? RequestTarget.refusal : nil)
            ?? hosts.refusal(of: fields.head.values(of: "Host"), target: target?.host)
        return request
    }

    private final class Fields {
        var head = RequestHead()
        // The header that `begin` put there is the first one.
        var isBehindOwn = false
    }

    private static let collect: MHD_KeyValueIteratorN = { context, kind, name, nameCount, value, valueCount in
        guard let context = unsafe context, let name = unsafe name else { return .NO }
        // SAFETY: the context is what `head` passed.
        let fields = unsafe Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue()
        let isHeader = kind == .HEADER_KIND
        if isHeader, !fields.isBehindOwn {
            fields.isBehindOwn = true
            return .YES
        }
        if isHeader {
            fields.head.addHeader(
                name: nameCount, gap: unsafe gap(behind: name, nameCount, before: value), value: valueCount)
        }
        guard let name = unsafe text(name), let value = unsafe value == nil ? "" : text(value) else {
            fields.head.isUnreadable = true
            return .YES
        }
        if isHeader {
            fields.head.headers.append(HTTPRequest.Field(name, value))
        } else {
            fields.head.query.append(HTTPRequest.Field(name, value))
        }
        return .YES
    }

    // The colon and a space, unless both lie in what was received, and more or less is between them.
    private static func gap(
        behind name: UnsafePointer<CChar>, _ count: Int, before value: UnsafePointer<CChar>?
    ) -> Int {
        let usual = 2
        guard let value = unsafe value else { return usual }
        // The addresses are numbers here, and nothing is read there.
        let (start, end) = (Int(bitPattern: name) + count, Int(bitPattern: value))
        return 1...widestGap ~= end - start ? end - start : usual
    }

    private static let widestGap = 64

    // `nil` for what is not UTF-8.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        // SAFETY: the library's texts end with a zero, and are copied at once.
        unsafe pointer.flatMap { unsafe String(validatingCString: $0) }
    }
}

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
