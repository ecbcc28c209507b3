package import PolicyEngine

/// The effects of a change on all that the clients of a scenario get (R19a).
package struct ClientChanges: Sendable {
    /// The kinds of which clients got anything at all, in the order of ``Kind``.
    package var parts: [Part] = []

    package init() {}

    /// The kinds of what a client can get, in the order in which a headline names changes for the worse.
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

    /// The effect of a change on one thing that a client gets.
    package enum Effect: String, Hashable, Sendable, CaseIterable {
        /// It was good before the change, and is not after it.
        case worse
        /// It was not good before the change, and is after it.
        case better
        /// It is another one, and as good or as bad.
        case other
    }

    /// All of one kind.
    package struct Part: Sendable {
        package let kind: Kind
        /// The number of events that were compared, and the number of their devices.
        package var events = 0
        package var devices = 0
        /// The events that change for the worse, and those that change for the better.
        package var worse = Count()
        package var better = Count()
        /// The events that are as good or as bad as before, with another result.
        package var other = Count()
        /// The differences; those for the worse first, of these the commonest.
        package var differences: [Difference] = []

        package init(_ kind: Kind) { self.kind = kind }

        /// The events that change in one way.
        package subscript(effect: Effect) -> Count {
            switch effect {
            case .worse: worse
            case .better: better
            case .other: other
            }
        }
    }

    /// A number of events, and the number of their devices.
    package struct Count: Hashable, Sendable {
        package var events = 0
        package var devices = 0

        package init() {}
    }

    /// A difference between what both sides gave.
    package struct Difference: Hashable, Sendable {
        package let effect: Effect
        /// The results on both sides, in the words of the SDK or of scenarios.
        package let before: String
        package let after: String
        package var count = Count()
        /// The first device.
        package let example: DeviceID

        package init(_ effect: Effect, before: String, after: String, example: DeviceID) {
            (self.effect, self.before, self.after, self.example) = (effect, before, after, example)
        }
    }

    /// The part of a kind; `nil` where nobody asked for one.
    package subscript(kind: Kind) -> Part? { parts.first { $0.kind == kind } }

    /// The parts in which something changes in one way, in their order.
    package func changing(_ effect: Effect) -> [Part] { parts.filter { $0[effect].devices > 0 } }
}
