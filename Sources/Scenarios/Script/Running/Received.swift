internal import Figures
internal import PolicyEngine
internal import Replay

/// The end of a fetch, a call or a proof, and of the request that it was made for.
struct FetchEnd {
    /// The kind of thing that was asked for.
    let kind: ClientChanges.Kind
    /// The client's status; `nil` where a request was not even tried, and for a proof.
    let result: CallResult?
    var isCached = false
    /// The token that came back, new or cached; and the attestation behind it or behind a call.
    var token: CachedToken?
    var decision: Decision?
    /// The secure string that came back instead, the token of an app's claims with its key, or the result of a proof.
    var string: String?
    var customToken: (text: String, key: TokenKey)?
    var proof: ProofResult?
    /// The outcome of the request; `nil` for a fetch alone.
    var outcome: RequestOutcome?
    var notice = ConfigurationNotice()

    /// A call or a proof.
    init(_ kind: ClientChanges.Kind, _ result: CallResult?, _ decision: Decision? = nil) {
        (self.kind, self.result, self.decision) = (kind, result, decision)
    }

    /// A fetch of a token, for itself or for a request.
    ///
    /// - Parameter token: The token that came back.
    init(
        _ kind: ClientChanges.Kind, _ result: FetchResult?, isCached: Bool, _ token: CachedToken?,
        _ notice: ConfigurationNotice
    ) {
        (self.kind, self.result, self.isCached) = (kind, result.map(CallResult.fetch), isCached)
        (self.token, decision, self.notice) = (token, token?.decision, notice)
    }

    /// True if it is a call beside those for tokens.
    var isCall: Bool { kind != .token && kind != .request }

    /// The client's status, or the result of a proof, in words; `nil` where there is none.
    var word: String? { proof?.rawValue ?? result?.name }
}

/// The result that a client got from one fetch, request, call or proof of a step (R19a).
///
/// A step makes one for each install of its groups, in their order: the results of two runs of a scenario in the same step
/// correspond by index.
struct Received {
    let group, number: Int
    /// The last fetch or call.
    let end: FetchEnd
    /// The last fetch or call as it is compared; `nil` for a proof, and where nothing was fetched.
    let fetch: KeptFetch?
    /// A fetch before that, after which the app was launched anew (R18.4).
    let earlier: KeptFetch?

    /// True if the client got what it asked for.
    var isGood: Bool {
        switch end.kind {
        case .token: fetch?.compared.isValid ?? false
        case .request: end.outcome == .accepted
        case .secureString, .customToken: end.result == .fetch(.success)
        case .proof: end.proof == .match
        }
    }

    /// The result, in the word of the SDK or of scenarios; a token is there, whatever it is worth.
    var word: String {
        if let outcome = end.outcome { return outcome.rawValue }
        guard end.kind == .token, end.decision != nil else { return end.word ?? "no fetch" }
        return isGood ? "valid" : "invalid"
    }

    /// The fetches and attestations behind it, in the order of time.
    var fetches: [KeptFetch] { [earlier, fetch].compactMap(\.self) }

    /// The last fetch of a token, for itself or for a request.
    var tokenFetch: KeptFetch? { end.isCall ? nil : fetch }

    /// True if it depends on a search that was given up, so that it might have ended otherwise (R7.2).
    var isUnknown: Bool { fetches.contains { $0.compared.isUnsearched } }

    /// True if the client attested for it.
    var isAttested: Bool { fetches.contains(where: \.isAttested) }

    /// True if it is the same as the result of another run.
    func isSame(as other: Received) -> Bool {
        hasSameAnswer(as: other) && Self.isSame(fetch, other.fetch) && Self.isSame(earlier, other.earlier)
    }

    // True if the client got the same beside tokens; a token is described by its fetch.
    private func hasSameAnswer(as other: Received) -> Bool {
        if end.kind == .token { return true }
        guard end.outcome == other.end.outcome, end.proof == other.end.proof else { return false }
        return end.kind == .request
            || end.result == other.end.result && end.string == other.end.string
                && end.signedToken == other.end.signedToken && end.customToken?.key == other.end.customToken?.key
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
        if word != other.word { return (isGood == other.isGood ? .other : isGood ? .worse : .better, word, other.word) }
        return hasSameAnswer(as: other) ? nil : (.other, word, "\(other.word), another one")
    }
}

extension FetchEnd {
    // The token of an app's claims, as far as equal tokens are equal: some signatures are drawn anew each time.
    fileprivate var signedToken: Substring? {
        guard let text = customToken?.text else { return nil }
        let isSigned = text.utf8.count { $0 == UInt8(ascii: ".") } == 2
        return isSigned ? text.prefix(upTo: text.lastIndex(of: ".") ?? text.endIndex) : text[...]
    }
}

/// A fetch of a token or the attestation of a call, with its result.
struct KeptFetch {
    let compared: ComparedDecision
    /// True if the client attested for it.
    let isAttested: Bool
}
