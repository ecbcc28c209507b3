internal import HTTP
internal import PolicyEngine

/// The parts of the service that do not answer (R20, R23.3, R23.4a).
struct OutageSettings: Hashable, Sendable {
    /// The start of the primary service's outage; `nil` if it answers.
    private(set) var start: Instant?
    /// True if the failover is out.
    private(set) var failover = false
    /// True if questions of backends are limited (R23.6).
    private(set) var isLimited = false

    /// True if the primary service has an outage.
    var primary: Bool { start != nil }

    /// When the failover takes over, where it has not noticed yet.
    func takeover(after time: Instant) -> Instant? {
        start.map(TokenService.failoverStart(afterOutageAt:)).flatMap { time < $0 ? $0 : nil }
    }

    /// The service that answers an attestation; `nil` for none.
    func server(at time: Instant) -> TokenService? {
        if !primary { return .primary }
        return failover || takeover(after: time) != nil ? nil : .failover
    }

    /// As `GET` and `PUT /outage` have it.
    var json: JSONValue {
        .ordered([
            ("primary", .boolean(primary)), ("failover", .boolean(failover)), ("limited", .boolean(isLimited)),
        ])
    }

    /// The names of the members.
    static let names: [ExactText] = ["primary", "failover", "limited"]

    /// Takes the members that are given; the others stay.
    ///
    /// - Parameter time: Now; an outage that lasts already does not start again.
    mutating func update(_ members: [JSONMember], at time: Instant) throws(Refusal) {
        for member in members {
            guard case .boolean(let value) = member.value else {
                throw .badField(member.name.text, "`\(member.name.text)` is true or false")
            }
            switch member.name {
            case "primary": start = value ? start ?? time : nil
            case "failover": failover = value
            case "limited": isLimited = value
            default:
                let names = Self.names.map { "`\($0.text)`" }.joined(separator: ", ")
                throw .badField(
                    member.name.text, "there is no member `\(member.name.text)`", hint: "there are \(names)")
            }
        }
    }
}
