internal import Documents
internal import PolicyEngine

/// Reads the messages of a client on a thread of its own, so that a request can be cancelled while another one is answered.
struct MessageInput {
    /// An event of the input.
    enum Event: Sendable {
        case message(RPCMessage)
        /// A message that cannot be understood.
        case failure(RPCFailure)
        /// The client is gone, or nothing more of it can be understood; with the reason for that.
        case end(FramingFailure?)
    }

    /// The requests that the client has taken back, by ID.
    let cancelled: CancelledRequests

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - descriptor: The client's stream.
    ///   - cancellation: The notification that takes a request back, and the parameter with its ID.
    ///   - take: Takes each event, on the thread of the input.
    func start(
        _ descriptor: Int32, _ framing: MessageFraming, cancellation: (method: String, parameter: ExactText),
        _ take: @escaping @Sendable (Event) -> Void
    ) {
        let cancelled = cancelled
        PlainThread.start {
            var stream = MessageStream(framing)
            do throws(FramingFailure) {
                while let bytes = try? FileDescriptor.nextBytes(of: descriptor) {
                    stream.take(bytes)
                    while let message = try stream.next() {
                        let event = Self.event(message)
                        if case .message(.notification(cancellation.method, let parameters)) = event {
                            if let id = parameters[cancellation.parameter].flatMap(RPCID.init) { cancelled.add(id) }
                        } else {
                            take(event)
                        }
                    }
                }
                take(.end(nil))
            } catch {
                take(.end(error))
            }
        }
    }

    private static func event(_ bytes: [UInt8]) -> Event {
        do throws(RPCFailure) {
            return .message(try RPCMessage(bytes))
        } catch {
            return .failure(error)
        }
    }
}

/// Requests that a client has taken back before they were answered.
final class CancelledRequests: Sendable {
    // A client that takes back what was answered long ago must not fill the memory.
    private static let most = 1000
    private let state = Lock(State())

    private struct State {
        var ids: [RPCID] = []
        // Of those that are carried out.
        var running: [RPCID: Cancellation] = [:]
    }

    /// Notes a request that was taken back, and ends what is done for it.
    func add(_ id: RPCID) {
        state.withLock { state in
            state.running[id]?.request()
            state.ids.append(id)
            if state.ids.count > Self.most { state.ids.removeFirst() }
        }
    }

    /// The cancellation of the work for a request, which is asked for once the request is taken back.
    func cancellation(of id: RPCID) -> Cancellation {
        state.withLock { state in
            let cancellation = Cancellation()
            if state.ids.contains(id) { cancellation.request() }
            state.running[id] = cancellation
            return cancellation
        }
    }

    /// True if a request was taken back; asked once, when nothing is done for it any more.
    func take(_ id: RPCID) -> Bool {
        state.withLock { state in
            state.running[id] = nil
            guard let index = state.ids.firstIndex(of: id) else { return false }
            state.ids.remove(at: index)
            return true
        }
    }
}
