internal import Accounts
internal import Documents
internal import PolicyEngine

/// The expected response code of an attestation (R12).
private enum ResponseCodeExpectation: Sendable, CustomStringConvertible {
    /// The attestation has no code (R12.4).
    case none
    /// This one, letter by letter.
    case code(String)
    /// One that means this; `nil` takes any flags.
    case meaning(passed: Bool, flags: Set<String>?)

    var description: String {
        switch self {
        case .none: "none"
        case .code(let code): code
        case .meaning(let passed, let flags):
            ([Self.word(passed)] + (flags.map { [$0.sorted().bracketed] } ?? [])).joined(separator: " ")
        }
    }

    private static func word(_ passed: Bool) -> String { passed ? "passed" : "failed" }

    /// The actual code or its meaning, where it differs. It is read as support would read it, with the account's secret alone.
    func mismatch(_ decision: Decision, in service: SimulatedService) -> String? {
        let code = service.responseCode(of: decision)
        switch self {
        case .none: return code
        case .code(let wanted): return code == wanted ? nil : code ?? "none"
        case .meaning(let passed, let flags):
            guard let code else { return "none" }
            guard let meaning = service.responseCodeMeaning(code, of: decision) else { return "\(code), arc invalid" }
            let names = service.symbols.catalogue.names(of: meaning.flags)
            let holds = meaning.passed == passed && (flags.map { $0.exactTexts == names.exactTexts } ?? true)
            return holds ? nil : "\(Self.word(meaning.passed)) \(names.bracketed)"
        }
    }
}

extension Check {
    /// The meaning of the response code, or the code itself.
    static let responseCode = Check(
        key: "arc", help: "The response code: passed, failed, none, a code, or the flags that it holds."
    ) { context in
        ValueForm<ResponseCodeExpectation>.responseCode(of: context.names.accounts).map { expected in
            .ofDecision(expected.description) { decision, service in
                expected.mismatch(decision, in: service).map { ActualValue(text: $0) }
            }
        }
    }
}

extension ValueForm<ResponseCodeExpectation> {
    private static let statuses = ["passed", "failed"]

    // `passed`, `failed` or `none`; `{failed: [flags]}`, or `{status: failed, flags: [flags]}`, for exactly these flags; or the
    // code itself.
    fileprivate static func responseCode(of accounts: [Account]) -> ValueForm {
        let flags = ValueForm<[String]>.texts(of: .encodableFlag(of: accounts)).schema
        let schema = JSONSchema.any(of: [
            .text(matching: "none|passed|failed|[A-Za-z2-7]{10,32}"),
            .object(
                [("passed", flags.described(as: "The flags that the response code of a device that passed holds."))],
                required: ["passed"]),
            .object(
                [("failed", flags.described(as: "The flags that the response code of a device that failed holds."))],
                required: ["failed"]),
            .object(
                [
                    ("status", .words(statuses).described(as: "The verdict that the response code holds.")),
                    ("flags", flags.described(as: "The flags that the response code holds.")),
                ], required: ["status"]),
        ])
        return ValueForm(schema) { node, what, reader in
            if node.isMapping { return meaning(node, what, accounts, &reader) }
            guard let text = reader.text(node, what) else { return nil }
            if text == "none" { return .some(.none) }
            if statuses.contains(text) { return .meaning(passed: text == "passed", flags: nil) }
            if accounts.contains(where: { ResponseCodec(account: $0).meaning(of: text) != nil }) {
                return .code(text.uppercased())
            }
            reader.error(
                "\(text.quoted) is neither a status nor a code of this account", at: node.position,
                hint: "`arc` is `passed`, `failed`, `none`, a code, or such as `{failed: [rooted]}`")
            return nil
        }
    }

    private static func meaning(
        _ node: Node, _ what: String, _ accounts: [Account], _ reader: inout DocumentReader
    ) -> ResponseCodeExpectation? {
        guard var fields = reader.mapping(node, what) else { return nil }
        let (passed, failed) = (fields.take("passed"), fields.take("failed"))
        let (status, flags) = (fields.take("status"), fields.take("flags"))
        fields.finish(&reader)
        func names(_ node: Node) -> Set<String> {
            Set(ValueForm<[String]>.texts(of: .encodableFlag(of: accounts)).read(node, "`flags`", &reader) ?? [])
        }
        switch (passed, failed, status) {
        case (let list?, nil, nil), (nil, let list?, nil):
            if let flags { reader.error("`flags` needs `status`", at: flags.position) }
            return .meaning(passed: passed != nil, flags: names(list))
        case (nil, nil, let status?):
            guard let text = reader.choice(status, "`status`", from: statuses) else { return nil }
            return .meaning(passed: text == "passed", flags: flags.map(names))
        default:
            reader.error("\(what) needs one of `passed`, `failed` and `status`", at: node.position)
            return nil
        }
    }
}

extension ValueForm<String> {
    // A flag that no code contains would never be found.
    fileprivate static func encodableFlag(of accounts: [Account]) -> ValueForm {
        ValueForm(RuleForms.flag) { node, _, reader in
            guard let name = node.text else { return nil }
            let known = accounts.compactMap { account in account.catalogue.namedFlag(name).map { (account, $0) } }
            guard let (account, flag) = known.first else {
                _ = FlagLoader.flag(name, at: node.position, among: accounts.map(\.catalogue), &reader)
                return nil
            }
            if !known.contains(where: { ResponseCodec(account: $0).encodableFlags.contains($1) }) {
                reader.error("no response code contains flag \(name.quoted)", at: node.position)
            }
            return account.catalogue[flag].name
        }
    }
}
