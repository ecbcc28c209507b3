internal import Dispatch
internal import Documents
internal import PolicyEngine

/// The end of a conversation.
package enum ConversationEnd: Hashable, Sendable {
    /// The client said so; with the status of the process.
    case exit(Int32)
    /// The client is gone.
    case gone
    /// The client cannot be understood, or nothing can be written to it.
    case failed(String)
}

/// A conversation with work that is done beside it, one piece at a time in each lane.
protocol Conversation: SendableMetatype {
    associatedtype Work: Sendable
    associatedtype Outcome: Sendable

    /// The form of messages.
    static var framing: MessageFraming { get }
    /// The notification that takes a request back, and the parameter with its ID.
    static var cancellation: (method: String, parameter: ExactText) { get }
    /// The status with which the process ends, once the client has said so.
    var exitStatus: Int32? { get }

    /// Takes a message; gives those for the client.
    mutating func accept(_ message: RPCMessage) -> [JSONValue]
    /// The next piece of work of a lane; `nil` if there is none.
    mutating func nextWork(_ lane: WorkLane) -> Work?
    /// Does a piece of work, on a thread of its own.
    ///
    /// - Parameter cancelled: The requests that the client takes back.
    static func run(_ work: Work, _ cancelled: CancelledRequests) -> Outcome
    /// Takes the outcome of work; gives the messages for the client.
    ///
    /// - Parameter cancelled: The requests that the client has taken back.
    mutating func accept(_ outcome: Outcome, _ cancelled: CancelledRequests) -> [JSONValue]
}

extension Conversation {
    /// Talks to the client at the other end of two streams until it goes.
    ///
    /// Work begins only while no message waits, so that a burst of changes is checked once.
    mutating func talk(_ input: Int32, _ output: Int32) -> ConversationEnd {
        let (queue, cancelled) = (EventQueue<ClientEvent<Outcome>>(), CancelledRequests())
        let reading = MessageInput(cancelled: cancelled)
        reading.start(input, Self.framing, cancellation: Self.cancellation) { queue.add(.input($0)) }
        var idle = Set(WorkLane.allCases)
        while true {
            var replies: [JSONValue] = []
            switch queue.next() {
            case .input(.end(nil)): return .gone
            case .input(.end(let failure?)): return .failed(failure.description)
            case .input(.failure(let failure)): replies = [RPCReply.failure(failure, of: nil)]
            case .input(.message(.request(let id, _, _))) where cancelled.take(id):
                replies = [RPCReply.failure(RPCFailure(.cancelled, "the request was cancelled"), of: id)]
            case .input(.message(let message)): replies = accept(message)
            case .done(let outcome, let lane):
                idle.insert(lane)
                replies = accept(outcome, cancelled)
            }
            for reply in replies {
                do throws(FileFailure) {
                    try FileDescriptor.write(MessageStream.framed(reply.bytes, Self.framing), to: output)
                } catch {
                    return .failed("\(error)")
                }
            }
            if let exitStatus { return .exit(exitStatus) }
            for lane in WorkLane.allCases where idle.contains(lane) && queue.isEmpty {
                guard let work = nextWork(lane) else { continue }
                idle.remove(lane)
                PlainThread.start { queue.add(.done(Self.run(work, cancelled), lane)) }
            }
        }
    }
}

/// An event of a conversation.
private enum ClientEvent<Outcome: Sendable>: Sendable {
    case input(MessageInput.Event)
    case done(Outcome, WorkLane)
}

extension LanguageSession: Conversation {
    static let framing = MessageFraming.header
    static let cancellation = (method: "$/cancelRequest", parameter: ExactText("id"))

    static func run(_ work: EditorWork, _: CancelledRequests) -> EditorWork.Outcome { work.run() }

    mutating func accept(_ outcome: EditorWork.Outcome, _: CancelledRequests) -> [JSONValue] { accept(outcome) }

    /// Serves an editor until it goes.
    ///
    /// - Parameter captures: The captures that the settings name for the files of a folder.
    package static func serve(
        _ input: Int32, _ output: Int32, version: String, captures: @escaping @Sendable (_ folder: String) -> [String]
    ) -> ConversationEnd {
        var session = LanguageSession(version: version, captures: captures)
        return session.talk(input, output)
    }
}

extension ToolSession: Conversation {
    static let framing = MessageFraming.line
    static let cancellation = (method: "notifications/cancelled", parameter: ExactText("requestId"))
    var exitStatus: Int32? { nil }

    static func run(_ work: ToolWork, _ cancelled: CancelledRequests) -> ToolOutcome {
        ToolOutcome(id: work.id, result: cancelled.cancellation(of: work.id).ending { work.run() })
    }

    // A call that was taken back has no answer.
    mutating func accept(_ outcome: ToolOutcome, _ cancelled: CancelledRequests) -> [JSONValue] {
        cancelled.take(outcome.id) ? [] : [RPCReply.result(outcome.result, of: outcome.id)]
    }

    /// Serves an agent until it goes.
    package mutating func serve(_ input: Int32, _ output: Int32) -> ConversationEnd { talk(input, output) }
}

/// Pieces of work that are done one after another, beside those of the other lane.
package enum WorkLane: CaseIterable, Sendable {
    /// Work for which a client waits.
    case quick
    /// Work that may take minutes.
    case slow
}

/// Work that is done beside the conversation.
package enum EditorWork: Sendable {
    case check(LintWork)
    case run(ScenarioRunWork)
    case count(MatchCountWork)

    /// The outcome of such work.
    package enum Outcome: Sendable {
        case checked(LintWork.Outcome)
        case ran(ScenarioRunWork.Outcome)
        case counted(MatchCountWork.Outcome)
    }

    /// Does the work.
    package func run() -> Outcome {
        switch self {
        case .check(let work): .checked(work.run())
        case .run(let work): .ran(work.run())
        case .count(let work): .counted(work.run())
        }
    }
}

/// Values that threads hand to one thread, in their order.
final class EventQueue<Event: Sendable>: Sendable {
    private let events = Lock<[Event]>([])
    private let count = DispatchSemaphore(value: 0)

    /// Adds a value.
    func add(_ event: Event) {
        events.withLock { $0.append(event) }
        count.signal()
    }

    /// The next value; waits until there is one.
    func next() -> Event {
        while true {
            count.wait()
            if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
        }
    }

    /// True if no value waits.
    var isEmpty: Bool { events.withLock { $0.isEmpty } }
}
