internal import Accounts
internal import Documents
internal import PolicyEngine

// What is expected of tokens themselves.
extension ScenarioLoader {
    /// Reads what a token must be like.
    ///
    /// - Parameters:
    ///   - domain: What the fetch names; without a domain there is no one token.
    ///   - checkFlag: Notes an error for a flag that nobody knows.
    mutating func token(
        _ node: Node, domain: String?, checkFlag: (inout ScenarioLoader, String, SourcePosition) -> Void
    ) -> TokenExpectation? {
        guard var fields = reader.mapping(node, "`token`") else { return nil }
        guard let name = domain.flatMap(RequestedDomain.domain) else {
            reader.error(
                "`token` needs to know for which domain", at: node.position, hint: "add `domain` to the `fetch`")
            return nil
        }
        var token = TokenExpectation(domain: name)
        if let node = fields.take("alg") {
            token.algorithm = reader.choice(node, "`alg`", from: TokenAlgorithm.allCases.map(\.rawValue))
        }
        if let node = fields.take("kid") { token.keyID = reader.text(node, "`kid`").map(Self.presence) }
        if let node = fields.take("signature") {
            token.isValid = reader.choice(node, "`signature`", from: ["valid", "invalid"]).map { $0 == "valid" }
        }
        if let node = fields.take("claims") { token.claims = claims(node, checkFlag) }
        if fields.entries.isEmpty { reader.error("`token` says nothing to check", at: node.position) }
        fields.finish(&reader)
        return token
    }

    private static func presence(_ text: String) -> ClaimExpectation {
        switch text {
        case "none": .absent
        case "any": .present
        default: .text(text)
        }
    }

    private static let claimNames = ["exp", "did", "arc", "ip", "iss", "aud", "anno", "pay", "mskid"]

    private mutating func claims(
        _ node: Node, _ checkFlag: (inout ScenarioLoader, String, SourcePosition) -> Void
    ) -> [(name: String, value: ClaimExpectation)] {
        guard var fields = reader.mapping(node, "`claims`") else { return [] }
        if fields.entries.isEmpty { reader.error("`claims` says nothing to check", at: node.position) }
        var claims: [(name: String, value: ClaimExpectation)] = []
        for entry in fields.entries where Self.claimNames.contains(entry.key) {
            if let value = claim(entry.key, entry.value, checkFlag) { claims.append((entry.key, value)) }
        }
        fields.allow(Self.claimNames)
        fields.finish(&reader)
        return claims
    }

    private mutating func claim(
        _ name: String, _ node: Node, _ checkFlag: (inout ScenarioLoader, String, SourcePosition) -> Void
    ) -> ClaimExpectation? {
        let what = name.quoted
        if case .scalar(let text, _) = node.content, text == "none" || text == "any" { return Self.presence(text) }
        switch name {
        case "exp": return reader.instant(node, what).map { .instant($0) }
        case "anno":
            guard let texts = reader.texts(node, what) else { return nil }
            for (flag, position) in texts { checkFlag(&self, flag, position) }
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

extension ScenarioLoader {
    /// What a response code must be: `passed`, `failed` or `none`; `{failed: [flags]}`, or `{status: failed, flags:
    /// [flags]}`, for exactly these flags; or the code itself.
    mutating func responseCode(_ node: Node, _ accounts: [Account]) -> FetchExpectation.ResponseCodeCondition? {
        if case .mapping = node.content { return meaning(node, accounts) }
        guard let text = reader.text(node, "`arc`") else { return nil }
        switch text {
        case "none": return FetchExpectation.ResponseCodeCondition.none
        case "passed", "failed": return .meaning(passed: text == "passed", flags: nil)
        default:
            if accounts.contains(where: { ResponseCodec(account: $0).meaning(of: text) != nil }) {
                return .text(text.uppercased())
            }
            reader.error(
                "\(text.quoted) is neither a status nor a code of this account", at: node.position,
                hint: "`arc` is `passed`, `failed`, `none`, a code, or such as `{failed: [rooted]}`")
            return nil
        }
    }

    private mutating func meaning(_ node: Node, _ accounts: [Account]) -> FetchExpectation.ResponseCodeCondition? {
        guard var fields = reader.mapping(node, "`arc`") else { return nil }
        let (passed, failed) = (fields.take("passed"), fields.take("failed"))
        let (status, flags) = (fields.take("status"), fields.take("flags"))
        fields.finish(&reader)
        switch (passed, failed, status) {
        case (let list?, nil, nil), (nil, let list?, nil):
            if let flags { reader.error("`flags` goes with `status`", at: flags.position) }
            return .meaning(passed: passed != nil, flags: encodableNames(list, accounts))
        case (nil, nil, let status?):
            guard let text = reader.choice(status, "`status`", from: ["passed", "failed"]) else { return nil }
            return .meaning(passed: text == "passed", flags: flags.map { encodableNames($0, accounts) })
        default:
            reader.error("`arc` needs one of `passed`, `failed` and `status`", at: node.position)
            return nil
        }
    }

    // A flag that no code contains would never be found.
    private mutating func encodableNames(_ node: Node, _ accounts: [Account]) -> Set<String> {
        var names: Set<String> = []
        for (name, position) in reader.texts(node, "`flags`") ?? [] {
            let known = accounts.compactMap { account in account.catalogue.namedFlag(name).map { (account, $0) } }
            guard let (account, flag) = known.first else {
                _ = FlagLoader.flag(name, at: position, among: accounts.map(\.catalogue), &reader)
                continue
            }
            if !known.contains(where: { ResponseCodec(account: $0).encodableFlags.contains($1) }) {
                reader.error("no response code contains flag \(name.quoted)", at: position)
            }
            names.insert(account.catalogue[flag].name)
        }
        return names
    }
}
