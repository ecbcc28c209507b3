internal import Accounts
internal import PolicyEngine
internal import Replay

/// Finds the changes of an account that would turn a verdict, by judging the same attestation again with each.
struct VerdictFlips {
    /// The engine as it was before the attestation.
    let engine: Engine
    let symbols: SymbolTable
    let attestation: Attestation
    /// What was decided.
    let decision: Decision

    /// How many policies are told.
    static let policyLimit = 3

    /// The changes that turn the verdict: edits of single flags, filters and bans first, then the policies that differ
    /// least from the account's, then one for the device alone.
    func find() -> [Explanation.Flip] {
        let edits = decision.passed ? additions : removals
        let own = decision.passed ? RejectionPreset.blacklist : .whitelist
        let ban = ["device -add \(id) -banMode \(decision.passed ? "ban" : "unban")"]
        let all =
            (edits + [ban]).filter(turns) + policies.lazy.filter(turns).prefix(Self.policyLimit)
            + [["device -add \(id) -policy \(policy(own))"]].filter(turns)
        return all.map(Explanation.Flip.init)
    }

    // The presets, those first that change the fewest flags.
    private var policies: [[String]] {
        let catalogue = account.catalogue
        let sized = RejectionPreset.allCases.filter { $0 != .blacklist && $0 != .whitelist }.map { preset in
            let other = RejectionPolicy(preset: preset)
            return (preset, PolicyDifference(account.policy.rejection, of: catalogue, other, of: catalogue).size)
        }
        let ordered = sized.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
        return ordered.map { ["policy -set \(policy($0.element.0))"] }
    }

    // Everything that rejects must go, flag by flag and filter by filter.
    private var removals: [[String]] {
        let flags = symbols.catalogue.names(of: decision.rejectingFlags).map { "policy -removeRejectFlag \($0)" }
        let filters = engine.filterNames(decision.rejectingFilters, of: decision).map { "filter -remove \($0)" }
        return flags.isEmpty && filters.isEmpty ? [] : [flags + filters]
    }

    // One flag that is set is enough.
    private var additions: [[String]] {
        symbols.catalogue.names(of: decision.flags)
            .filter { symbols.catalogue.namedFlag($0) != nil }
            .map { ["policy -addRejectFlag \($0)"] }
    }

    private var id: DeviceID { symbols.devices[attestation.device] }

    private func policy(_ preset: RejectionPreset) -> String {
        let policy = account.policy
        return "\(policy.rules),\(preset.rawValue),\(policy.annotation.text)"
    }

    private var account: Account { engine.history.revisions[decision.revision].account }

    private func turns(_ commands: [String]) -> Bool {
        var changed = account
        do throws(CommandError) {
            for command in commands {
                _ = try ManagementCommand(command).apply(to: &changed, in: CommandContext(time: attestation.time))
            }
        } catch {
            return false
        }
        // In force at once, so that this very attestation is judged by it.
        changed.propagation = 0
        var (trial, numbering) = (engine, symbols)
        trial.change(to: changed, at: attestation.time, symbols: &numbering)
        return trial.attest(attestation, symbols: numbering).passed != decision.passed
    }
}
