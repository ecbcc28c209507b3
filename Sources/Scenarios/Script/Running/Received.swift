internal import Figures
internal import PolicyEngine
internal import Replay

/// The result that a client got from one fetch, request, call or proof of a step (R19a).
///
/// A step makes one for each install of its groups, in their order: the results of two runs of a scenario in the same step
/// correspond by index.
struct Received {
    let group: Int
    let number: Int
    let what: What
    /// The fetch behind it, or the attestation of a call; `nil` where there was none.
    let fetch: KeptFetch?
    /// A fetch before that, after which the app was launched anew (R18.4).
    var earlier: KeptFetch?

    /// The kind of answer that was asked for, and the answer.
    enum What: Equatable {
        /// A token, which the fetch describes.
        case token
        case request(RequestOutcome)
        case secureString(CallResult, text: String?)
        case customToken(CallResult, CustomToken?)
        case proof(ProofResult)
    }

    /// A token of an app's claims, as far as equal tokens are equal: some signatures are drawn anew each time.
    struct CustomToken: Equatable {
        let content: String
        let key: TokenKey

        init(text: String, key: TokenKey) {
            let isSigned = text.utf8.count { $0 == UInt8(ascii: ".") } == 2
            content = isSigned ? String(text.prefix(upTo: text.lastIndex(of: ".") ?? text.endIndex)) : text
            self.key = key
        }
    }

    /// Which of the things it is that clients get.
    var kind: ClientChanges.Kind {
        switch what {
        case .token: .token
        case .request: .request
        case .secureString: .secureString
        case .customToken: .customToken
        case .proof: .proof
        }
    }

    /// True if the client got what it asked for.
    var isGood: Bool {
        switch what {
        case .token: fetch?.compared.isValid ?? false
        case .request(let outcome): outcome == .accepted
        case .secureString(let result, _), .customToken(let result, _): result == .fetch(.success)
        case .proof(let result): result == .match
        }
    }

    /// The result, in the word of the SDK or of scenarios.
    var word: String {
        switch what {
        case .token:
            // A token is there, whatever it is worth.
            if fetch?.compared.decision == nil { fetch?.compared.result.name ?? "no fetch" } else { verdict }
        case .request(let outcome): outcome.rawValue
        case .secureString(let result, _), .customToken(let result, _): result.name
        case .proof(let result): result.rawValue
        }
    }

    private var verdict: String { isGood ? "valid" : "invalid" }

    /// The request's outcome; `nil` for what is none.
    var outcome: RequestOutcome? { if case .request(let outcome) = what { outcome } else { nil } }

    /// The fetches and attestations behind it, in the order of time.
    var fetches: [KeptFetch] { [earlier, fetch].compactMap(\.self) }

    /// The last fetch of a token, for itself or for a request.
    var tokenFetch: KeptFetch? {
        switch what {
        case .token, .request: fetch
        case .secureString, .customToken, .proof: nil
        }
    }

    /// The call for a string or a token of the app's claims, as it is compared.
    var call: KeptFetch? {
        switch what {
        case .secureString, .customToken: fetch
        case .token, .request, .proof: nil
        }
    }

    /// True if it depends on a search that was given up, so that it might have ended otherwise (R7.2).
    var isUnsearched: Bool { fetches.contains { $0.compared.isUnsearched } }

    /// True if the client attested for it.
    var isAttested: Bool { fetches.contains(where: \.isAttested) }

    /// True if it is the same as the result of another run.
    func isSame(as other: Received) -> Bool {
        what == other.what && Self.isSame(fetch, other.fetch) && Self.isSame(earlier, other.earlier)
    }

    private static func isSame(_ mine: KeptFetch?, _ theirs: KeptFetch?) -> Bool {
        guard let mine, let theirs else { return (mine == nil) == (theirs == nil) }
        return mine.compared.result == theirs.compared.result
            && Essence(mine.compared.decision) == Essence(theirs.compared.decision)
    }

    /// The parts of a decision that somebody may see. The name of its policy is not one: it is `custom` for whatever was edited.
    private struct Essence: Equatable {
        let passed, isBlacklisted: Bool
        let flags, rejectingFlags: FlagSet
        let filters, rejectingFilters: FilterSet
        let annotations: FlagSet?
        let lifetime, grace: Int

        init?(_ decision: Decision?) {
            guard let decision else { return nil }
            (passed, isBlacklisted) = (decision.passed, decision.isBlacklisted)
            (flags, rejectingFlags) = (decision.flags, decision.rejectingFlags)
            (filters, rejectingFilters) = (decision.filters, decision.rejectingFilters)
            (annotations, lifetime, grace) = (decision.annotations, decision.lifetime, decision.grace)
        }
    }

    /// The difference of another run: the results on both sides, and whether the other one is worse.
    ///
    /// - Returns: `nil` where it ended alike, whatever is different behind it.
    func change(to other: Received) -> (effect: ClientChanges.Effect, before: String, after: String)? {
        guard word == other.word else {
            let effect: ClientChanges.Effect = isGood == other.isGood ? .other : isGood ? .worse : .better
            return (effect, word, other.word)
        }
        guard what != other.what else { return nil }
        return (.other, word, "\(other.word), another one")
    }
}

/// A fetch of a token or the attestation of a call, with its result.
struct KeptFetch {
    let compared: ComparedDecision
    /// True if the client attested for it.
    let isAttested: Bool
}
