internal import Accounts
internal import Documents
internal import PolicyEngine

/// Reads what is expected of tokens themselves.
enum TokenExpectationLoader {
    /// Reads what a token must be like.
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - step: The step; a fetch without a domain brings no one token.
    ///   - known: The names that may be used.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error.
    static func load(
        _ node: Node, of step: ExpectingStep, _ known: ExpectedNames, _ reader: inout DocumentReader
    ) -> TokenExpectation? {
        guard var fields = reader.mapping(node, "`token`") else { return nil }
        let name = step.domain.flatMap(RequestedDomain.domain)
        guard name != nil || step.bringsCustomToken else {
            reader.error(
                "`token` needs to know for which domain", at: node.position, hint: "add `domain` to the `fetch`")
            return nil
        }
        var token = TokenExpectation(
            domain: name, isMeasured: step.domain.map(RequestedDomain.asksForMeasurement) ?? false)
        if let node = fields.take("alg") {
            token.algorithm = reader.choice(node, "`alg`", from: TokenAlgorithm.allCases.map(\.rawValue))
        }
        if let node = fields.take("kid") { token.keyID = reader.text(node, "`kid`").map(presence) }
        if let node = fields.take("signature") {
            token.isValid = reader.choice(node, "`signature`", from: ["valid", "invalid"]).map { $0 == "valid" }
        }
        if let node = fields.take("claims") {
            token.claims = claims(node, known, named: step.bringsCustomToken ? nil : claimNames, &reader)
        }
        if fields.entries.isEmpty { reader.error("`token` says nothing to check", at: node.position) }
        fields.finish(&reader)
        return token
    }

    /// Reads what the form of a token must be like that apps may log (R14.6).
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - step: The step; a fetch without a domain brings no one token.
    ///   - known: The names that may be used.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error.
    static func loggable(
        _ node: Node, of step: ExpectingStep, _ known: ExpectedNames, _ reader: inout DocumentReader
    ) -> LoggableExpectation? {
        guard var fields = reader.mapping(node, "`loggable`") else { return nil }
        guard let text = step.domain, let domain = RequestedDomain.domain(of: text) else {
            reader.error(
                "`loggable` needs to know for which domain", at: node.position, hint: "add `domain` to the `fetch`")
            return nil
        }
        var wanted = LoggableExpectation(domain: domain, isMeasured: RequestedDomain.asksForMeasurement(text))
        if let node = fields.take("error") { wanted.error = reader.text(node, "`error`").map(presence) }
        if let node = fields.take("check") {
            wanted.isPassed = reader.choice(node, "`check`", from: ["passed", "failed"]).map { $0 == "passed" }
        }
        if let node = fields.take("claims") {
            wanted.claims = claims(node, known, named: claimNames + ["sip"], &reader)
        }
        if fields.entries.isEmpty { reader.error("`loggable` says nothing to check", at: node.position) }
        fields.finish(&reader)
        return wanted
    }

    private static func presence(_ text: String) -> ClaimExpectation {
        switch text {
        case "none": .absent
        case "any": .present
        default: .text(text)
        }
    }

    static let claimNames = [
        "exp", "did", "arc", "ip", "iss", "aud", "anno", "pay", "mskid", "imh", "dmh", "mpk",
    ]

    // Without names, any claim will do.
    private static func claims(
        _ node: Node, _ known: ExpectedNames, named names: [String]?, _ reader: inout DocumentReader
    ) -> [(name: String, value: ClaimExpectation)] {
        guard var fields = reader.mapping(node, "`claims`") else { return [] }
        if fields.entries.isEmpty { reader.error("`claims` says nothing to check", at: node.position) }
        var claims: [(name: String, value: ClaimExpectation)] = []
        for entry in fields.entries where names?.contains(entry.key) ?? true {
            let isApps = names == nil && !formedClaims.contains(entry.key)
            let value = isApps ? appClaim(entry.value) : claim(entry.key, entry.value, known, &reader)
            if let value { claims.append((entry.key, value)) }
        }
        fields.allow(names ?? fields.entries.map(\.key))
        fields.finish(&reader)
        return claims
    }

    // The claims that are written in a form of their own.
    private static let formedClaims = ["exp", "anno", "pay"]

    // R21.3: a claim of the app's is of any JSON type.
    private static func appClaim(_ node: Node) -> ClaimExpectation {
        if case .scalar(let text, _) = node.content, text == "none" || text == "any" { return presence(text) }
        return .json(JSONContent(node))
    }

    private static func claim(
        _ name: String, _ node: Node, _ known: ExpectedNames, _ reader: inout DocumentReader
    ) -> ClaimExpectation? {
        let what = name.quoted
        if case .scalar(let text, _) = node.content, text == "none" || text == "any" { return presence(text) }
        switch name {
        case "exp": return reader.instant(node, what).map { .instant($0) }
        case "anno":
            guard let texts = reader.texts(node, what) else { return nil }
            for (flag, position) in texts { known.checkFlag(flag, at: position, &reader) }
            return .texts(Set(texts.map(\.text)))
        case "pay":
            guard case .mapping = node.content else { return reader.text(node, what).map { .text($0) } }
            guard var fields = reader.mapping(node, what) else { return nil }
            let data = fields.require("data", &reader).flatMap { reader.text($0, "`data`") }
            fields.finish(&reader)
            return data.map { .text(TokenClaims.hash(of: $0)) }
        default: return reader.text(node, what).map { .text($0) }
        }
    }
}
