internal import CMicroHTTPD

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A server for HTTP/1.1; the one file that knows libmicrohttpd.
@safe
package final class HTTPServer {
    /// Where it is reached, such as `http://127.0.0.1:8080`.
    package let url: String
    // SAFETY: made in `init`, stopped in `stop` and not used afterwards.
    private var daemon: OpaquePointer?
    private let context: Context

    /// What bounds a server.
    package struct Limits: Sendable {
        /// Connections at once; further ones wait.
        package var connections = 1200
        /// Seconds in which nothing happens on a connection until it is closed.
        package var idleSeconds = 10
        /// Seconds that a request may take until it is there whole.
        package var requestSeconds = 30
        /// Threads that answer, 2 or more.
        package var threads = 4

        package init() {}
    }

    // What the callbacks need.
    private final class Context: Sendable {
        let answer: @Sendable (HTTPRequest) -> HTTPAnswer
        let deadlines: ConnectionDeadlines

        init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer, _ limits: Limits) {
            self.answer = answer
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
    ///   - answer: Answers a request; called on several threads at a time.
    /// - Throws: ``ListeningFailure``.
    package init(
        address: String, port: UInt16, limits: Limits = Limits(),
        answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
    ) throws(ListeningFailure) {
        Self.raiseDescriptorLimit(to: UInt64(limits.connections) + 64)
        let socket = try ListeningSocket(address: address, port: port)
        context = Context(answer, limits)
        url = "http://\(socket.authority)"
        // SAFETY: the context lives until `stop`, behind which no callback is called; the callbacks take nothing else.
        unsafe daemon = http_server_start(
            socket.descriptor, UInt32(max(2, limits.threads)), UInt32(limits.connections), UInt32(limits.idleSeconds),
            Self.headBytes, Self.take, Self.complete, Self.notify, Unmanaged.passUnretained(context).toOpaque())
        guard unsafe daemon != nil else {
            close(socket.descriptor)
            throw .noServer
        }
    }

    deinit { stop() }

    /// Stops the server; answers that were begun are finished.
    package func stop() {
        guard let running = unsafe daemon else { return }
        unsafe daemon = nil
        // SAFETY: the daemon runs, and this is its only owner.
        unsafe MHD_stop_daemon(running)
    }

    // A thousand connections need as many descriptors, and many systems give fewer unless they are asked.
    private static func raiseDescriptorLimit(to needed: UInt64) {
        var limit = rlimit()
        // SAFETY: the structure lives through the calls.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < needed
        else { return }
        limit.rlim_cur = min(UInt(needed), limit.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    // MARK: Callbacks

    // What was received of a request so far.
    private final class Receipt {
        var body: [UInt8] = []
        var isTooLong = false
        var excess = 0
    }

    // How much of a body that is too long is read on, so that its sender gets to the answer.
    private static let excessLimit = 1 << 20

    // Called with the head of a request, with each part of its body, and at its end.
    private static let take: MHD_AccessHandlerCallback = {
        context, connection, url, method, _, part, count, receipt in
        guard let context = unsafe context, let connection = unsafe connection, let count = unsafe count,
            let receipt = unsafe receipt
        else { return .NO }
        // SAFETY: the context is the server's; the receipt was put there by this function.
        guard let known = unsafe receipt.pointee else {
            let new = Receipt()
            unsafe receipt.pointee = Unmanaged.passRetained(new).toOpaque()
            guard unsafe announcesTooMuch(connection) else { return .YES }
            var request = unsafe head(of: connection, url, method)
            request.isTooLong = true
            return unsafe answer(request, context, connection)
        }
        let received = unsafe Unmanaged<Receipt>.fromOpaque(known).takeUnretainedValue()
        if unsafe count.pointee > 0 {
            let isTaken = unsafe take(part, count.pointee, into: received)
            unsafe count.pointee = 0
            return isTaken ? .YES : .NO
        }
        var request = unsafe head(of: connection, url, method)
        (request.body, request.isTooLong) = (received.body, received.isTooLong)
        return unsafe answer(request, context, connection)
    }

    private static func take(_ part: UnsafePointer<CChar>?, _ count: Int, into receipt: Receipt) -> Bool {
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

    private static func announcesTooMuch(_ connection: OpaquePointer) -> Bool {
        // SAFETY: the text is the connection's, and is copied at once.
        guard let text = unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length"),
            let count = Int(unsafe String(cString: text))
        else { return false }
        return count > HTTPRequest.bodyLimit
    }

    private static func answer(
        _ request: HTTPRequest, _ context: UnsafeMutableRawPointer, _ connection: OpaquePointer
    ) -> MHD_Result {
        // SAFETY: the context lives as long as the server runs.
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        return unsafe send(server.answer(request), on: connection)
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
        server.deadlines.begin(unsafe http_connection_socket(connection))
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
            server.deadlines.end(socket)
        }
    }
}

// What stands in front of a body.
extension HTTPServer {
    private final class Fields {
        var list: [HTTPRequest.Field] = []
        var isMalformed = false
    }

    private static func head(
        of connection: OpaquePointer, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?
    ) -> HTTPRequest {
        let (path, verb) = (unsafe text(url), unsafe text(method))
        var request = HTTPRequest(method: verb ?? "", path: path ?? "")
        let query = unsafe fields(.GET_ARGUMENT_KIND, of: connection)
        let headers = unsafe fields(.HEADER_KIND, of: connection)
        (request.query, request.headers) = (query.list, headers.list)
        request.isMalformed = path == nil || verb == nil || query.isMalformed || headers.isMalformed
        return request
    }

    private static func fields(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> Fields {
        let fields = Fields()
        // SAFETY: the callback is called during this call alone, in which the fields live.
        unsafe MHD_get_connection_values(connection, kind, collect, Unmanaged.passUnretained(fields).toOpaque())
        return fields
    }

    private static let collect: MHD_KeyValueIterator = { context, _, name, value in
        guard let context = unsafe context else { return .NO }
        // SAFETY: the context is what `fields` passed.
        let fields = unsafe Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue()
        if let name = unsafe text(name), let value = unsafe value == nil ? "" : text(value) {
            fields.list.append(HTTPRequest.Field(name, value))
        } else {
            fields.isMalformed = true
        }
        return .YES
    }

    // `nil` for what is not UTF-8.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        // SAFETY: the library's texts end with a zero, and are copied at once.
        unsafe pointer.flatMap { unsafe String(validatingCString: $0) }
    }
}
