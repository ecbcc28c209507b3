package import PolicyEngine

/// The attestations whose verdict a change turns one way.
package struct ChangeFigures: Sendable {
    /// The number of attestations, or of fetches of a scenario.
    package var events = 0
    /// The number of attestations among them.
    package var attestations = 0
    /// The number of their devices.
    package var devices = 0
    /// The fetches by those devices, where a capture of fetches weighs them; of a scenario, those that change.
    package var fetches: Int?
    /// By what they have in common; in each the largest first.
    package var splits: [Split] = []
    /// One device for each different reason, the commonest reasons first.
    package var examples: [Example] = []
    /// Which devices they are, so that a later comparison knows them.
    package var known = KnownDevices([])

    /// The maximum number of examples that are kept.
    package static let exampleLimit = 10

    /// The devices whose verdict changes, as long as there are not too many to be named.
    package struct KnownDevices: Hashable, Sendable {
        /// In no order; `nil` where there are more than ``limit``.
        package private(set) var all: [DeviceID]?

        /// The maximum number of devices that are named.
        package static let limit = 100_000

        package init(_ devices: some Collection<DeviceID>) {
            all = devices.count <= Self.limit ? Array(devices) : nil
        }

        /// None, because there are too many.
        static var tooMany: KnownDevices {
            var devices = KnownDevices([])
            devices.all = nil
            return devices
        }

        /// Adds other devices.
        mutating func add(_ other: KnownDevices) {
            let both = all.flatMap { mine in other.all.map { mine + $0 } } ?? []
            let isNamed = all != nil && other.all != nil && both.count <= Self.limit
            all = isNamed ? both : nil
        }
    }

    /// A kind of cause that changes are split by, and the parts.
    package struct Split: Sendable {
        /// `flag`, `filter`, `other`, `app`, `version` or `system`.
        package var kind: String
        package var parts: [Part]
    }

    /// One part of a split.
    package struct Part: Hashable, Sendable {
        package var name: String
        package var events: Int
        package var attestations: Int
        package var devices: Int
        /// The first device, and the number of its attestation.
        package var example: DeviceID
        package var index: Int
    }

    /// A device, and why its verdict changes.
    package struct Example: Hashable, Sendable {
        /// The number of the attestation.
        package var index: Int
        package var device: DeviceID
        package var time: Instant
        /// The number of attestations, or of fetches of a scenario, that changed for the same reasons.
        package var events: Int
        /// The number of attestations among them.
        package var attestations: Int
        package var flags: [String]
        package var before: Side
        package var after: Side
    }

    /// The decision of one side on an example.
    package struct Side: Hashable, Sendable {
        /// True if there is a valid token.
        package var isValid: Bool
        /// The policy applied; empty where there is no token.
        package var policy: String
        /// Why there is none, or not a valid one.
        package var reasons: [Reason]
    }

    /// Why one side gives no valid token.
    package enum Reason: Hashable, Sendable {
        /// The token is not valid for this cause.
        case rejection(Rejection)
        /// There is no token, or not what a call asked for; it ended so for the app.
        case result(CallResult)

        /// The name of the cause, such as `filter:myip`, or `result:NO_NETWORK`.
        package var name: String {
            switch self {
            case .rejection(let rejection): rejection.name
            case .result(let result): "result:\(result.name)"
            }
        }
    }
}

extension ChangeFigures {
    /// Adds the figures of other devices.
    mutating func add(_ other: ChangeFigures) {
        events += other.events
        attestations += other.attestations
        devices += other.devices
        if let otherFetches = other.fetches { fetches = (fetches ?? 0) + otherFetches }
        for split in other.splits { add(split) }
        for example in other.examples { add(example) }
        known.add(other.known)
    }

    private mutating func add(_ other: Split) {
        guard let index = splits.firstIndex(where: { $0.kind == other.kind }) else { return splits.append(other) }
        var known: [ExactText: Int] = [:]
        for (number, part) in splits[index].parts.enumerated() { known[ExactText(part.name)] = number }
        for part in other.parts {
            if let same = known[ExactText(part.name)] {
                splits[index].parts[same].add(part)
            } else {
                splits[index].parts.append(part)
            }
        }
    }

    private mutating func add(_ other: Example) {
        let same = examples.firstIndex { $0.before == other.before && $0.after == other.after }
        guard let same else { return examples.append(other) }
        let (mine, counted) = (examples[same], examples[same].index > other.index ? other : examples[same])
        examples[same] = counted
        examples[same].events = mine.events + other.events
        examples[same].attestations = mine.attestations + other.attestations
    }

    mutating func finish() {
        let kinds = ChangeCause.Kind.allCases.map(\.rawValue)
        splits.sort { (kinds.firstIndex(of: $0.kind) ?? 0) < (kinds.firstIndex(of: $1.kind) ?? 0) }
        for index in splits.indices { splits[index].parts.sort(by: Self.isLarger) }
        // Those of equal count are in the order of first sight.
        examples.sort { ($1.events, $0.index) < ($0.events, $1.index) }
        examples = Array(examples.prefix(Self.exampleLimit))
    }

    private static func isLarger(_ left: Part, _ right: Part) -> Bool {
        if left.devices != right.devices { return left.devices > right.devices }
        if left.events != right.events { return left.events > right.events }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

extension ChangeFigures.Part {
    fileprivate mutating func add(_ other: ChangeFigures.Part) {
        events += other.events
        attestations += other.attestations
        devices += other.devices
        if other.index < index { (example, index) = (other.example, other.index) }
    }
}
