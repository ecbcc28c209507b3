internal import Accounts
internal import Documents
internal import PolicyEngine

/// The account before and the one after a change, as commits of git have them.
enum CommittedAccounts {
    /// Names the commit before.
    static let base = OptionDefinition(
        "--base", "Compare the account as the commit REF of git has it with the one of --head.",
        .text(placeholder: "REF"))

    /// Names the commit after.
    static let head = OptionDefinition(
        "--head", "The account after, as the commit REF has it; by default WORKTREE, the file as it is now.",
        .text(placeholder: "REF|WORKTREE", words: .words([workingTree])), relations: [.needs([base.given])])

    private static let workingTree = "WORKTREE"

    /// Refuses a commit without a file; a new account is none.
    static func check(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.isSet(base), arguments.files(of: .account).allSatisfy({ $0 == "-" }) {
            throw UsageError(
                "`\(base.name)` needs `\(OptionDefinition.account.name)`", hint: "it says which file of the commit")
        }
    }

    /// The commit that has the account after; `nil` for the working tree, and where no commits are compared.
    static func commitAfter(_ arguments: ParsedArguments) -> String? {
        arguments.value(of: head).flatMap { $0 == workingTree ? nil : $0 }
    }

    /// Reads both accounts.
    ///
    /// A commit has no key file: it counts as having the keys of the account after.
    ///
    /// - Parameters:
    ///   - own: The account of a scenario, whose flags are to have the same indices.
    ///   - review: Notes the positions of their filters.
    /// - Returns: `nil` after noting an error.
    static func read(
        _ arguments: ParsedArguments, besides own: Account?, _ review: inout FilterReview,
        _ diagnostics: inout Diagnostics
    ) -> (before: Account, after: Account)? {
        guard let path = arguments.value(of: .account), let base = arguments.value(of: base) else { return nil }
        let reach = arguments.reach
        let before = read(path, at: base, besides: own, within: reach, &review, &diagnostics)
        let after = read(
            path, at: arguments.value(of: head) ?? workingTree, besides: own == nil ? nil : before, within: reach,
            &review, &diagnostics)
        guard let before, let after else { return nil }
        return (before.withKeys(of: after), after)
    }

    private static func read(
        _ path: String, at reference: String, besides other: Account?, within reach: FileBoundary,
        _ review: inout FilterReview, _ diagnostics: inout Diagnostics
    ) -> Account? {
        guard reference != workingTree else {
            return AccountLoader.load(
                path: path, besides: other, within: reach, review: &review, diagnostics: &diagnostics)
        }
        // As git calls a file of a commit.
        let name = "\(reference):\(path)"
        let bytes = diagnostics.attempt(in: name) { () throws(GitFailure) in
            try GitRepository.bytes(of: path, at: reference)
        }
        guard let bytes else { return nil }
        let document = YAMLParser.parse(bytes: bytes, path: name, as: .account)
        return AccountLoader.load(document, besides: other, within: reach, review: &review, diagnostics: &diagnostics)
    }
}
