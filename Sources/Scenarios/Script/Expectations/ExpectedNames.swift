internal import Accounts
internal import Documents
internal import PolicyEngine

/// The names that expectations may use: those known to any of the accounts whose devices fetch.
struct ExpectedNames {
    let accounts: [Account]
    /// Every filter that one of them has at some time.
    let filters: Set<String>

    /// Notes an error for a name that nothing can have: an expectation of 0 of it would hold for ever.
    func check(
        _ name: String, at position: SourcePosition, _ aspect: NameAspect, _ reader: inout DocumentReader
    ) {
        switch aspect {
        case .flags, .annotations: checkFlag(name, at: position, &reader)
        case .filters: checkFilter(name, at: position, &reader)
        case .rejections:
            switch Rejection(name) {
            case .flag: checkFlag(name, at: position, &reader)
            case .filter(let filter): checkFilter(filter.text, at: position, &reader)
            case .blacklist: break
            }
        }
    }

    /// Notes an error for a flag that none of the accounts knows.
    func checkFlag(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        _ = FlagLoader.flag(name, at: position, among: accounts.map(\.catalogue), &reader)
    }

    private func checkFilter(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        guard !filters.contains(name) else { return }
        reader.error(
            "unknown filter \(name.quoted)", at: position, hint: Suggestion.hint(for: name, among: filters.sorted()))
    }

    /// Notes an error for a policy that can be applied under none of the accounts.
    ///
    /// - Returns: True if there was none.
    func checkPolicy(_ text: String, at position: SourcePosition, _ reader: inout DocumentReader) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // `custom` cannot be set, but it can be applied (R4.4).
        let isCustom = parts.count == 3 && parts[1] == RejectionPolicy.customName
        let known = isCustom ? "\(parts[0]),default,\(parts[2])" : text
        let problems = accounts.map { Self.problem(ofPolicy: known, in: $0) }
        guard problems.allSatisfy({ $0 != nil }), let problem = problems.first ?? nil else { return true }
        reader.error(problem, at: position)
        return false
    }

    private static func problem(ofPolicy text: String, in account: Account) -> PolicyError? {
        do throws(PolicyError) {
            // The filtered policy may have rules that the account lacks (R3.2).
            _ = try account.filteredSecurityPolicy(text)
            return nil
        } catch {
            return error
        }
    }
}
