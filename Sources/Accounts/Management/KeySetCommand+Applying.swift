internal import Documents
internal import PolicyEngine

extension KeySetCommand {
    /// Carries the command out.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let algorithm, let id, let bits): try add(algorithm, id, bits, &account, in: context, &effect)
        case .list: effect.printed = KeySetText.list(of: account)
        case .remove(let id): try remove(id, &account, &effect)
        case .getPEM(let path, let id):
            let key = try Self.key(id, of: account)
            guard let text = key.publicPEM else {
                throw CommandError("key \(id.quoted) is a shared secret, of which there is no public half")
            }
            try effect.write(text, to: path, isSecret: false, in: context)
        case .getJWKS(let path):
            let keys = account.keys.keySet.keys
            let isSecret = keys.contains { $0.algorithm.isSymmetric }
            try effect.write(KeyJSON.keySet(keys), to: path, isSecret: isSecret, in: context)
        case .importKeys(let path, let id, let algorithm):
            let keys = try Self.keys(
                try context.text(ofFile: path, limit: TokenLimits.keyFileBytes), path, id, algorithm)
            for key in keys {
                effect.warn(key.weakness)
                try Self.append(key, to: &account)
            }
            effect.reported = [keys.count == 1 ? "private key imported" : "\(keys.count) private keys imported"]
        }
    }

    private func add(
        _ algorithm: TokenAlgorithm, _ id: String?, _ bits: Int?, _ account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        let name = account.keys.keySet.numbered(id).id
        let key: TokenKey
        do throws(TokenKeyError) {
            key = try TokenKey.new(algorithm, id: name, bits: bits, from: context.chance)
        } catch {
            throw CommandError(error.description, hint: Self.hint(for: error))
        }
        effect.warn(key.weakness)
        try Self.append(key, isNumbered: id == nil, to: &account)
        effect.reported = ["successfully added key"]
    }

    private static func append(
        _ key: TokenKey, isNumbered: Bool = false, to account: inout Account
    ) throws(CommandError) {
        do throws(KeySetError) {
            try account.keys.keySet.append(key, isNumbered: isNumbered)
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func hint(for error: TokenKeyError) -> String? {
        if case .notRepeatable = error {
            return "put the key into the key file: `scenario approov` can make or import it"
        }
        return nil
    }

    private func remove(_ id: String, _ account: inout Account, _ effect: inout CommandEffect) throws(CommandError) {
        _ = try Self.key(id, of: account)
        let domains = KeySetText.domains(of: id, in: account)
        guard domains.isEmpty else {
            throw CommandError(
                "key \(id.quoted) is in use by \(domains.map(\.quoted).joined(separator: ", "))",
                hint: "remove the API domains first")
        }
        do throws(KeySetError) {
            try account.keys.keySet.remove(id)
        } catch {
            throw CommandError(error.description)
        }
        effect.reported = ["key \(id) removed"]
    }
}

extension KeySetCommand {
    /// The key of a name.
    ///
    /// - Throws: ``CommandError`` where there is none, with the nearest.
    static func key(_ id: String, of account: Account) throws(CommandError) -> TokenKey {
        if let key = account.keys.keySet.key(named: id) { return key }
        let known = account.keys.keySet.ids
        throw CommandError(
            KeySetError.unknown(id, known: known).description, hint: Suggestion.hint(for: id, among: known))
    }

    // Manual, Importing Keys: private keys with `kid`, `alg` and `use`; or one in PEM, of which the command says them.
    private static func keys(
        _ text: String, _ path: String, _ id: String?, _ algorithm: TokenAlgorithm?
    ) throws(CommandError) -> [TokenKey] {
        let isPEM = text.hasPrefix("-----BEGIN ")
        guard isPEM == (id != nil), isPEM == (algorithm != nil) else {
            throw CommandError(
                isPEM ? "a key in PEM needs `-kid` and `-alg`" : "`-kid` and `-alg` go with a key in PEM only",
                hint: "a JSON Web Key says them itself, and PEM does not")
        }
        do throws(TokenKeyError) {
            guard let id, let algorithm else { return try TokenKey.keys(importing: text) }
            return [try TokenKey(pem: text, algorithm: algorithm, id: id).importable()]
        } catch {
            throw CommandError("\(path.quoted) cannot be imported: \(error)")
        }
    }
}
