internal import Accounts
package import Documents
internal import PolicyEngine

/// Scenarios that a change of an account can affect.
package struct AffectedScenarios: Sendable {
    /// The scenarios that it can affect.
    package private(set) var scenarios: [Scenario]
    /// The scenarios that it cannot affect; `nil` where all are taken.
    package private(set) var leftOut: [LeftOutScenario]?

    /// Takes all scenarios.
    package init(_ scenarios: [Scenario]) { self.scenarios = scenarios }

    /// Leaves out the scenarios that a change does not affect.
    ///
    /// - Parameters:
    ///   - all: The scenarios.
    ///   - path: The file of the account, as it is after the change.
    ///   - reference: The commit of git that has the account before the change.
    ///   - seed: Goes before the seeds of the scenarios.
    ///   - diagnostics: Takes the errors in the account, and those of git.
    /// - Returns: `nil` after noting an error.
    package init?(
        _ all: [Scenario], byChangeOf path: String, since reference: String, seed: UInt64?,
        _ diagnostics: inout Diagnostics
    ) {
        guard let after = AccountLoader.load(path: path, diagnostics: &diagnostics) else { return nil }
        let read = diagnostics.attempt(in: "\(reference):\(path)") { () throws(GitFailure) in
            try CommittedChange(of: path, to: after, since: reference, scenarios: all)
        }
        guard let change = read else { return nil }
        (scenarios, leftOut) = ([], [])
        for scenario in all {
            if let reason = change.reason(toLeaveOut: scenario, seed: seed) {
                leftOut?.append(LeftOutScenario(scenario, reason: reason))
            } else {
                scenarios.append(scenario)
            }
        }
    }
}

/// A scenario that is not run, since what changed does not affect it.
package struct LeftOutScenario: Hashable, Sendable {
    package let name: String
    package let file: String
    /// Why not, in words: lower case, no final period.
    package let reason: String

    package init(_ scenario: Scenario, reason: String) {
        (name, file, self.reason) = (scenario.name, scenario.file, reason)
    }
}

/// The change of an account, and of the files that scenarios read, since a commit.
private struct CommittedChange {
    private let path: String
    // The change of the account; `nil` where it is not known, as the account cannot be read in the commit.
    private let change: AccountChange?
    // The files that are as they were; the key file of the account is one that a scenario reads.
    private let kept: Set<String>

    init(of path: String, to after: Account, since reference: String, scenarios: [Scenario]) throws(GitFailure) {
        self.path = path
        let before = try Self.account(path, at: reference)
        change = before.map { AccountChange(from: $0.withKeys(of: after), to: after) }
        let files = Set(scenarios.flatMap { Self.files(of: $0, account: path) } + NamedFiles.ofAccount(at: path))
        kept = try Self.kept(files.sorted(), since: reference)
    }

    // The account as the commit has it; `nil` where the commit has no such file, or nothing that can be read.
    private static func account(_ path: String, at reference: String) throws(GitFailure) -> Account? {
        let bytes: [UInt8]
        do throws(GitFailure) {
            bytes = try GitRepository.bytes(of: path, at: reference)
        } catch {
            guard case .noFile = error else { throw error }
            return nil
        }
        var ignored = Diagnostics()
        let document = YAMLParser.parse(bytes: bytes, path: "\(reference):\(path)", as: .account)
        return AccountLoader.load(document, diagnostics: &ignored)
    }

    // The files that a scenario reads, but the account itself.
    private static func files(of scenario: Scenario, account: String) -> [String] {
        let own = FileLocation(account)
        let named = NamedFiles.ofScenario(at: scenario.file) + scenario.filesOfCommands
        return [scenario.file] + named.filter { !FileLocation($0).isSame(as: own) }
    }

    // The files that are as the commit has them; one that is not there now and was not there then is so, too.
    private static func kept(_ files: [String], since reference: String) throws(GitFailure) -> Set<String> {
        var kept = try GitRepository.unchanged(files, since: reference)
        for file in files where !kept.contains(file) && !FileLocation(file).isThere {
            if (try? GitRepository.has(file, at: reference)) == false { kept.insert(file) }
        }
        return kept
    }

    // Why a scenario is left out; `nil` where it is run.
    func reason(toLeaveOut scenario: Scenario, seed: UInt64?) -> String? {
        let location = FileLocation(path)
        guard Self.files(of: scenario, account: path).allSatisfy(kept.contains) else { return nil }
        // A command to another account may read it.
        guard !scenario.filesOfCommands.contains(where: { FileLocation($0).isSame(as: location) }) else { return nil }
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
}
