internal import PolicyEngine

/// What of the service does not answer (R20, R23.3).
struct Outage: Hashable, Sendable {
    /// Whether the primary service is out.
    var primary = false
    /// Whether the failover is out.
    var failover = false
    /// Whether questions of backends are limited (R23.6).
    var isLimited = false

    /// Who answers an attestation; `nil` for nobody.
    var server: TokenService? {
        if !primary { return .primary }
        return failover ? nil : .failover
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
    /// - Throws: ``Refusal``.
    mutating func take(_ members: [JSONMember]) throws(Refusal) {
        for member in members {
            guard case .boolean(let value) = member.value else {
                throw .badField(member.name.text, "`\(member.name.text)` is true or false")
            }
            switch member.name {
            case "primary": primary = value
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
