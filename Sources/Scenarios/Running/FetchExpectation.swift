internal import Documents
internal import PolicyEngine
internal import Replay

/// What must hold of the fetches of a step.
package struct FetchExpectation: Sendable {
    /// Which of the fetches it is about.
    let target: Target
    let position: SourcePosition
    let checks: [Check]
    /// Whether it may hold because nothing happened.
    var allowsVacuous = false

    enum Target: Hashable, Sendable {
        /// Every fetch of the step.
        case all
        /// The fetches of a group, by its place.
        case group(Int)
        /// The fetches of one device.
        case device(DeviceID)
    }

    /// One key of the expectation and its value.
    struct Check: Sendable {
        /// The key, for messages.
        let name: String
        let position: SourcePosition
        let condition: Condition
    }

    enum Condition: Sendable {
        /// Of each fetch: the token's verdict.
        case verdict(passed: Bool)
        /// Of each fetch: the client's status.
        case result(FetchResult)
        /// Of each fetch: the policy that was applied.
        case policy(String)
        /// Of each fetch: the token's lifetime in seconds.
        case lifetime(Int)
        /// Of each fetch: exactly these names, in any order.
        case exactly(Aspect, Set<String>)
        /// Of each fetch: no annotation at all (R5.3).
        case noAnnotations
        /// Of each fetch: what the response code means (R12).
        case responseCode(ResponseCodeCondition)
        /// Of each fetch: the token itself.
        case token(TokenExpectation)
        /// Of all fetches: how many there are of a kind.
        case count(CountKind, CountRange)
        /// Of all fetches: how many devices have each name.
        case devices(Aspect, [(name: String, count: CountRange)])
    }

    /// What a response code must be.
    enum ResponseCodeCondition: Hashable, Sendable {
        /// There is none (R12.4).
        case none
        /// This one, letter by letter.
        case text(String)
        /// One that means this; `nil` takes any flags.
        case meaning(passed: Bool, flags: Set<String>?)
    }

    /// The names that an attestation carries.
    enum Aspect: String, Hashable, Sendable, CaseIterable {
        case rejections, flags, annotations, filters
    }

    /// The kinds of fetch that are counted.
    enum CountKind: String, Hashable, Sendable, CaseIterable {
        case pass, fail, attested, cached
    }
}
