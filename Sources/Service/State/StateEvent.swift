internal import Documents
package import PolicyEngine

/// Something that changed the service, as it is kept: what follows from it follows again when it is carried out again.
package struct StateEvent: Hashable, Sendable {
    package let kind: Kind
    /// When it happened, by the service's clock.
    package let time: Instant
    /// The content: the record of an attestation, or JSON.
    package let body: [UInt8]

    /// The kind of an event.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An attestation that the primary service answered.
        case attestation
        /// One that the failover answered.
        case failover
        /// A management command.
        case command
        /// A report of misuse that is kept.
        case report
        /// The parts of the service that answer changed.
        case outage
        /// The chains that API domains present changed.
        case backends
        /// The clock was moved.
        case clock
    }

    init(_ kind: Kind, at time: Instant, _ body: [UInt8]) {
        (self.kind, self.time, self.body) = (kind, time, body)
    }
}

/// The sum over all events of a state: it says of each that it is as it was written, and that none is missing before it (R23.5).
struct StateChain: Hashable, Sendable {
    /// The number of events.
    private(set) var count = 0
    /// The sum of all of them.
    private(set) var sum: [UInt8]

    /// The chain of a state in which nothing happened.
    ///
    /// - Parameter origin: The digest of the account that the events depend on.
    init(origin: String) { sum = Cryptography.sha256(of: Array(origin.utf8)) }

    /// Continues where a state ended.
    init(count: Int, sum: [UInt8]) { (self.count, self.sum) = (count, sum) }

    /// The chain with one more event.
    ///
    /// - Complexity: O(length of the event).
    func adding(_ event: StateEvent) -> StateChain {
        let time = UInt64(bitPattern: Int64(event.time.secondsSinceEpoch))
        // No kind has a zero in it, and a time has eight bytes, so no two events are the same here.
        let seconds = (0..<8).map { UInt8(truncatingIfNeeded: time >> (UInt64($0) * 8)) }
        return StateChain(
            count: count + 1,
            sum: Cryptography.sha256(of: sum + Array(event.kind.rawValue.utf8) + [0] + seconds + event.body))
    }
}

/// Why the state of a service cannot be kept or read.
package enum StateFailure: DescribedError, Hashable {
    /// A name that SQLite takes for something else than a file.
    case badName(String)
    /// Others than the owner may read the file, or change it.
    case readable(String)
    /// The file is none of ours.
    case noState
    /// It was written by another version.
    case otherForm(Int)
    /// It is that of another account, or of the account as it was.
    case otherAccount
    /// Another process uses it.
    case inUse
    /// Something in it makes no sense.
    case unsound(String)
    /// The system or SQLite refuses, in its words.
    case refused(String)

    package var description: String {
        switch self {
        case .badName(let name): "\(name.quoted) is not a file name that can be used here"
        case .readable(let path): "others may read \(path.quoted), and it contains keys"
        case .noState: "the file is not the state of a service"
        case .otherForm(let form): "the state has the form \(form), which this version does not read"
        case .otherAccount: "the state belongs to another account, or to the account before it was edited"
        case .inUse: "another process uses the state"
        case .unsound(let what): "the state is damaged: \(what)"
        case .refused(let reason): "the state cannot be written: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .otherAccount: "decisions depend on the account; begin with a new file"
        case .noState, .unsound: "begin with a new file"
        case .badName: "a path such as ./state"
        case .readable: "`chmod 600` leaves it to its owner"
        case .otherForm, .inUse, .refused: nil
        }
    }
}
