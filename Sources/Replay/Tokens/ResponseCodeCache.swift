package import PolicyEngine

/// The response codes of one engine's decisions: each is worked out once, since few different ones make up most
/// streams.
package struct ResponseCodeCache {
    private var codes: [ResponseMeaning: String] = [:]
    // Of the account that was in force at the latest decision; `nil` where it issues no codes.
    private var codec: ResponseCodec?
    private var revision: Int?
    private static let capacity = 65_536

    package init() {}

    /// The code of a decision (R12).
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - engine: The engine that made it; always the same one.
    /// - Returns: `nil` where the account in force for it issues no codes, and for the failover (R12.4).
    /// - Complexity: O(1); about a microsecond for a code that is new.
    package mutating func code(of decision: Decision, engine: Engine) -> String? {
        guard decision.service == .primary else { return nil }
        if revision != decision.revision { adopt(decision.revision, of: engine) }
        guard let codec else { return nil }
        let meaning = ResponseMeaning(passed: decision.passed, flags: decision.flags)
        if let known = codes[meaning] { return known }
        let code = codec.code(passed: meaning.passed, flags: meaning.flags)
        if codes.count >= Self.capacity { codes.removeAll(keepingCapacity: true) }
        codes[meaning] = code
        return code
    }

    /// The meaning of a code to the account that was in force for a decision (R12.3).
    ///
    /// - Returns: `nil` for a code that is invalid, and where the account issues none.
    package mutating func meaning(of code: String, for decision: Decision, engine: Engine) -> ResponseMeaning? {
        if revision != decision.revision { adopt(decision.revision, of: engine) }
        return codec?.meaning(of: code)
    }

    // A change of the account may have changed the secret.
    private mutating func adopt(_ revision: Int, of engine: Engine) {
        let account = engine.history.revisions[revision].account
        self.revision = revision
        codec = account.isResponseCodeOn ? ResponseCodec(account: account) : nil
        codes.removeAll(keepingCapacity: true)
    }
}
