internal import Dispatch
internal import Documents

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
