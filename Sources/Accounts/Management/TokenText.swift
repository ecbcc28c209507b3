internal import PolicyEngine

/// What is said of tokens, in the words of the manual (Checking Token Validity).
enum TokenText {
    /// What `token -check` prints.
    static func lines(of check: TokenCheck, _ account: Account) -> [String] {
        let status = check.passed ? "passed:" : "failed:"
        if check.isLoggable { return ["\(status) loggable"] }
        let words = [
            status, check.isExpired == true ? "expired" : nil, check.algorithm.map { "alg:\($0)" },
            check.keyID.map { "kid:\($0)" }, check.claims?.text,
        ]
        return [words.compactMap { $0 }.joined(separator: " ")] + flags(check, account)
    }

    // The flags that the response code tells, where the account has codes and the token carries one.
    private static func flags(_ check: TokenCheck, _ account: Account) -> [String] {
        guard account.isResponseCodeOn, let code = check.claims?.responseCode else { return [] }
        guard let meaning = ResponseCodec(account: account).meaning(of: code) else { return ["arc invalid"] }
        let names = account.catalogue.names(of: meaning.flags)
        return ["device property flags:"] + names.map { "  \($0)" }
    }

    /// An instant as the manual shows it: `2019-06-03 13:24:38`.
    static func time(_ instant: Instant) -> String {
        String(instant.description.map { $0 == "T" ? " " : $0 }.dropLast())
    }
}
