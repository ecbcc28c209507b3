internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// `scenario run --affected-by`: only the scenarios that a change of an account can affect.
enum RunAffected {
    /// Names the account.
    static let option = OptionDefinition(
        name: "--affected-by",
        value: .file(.readsAccount),
        summary: "Run only scenarios that a change of the account FILE since --base can affect."
    )

    /// Names the commit before.
    static let base = OptionDefinition(
        name: "--base",
        value: .text(placeholder: "REF"),
        summary: "The commit REF of git has the account before the change; needs --affected-by."
    )

    /// Refuses one of the options without the other.
    static func check(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.isSet(base), !arguments.isSet(option) {
            throw UsageError("`\(base.name)` needs `\(option.name)`")
        }
        if arguments.isSet(option), !arguments.isSet(base) {
            throw UsageError("`\(option.name)` needs `\(base.name)`", hint: "such as `\(base.name) origin/main`")
        }
    }

    /// Some scenarios, and those of them that are left out; `nil` for these where nobody asked for that.
    struct Selection {
        var scenarios: [Scenario]
        var leftOut: [LeftOutScenario]?
    }

    /// Leaves out the scenarios that the change does not affect.
    ///
    /// - Returns: `nil` after noting an error.
    static func select(
        among scenarios: [Scenario], _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> Selection? {
        guard let path = arguments.value(of: option), let reference = arguments.value(of: base) else {
            return Selection(scenarios: scenarios)
        }
        guard let after = AccountLoader.load(path: path, diagnostics: &diagnostics) else { return nil }
        let paths = Set(scenarios.flatMap { files(of: $0, account: path) } + NamedFiles.ofAccount(at: path))
        let read = diagnostics.attempt(in: "\(reference):\(path)") { () throws(GitFailure) in
            (try Before(path, at: reference), try kept(paths.sorted(), since: reference))
        }
        guard let read else { return nil }
        let evaluate = Evaluator(
            account: path, before: read.0, after: after, kept: read.1,
            seed: arguments.integer(of: .seed, as: UInt64.self))
        var selection = Selection(scenarios: [], leftOut: [])
        for scenario in scenarios {
            if let reason = evaluate.reason(toLeaveOut: scenario) {
                selection.leftOut?.append(LeftOutScenario(scenario, reason: reason))
            } else {
                selection.scenarios.append(scenario)
            }
        }
        return selection
    }

    /// The files that a scenario reads, but the account itself.
    static func files(of scenario: Scenario, account: String?) -> [String] {
        let own = account.map(FileLocation.init)
        let named = NamedFiles.ofScenario(at: scenario.file) + scenario.filesOfCommands
        return [scenario.file]
            + named.filter { file in own.map { !FileLocation(file).isSame(as: $0) } ?? true }
    }

    // The files that are as the commit has them; one that is not there now and was not there then is so, too.
    private static func kept(_ files: [String], since reference: String) throws(GitFailure) -> Set<String> {
        var kept = try GitRepository.unchanged(files, since: reference)
        for file in files where !kept.contains(file) && !FileLocation(file).isThere {
            if (try? GitRepository.has(file, at: reference)) == false { kept.insert(file) }
        }
        return kept
    }

    /// The account as the commit has it.
    private enum Before {
        case account(Account)
        /// The commit has no such file, or nothing that can be read.
        case unknown

        init(_ path: String, at reference: String) throws(GitFailure) {
            let bytes: [UInt8]
            do throws(GitFailure) {
                bytes = try GitRepository.bytes(of: path, at: reference)
            } catch {
                guard case .noFile = error else { throw error }
                self = .unknown
                return
            }
            var ignored = Diagnostics()
            let document = YAMLParser.parse(bytes: bytes, path: "\(reference):\(path)", as: .account)
            self = AccountLoader.load(document, diagnostics: &ignored).map { .account($0) } ?? .unknown
        }
    }

    /// Decides on single scenarios.
    private struct Evaluator {
        let account: String
        let before: Before
        let after: Account
        // The files that are as they were; the key file of the account is one that a scenario reads.
        let kept: Set<String>
        let seed: UInt64?

        /// Why a scenario is left out; `nil` where it is run.
        func reason(toLeaveOut scenario: Scenario) -> String? {
            let location = FileLocation(account)
            guard files(of: scenario, account: account).allSatisfy(kept.contains) else { return nil }
            // A command to another account may read it.
            guard !scenario.filesOfCommands.contains(where: { FileLocation($0).isSame(as: location) }) else {
                return nil
            }
            let indices = scenario.accounts.indices.filter { index in
                scenario.accounts[index].file.map { FileLocation($0).isSame(as: location) } ?? false
            }
            guard !indices.isEmpty else { return "it does not use the account" }
            guard let change else { return nil }
            var reason: String?
            for index in indices {
                guard case .unaffected(let words) = scenario.effect(of: change, onAccount: index, seed: seed) else {
                    return nil
                }
                reason = words
            }
            return reason
        }

        // `nil` where it is not known what changed: the account cannot be read in the commit.
        private var change: AccountChange? {
            guard case .account(let before) = before else { return nil }
            return AccountChange(from: before.withKeys(of: after), to: after)
        }
    }
}
