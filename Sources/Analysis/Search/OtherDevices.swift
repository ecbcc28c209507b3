internal import Figures
internal import PolicyEngine
internal import Proofs
internal import Replay

/// Asks whether an exemption lets in devices that it was not asked to, of all possible devices.
///
/// A device was asked for if the captures have it so, or if one of its attestations is one that `--exempt` selects and
/// `--but-reject` does not.
struct OtherDevices {
    let question: SearchQuestion
    /// The devices of the captures that are to be let in.
    let asked: Set<DeviceID>
    /// When it takes too long.
    let deadline: ContinuousClock.Instant

    /// The smallest other device that the edited account lets in, or that there is none.
    ///
    /// - Returns: `nil` where the solver is not installed, or no time is left.
    func proof(from account: Account, to edited: Account) -> ChangeProof? {
        let left = Int((deadline - .now).components.seconds)
        guard Prover.hasSolver, left > 0 else { return nil }
        let limit = min(left, ChangeProof.usualLimit)
        let prover = Prover(before: account, after: edited, limit: .seconds(limit), excluding: excluded)
        let accounts = ComparedAccounts(before: account, after: edited)
        return ChangeProof(
            [(.accepted, prover.answer(.accepted))], beyondCaptures: accounts.beyondCaptures, limit: limit,
            accounts: accounts)
    }

    private var excluded: ExcludedRecords {
        let asked = RecordExpression.any([
            .devices(asked), .all([question.exempt ?? .any([]), .not(question.reject ?? .any([]))]),
        ])
        return ExcludedRecords(asked.condition) { witness, number in
            var isGivenUp = false
            let isAsked = asked.selects(
                PossibleRecord(witness: witness, number: number), by: PatternMatcher(keepsAll: true),
                isGivenUp: &isGivenUp)
            return isAsked || isGivenUp
        }
    }
}

/// A record of a possible device.
private struct PossibleRecord: ExpressedRecord {
    let witness: ProofWitness
    let number: Int

    private var record: ProofWitness.Record { witness.records[number] }
    var device: DeviceID { witness.device }
    var time: Instant { record.time }
    var capturedVerdict: Bool? { number == witness.records.count - 1 ? witness.before.passed : nil }

    func hasFlag(named name: String) -> Bool { record.flags.contains(name) }

    func attribute(_ key: String) -> String? {
        record.attributes.first { ExactText($0.key) == ExactText(key) }?.value
    }
}

extension RecordExpression {
    // The same as proofs take it; they do not know derived values.
    fileprivate var condition: RecordCondition {
        switch self {
        case .flag(let name): .flag(name)
        case .devices(let devices): .devices(devices)
        case .label: .unknown
        case .verdict(let passed): .verdict(passed: passed)
        case .value(let key, let value):
            key == RecordKey(attribute: key.attribute)
                ? .test(.exact(key: key.attribute, value: value.text)) : .unknown
        case .pattern(let key, let pattern):
            key == RecordKey(attribute: key.attribute) ? .test(.regex(key: key.attribute, pattern: pattern)) : .unknown
        case .not(let inner): .not(inner.condition)
        case .all(let parts): .all(parts.map(\.condition))
        case .any(let parts): .any(parts.map(\.condition))
        }
    }
}
