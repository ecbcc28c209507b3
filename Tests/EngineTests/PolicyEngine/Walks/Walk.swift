/// The engine and a reference side by side, after some events: a value, so that it can continue from there in every way.
protocol Walk {
    associatedtype Event: Sendable

    /// The events that can happen now, in the order in which they are tried.
    var events: [Event] { get }

    /// Lets an event happen to both.
    ///
    /// - Returns: In what they differ afterwards; `nil` where they agree.
    mutating func apply(_ event: Event) throws -> String?
}

extension Walk {
    /// Lets every sequence of events happen, and compares after every event.
    ///
    /// Sequences share their beginnings: what happened before they part happens once.
    ///
    /// - Parameter length: The number of events of a sequence.
    /// - Returns: The number of sequences, and the first difference with the events that led to it.
    func walk(_ length: Int) throws -> (sequences: Int, difference: String?) {
        if length == 0 { return (1, nil) }
        var sequences = 0
        for event in events {
            var next = self
            if let difference = try next.apply(event) { return (sequences, "\(event): \(difference)") }
            let rest = try next.walk(length - 1)
            sequences += rest.sequences
            if let difference = rest.difference { return (sequences, "\(event), \(difference)") }
        }
        return (sequences, nil)
    }
}
