internal import Accounts
internal import Documents
internal import PolicyEngine

/// Reads what a response code must be (R12).
enum ResponseCodeLoader {
    /// Reads what a response code must be: `passed`, `failed` or `none`; `{failed: [flags]}`, or `{status: failed, flags:
    /// [flags]}`, for exactly these flags; or the code itself.
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - accounts: Those whose codes it may be.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error.
    static func load(
        _ node: Node, _ accounts: [Account], _ reader: inout DocumentReader
    ) -> FetchExpectation.ResponseCodeCondition? {
        if case .mapping = node.content { return meaning(node, accounts, &reader) }
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

    private static func meaning(
        _ node: Node, _ accounts: [Account], _ reader: inout DocumentReader
    ) -> FetchExpectation.ResponseCodeCondition? {
        guard var fields = reader.mapping(node, "`arc`") else { return nil }
        let (passed, failed) = (fields.take("passed"), fields.take("failed"))
        let (status, flags) = (fields.take("status"), fields.take("flags"))
        fields.finish(&reader)
        switch (passed, failed, status) {
        case (let list?, nil, nil), (nil, let list?, nil):
            if let flags { reader.error("`flags` goes with `status`", at: flags.position) }
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
