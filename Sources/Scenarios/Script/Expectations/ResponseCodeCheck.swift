internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: the meaning of the response code (R12).
struct ResponseCodeCheck: FetchCheckKind, DecisionCheck {
    private let wanted: Wanted
    var reach: Set<AccountPart> { [] }

    private enum Wanted: Hashable {
        /// There is none (R12.4).
        case none
        /// This one, letter by letter.
        case code(String)
        /// One that means this; `nil` takes any flags.
        case meaning(passed: Bool, flags: Set<String>?)
    }

    private init(_ wanted: Wanted) { self.wanted = wanted }

    private static func word(_ passed: Bool) -> String { passed ? "passed" : "failed" }

    var text: String {
        switch wanted {
        case .none: return "none"
        case .code(let code): return code
        case .meaning(let passed, let flags):
            return ([Self.word(passed)] + (flags.map { [$0.sorted().bracketed] } ?? [])).joined(separator: " ")
        }
    }

    // The code is read as support would read it, with the account's secret alone.
    func mismatch(_ decision: Decision, in service: SimulatedService) -> ActualValue? {
        actual(decision, in: service).map { ActualValue(text: $0) }
    }

    private func actual(_ decision: Decision, in service: SimulatedService) -> String? {
        let code = service.responseCode(of: decision)
        switch wanted {
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

    // MARK: Loading

    static var forms: [(key: String, schema: JSONSchema)] {
        let (flags, status) = (JSONSchema.list(of: RuleForms.flag), JSONSchema.words(["passed", "failed"]))
        let form = JSONSchema.any(of: [
            .text(matching: "none|passed|failed|[A-Za-z2-7]{10,32}"),
            .object([("passed", flags)], required: ["passed"]), .object([("failed", flags)], required: ["failed"]),
            .object([("status", status), ("flags", flags)], required: ["status"]),
        ])
        return [("arc", form)]
    }

    // `passed`, `failed` or `none`; `{failed: [flags]}`, or `{status: failed, flags: [flags]}`, for exactly these flags; or the
    // code itself.
    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        let (node, accounts) = (entry.value, loader.names.accounts)
        if case .mapping = node.content { return meaning(node, accounts, &loader.reader).map(Self.init) }
        guard let text = loader.reader.text(node, "`arc`") else { return nil }
        switch text {
        case "none": return Self(.none)
        case "passed", "failed": return Self(.meaning(passed: text == "passed", flags: nil))
        default:
            if accounts.contains(where: { ResponseCodec(account: $0).meaning(of: text) != nil }) {
                return Self(.code(text.uppercased()))
            }
            loader.reader.error(
                "\(text.quoted) is neither a status nor a code of this account", at: node.position,
                hint: "`arc` is `passed`, `failed`, `none`, a code, or such as `{failed: [rooted]}`")
            return nil
        }
    }

    private static func meaning(_ node: Node, _ accounts: [Account], _ reader: inout DocumentReader) -> Wanted? {
        guard var fields = reader.mapping(node, "`arc`") else { return nil }
        let (passed, failed) = (fields.take("passed"), fields.take("failed"))
        let (status, flags) = (fields.take("status"), fields.take("flags"))
        fields.finish(&reader)
        switch (passed, failed, status) {
        case (let list?, nil, nil), (nil, let list?, nil):
            if let flags { reader.error("`flags` needs `status`", at: flags.position) }
            return .meaning(passed: passed != nil, flags: encodableNames(list, accounts, &reader))
        case (nil, nil, let status?):
            guard let text = reader.choice(status, "`status`", from: ["passed", "failed"]) else { return nil }
            return .meaning(passed: text == "passed", flags: flags.map { encodableNames($0, accounts, &reader) })
        default:
            reader.error("`arc` needs one of `passed`, `failed` and `status`", at: node.position)
            return nil
        }
    }

    // A flag that no code contains would never be found.
    private static func encodableNames(
        _ node: Node, _ accounts: [Account], _ reader: inout DocumentReader
    ) -> Set<String> {
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
