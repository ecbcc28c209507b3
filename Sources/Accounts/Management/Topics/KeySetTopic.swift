internal import Documents
package import PolicyEngine

/// The topic `keyset`: keys with which tokens of single API domains are made (manual, Managing Key Sets).
package enum KeySetTopic: ManagementTopic {
    case add(TokenAlgorithm, id: String?, bits: Int?)
    case list
    case remove(id: String)
    case getPEM(file: String, id: String)
    case getJWKS(file: String)
    /// `-import file`; PEM holds neither the ID of a key nor its algorithm, so `-kid name -alg algorithm` give them
    case importKeys(file: String, id: String?, TokenAlgorithm?)

    static let name = "keyset"

    static let actions: [CommandAction] = [
        action(
            "-add", "algorithm, such as `RS256`", for: .developers, changes: true,
            options: [keyName, CommandOption("-keyLength", .text)]
        ) { call throws(CommandError) in
            let algorithm: TokenAlgorithm = try call.word()
            let bits = try bits(call)
            if let id = call.value("-kid"), !TokenLimits.isKeyID(id) { throw CommandError(TokenKeyError.invalidID) }
            return .add(algorithm, id: call.value("-kid"), bits: bits)
        },
        action("-list", for: .developers) { _ in .list },
        action("-remove", for: .admins, changes: true, options: [keyName]) { call throws(CommandError) in
            .remove(id: try id(call))
        },
        action("-getPEM", "file name", for: .developers, options: [keyName]) { call throws(CommandError) in
            .getPEM(file: call.operand, id: try id(call))
        },
        action("-getJWKS", "file name", for: .admins) { .getJWKS(file: $0.operand) },
        action(
            "-import", "file name", for: .admins, changes: true, options: [keyName, CommandOption("-alg", .text)]
        ) { call throws(CommandError) in
            .importKeys(file: call.operand, id: call.value("-kid"), try call.word("-alg"))
        },
    ]

    private static let keyName = CommandOption("-kid", .text)

    private static func id(_ call: CommandInvocation) throws(CommandError) -> String {
        if let id = call.value("-kid") { return id }
        throw CommandError(
            "\(call.action.name.quoted) needs `-kid`", hint: "it names the key; `keyset -list` lists them")
    }

    private static func bits(_ call: CommandInvocation) throws(CommandError) -> Int? {
        guard let text = call.value("-keyLength") else { return nil }
        if let bits = Int(text), String(bits) == text, bits > 0 { return bits }
        throw CommandError("\(text.quoted) is not a length in bits")
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let algorithm, let id, let bits): try Self.add(algorithm, id, bits, &account, in: context, &effect)
        case .list: effect.printed = KeySetText.list(of: account)
        case .remove(let id): try Self.remove(id, &account, &effect)
        case .getPEM(let path, let id):
            let key = try Self.key(id, of: account)
            guard let text = key.publicPEM else {
                throw CommandError("key \(id.quoted) is a shared secret, which has no public half")
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

    private static func add(
        _ algorithm: TokenAlgorithm, _ id: String?, _ bits: Int?, _ account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        let name = account.keys.keySet.numbered(id).id
        let key: TokenKey
        do throws(TokenKeyError) {
            key = try TokenKey.new(algorithm, id: name, bits: bits, from: context.chance)
        } catch {
            throw CommandError(error, hint: hint(for: error))
        }
        effect.warn(key.weakness)
        try append(key, isNumbered: id == nil, to: &account)
        effect.reported = ["successfully added key"]
    }

    /// The key that the command adds, made beforehand; `nil` where it adds none, or one that cannot be made.
    ///
    /// - Complexity: Seconds, for RSA of 4096 bits.
    var preparedKey: TokenKey? {
        guard case .add(let algorithm, _, let bits) = self else { return nil }
        return try? TokenKey.new(algorithm, bits: bits)
    }

    private static func append(
        _ key: TokenKey, isNumbered: Bool = false, to account: inout Account
    ) throws(CommandError) {
        try CommandError.wrapping { () throws(KeySetError) in
            try account.keys.keySet.append(key, isNumbered: isNumbered)
        }
    }

    private static func hint(for error: TokenKeyError) -> String? {
        if case .notRepeatable = error {
            return "put the key into the key file: `scenario approov` can make or import it"
        }
        return nil
    }

    private static func remove(
        _ id: String, _ account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        _ = try key(id, of: account)
        let domains = KeySetText.domains(of: id, in: account)
        guard domains.isEmpty else {
            throw CommandError(
                "key \(id.quoted) is in use by \(domains.map(\.quoted).joined(separator: ", "))",
                hint: "remove the API domains first")
        }
        try CommandError.wrapping { () throws(KeySetError) in try account.keys.keySet.remove(id) }
        effect.reported = ["key \(id) removed"]
    }

    /// The key of a name.
    ///
    /// - Throws: ``CommandError`` where there is none, with the nearest.
    static func key(_ id: String, of account: Account) throws(CommandError) -> TokenKey {
        if let key = account.keys.keySet.key(named: id) { return key }
        throw CommandError(KeySetError.unknown(id, known: account.keys.keySet.ids), hint: hint(on: account))
    }

    /// The hint for a domain that names a key although the account has no key set.
    static func hint(on account: Account) -> String? {
        account.keys.keySet.isListed ? nil : "the account has no key set; `keyset -kid NAME -add ALG` makes one"
    }

    // Manual, Importing Keys: private keys with `kid`, `alg` and `use`; or one in PEM, of which the command says them.
    private static func keys(
        _ text: String, _ path: String, _ id: String?, _ algorithm: TokenAlgorithm?
    ) throws(CommandError) -> [TokenKey] {
        let isPEM = text.hasPrefix("-----BEGIN ")
        guard isPEM == (id != nil), isPEM == (algorithm != nil) else {
            throw CommandError(
                isPEM ? "a key in PEM needs `-kid` and `-alg`" : "`-kid` and `-alg` can be used with a key in PEM only",
                hint: "a JSON Web Key contains them, and PEM does not")
        }
        return try CommandError.wrapping(about: "\(path.quoted) cannot be imported") { () throws(TokenKeyError) in
            guard let id, let algorithm else { return try TokenKey.keys(importing: text) }
            return [try TokenKey(pem: text, algorithm: algorithm, id: id).importable()]
        }
    }
}

/// Key sets in the words of the manual (Listing Keys).
private enum KeySetText {
    /// The output of `keyset -list`.
    static func list(of account: Account) -> [String] {
        let rows = account.keys.keySet.keys.map { key in
            let names = domains(of: key.id ?? "", in: account)
            let apis = names.isEmpty ? "" : "  apis:\(names.joined(separator: ","))"
            return (key.id ?? "", "alg:\(key.algorithm.rawValue)\(apis)")
        }
        return [ListText.heading(rows.count, "key", "keys")] + ListText.columns(rows)
    }

    /// The names of the domains whose tokens are made with a key.
    static func domains(of id: String, in account: Account) -> [String] {
        account.apiDomains.filter { $0.type == .keyset && $0.keyID == id }.map(\.name)
    }
}
