package import PolicyEngine

/// What a change does to all that the clients of a scenario get (R19a).
package struct ClientChanges: Sendable {
    /// What was got at all, in the order of ``Kind``.
    package var parts: [Part] = []

    package init() {}

    /// What a client can get, in the order in which a headline names what changes for the worse.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A token; a valid one is good.
        case token
        /// A request; good where the backend accepts it.
        case request
        /// A secure string (R21.2).
        case secureString = "secure-string"
        /// A token with claims of the app's (R21.3).
        case customToken = "custom-jwt"
        /// A proof of a measurement (R22.2); good where it matches.
        case proof
    }

    /// Whether a client gets something better or worse than before.
    package enum Effect: String, Hashable, Sendable, CaseIterable {
        /// What was good is not.
        case worse
        /// What was not good is.
        case better
        /// It is another one, and as good or as bad.
        case other
    }

    /// All of one kind.
    package struct Part: Sendable {
        package let kind: Kind
        /// How many of them were compared, and of how many devices.
        package var events = 0
        package var devices = 0
        /// Of how many devices some change for the worse, and for the better; how many do.
        package var worse = Count()
        package var better = Count()
        /// What differs; the worse first, of these the commonest.
        package var differences: [Difference] = []

        package init(_ kind: Kind) { self.kind = kind }
    }

    /// How many, of how many devices.
    package struct Count: Hashable, Sendable {
        package var events = 0
        package var devices = 0

        package init() {}
    }

    /// What came instead of something.
    package struct Difference: Hashable, Sendable {
        package let effect: Effect
        /// How it ended on both sides, in the words of the SDK or of scenarios.
        package let before: String
        package let after: String
        package var count = Count()
        /// The first device.
        package let example: DeviceID

        package init(_ effect: Effect, before: String, after: String, example: DeviceID) {
            (self.effect, self.before, self.after, self.example) = (effect, before, after, example)
        }
    }

    /// What was got of a kind; `nil` where nobody asked.
    package subscript(kind: Kind) -> Part? { parts.first { $0.kind == kind } }

    /// Those that change for the worse, in their order.
    package var worsening: [Part] { parts.filter { $0.worse.devices > 0 } }
}
