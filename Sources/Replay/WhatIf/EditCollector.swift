internal import Figures
internal import PolicyEngine

/// Finds out what every edit of an account does to the attestations of a capture.
///
/// Few different things happen to devices. So what edits do to an attestation is worked out once for each kind of
/// attestation and each memory that accounts have of a device, and what they did to a device in all is one of few states.
/// An attestation then leads a device from one state to the next, which costs two lookups, however many edits there are.
struct EditCollector {
    private var lanes: EditLanes
    private var kinds = KindTable()
    // The effects of edits on an attestation, and on a device so far; both as rows of bits.
    private var outcomes: RowTable
    private var states: RowTable
    // By kind and memory: the outcome and the next memory.
    private var evaluationNumbers = NumberTable()
    private var evaluations: [(outcome: Int, memory: Int)] = []
    // By kind and state.
    private var transitionNumbers = NumberTable()
    private var transitions: [Transition] = []
    // By number; 0 for a device that was not seen.
    private var devices: [UInt32] = []
    // The outcomes that each device met: one of which it is not known what an edit does to it is in none of its figures.
    private var histories = DeviceTally()
    /// The number of the outcome of the latest attestation.
    private(set) var latestOutcome = 0
    // The current rows.
    private var outcome: [UInt64]
    private var state: [UInt64]

    private struct Transition {
        let outcome: UInt32
        let state: UInt32
    }

    /// - Parameters:
    ///   - accounts: The account and its edited ones.
    ///   - doubtful: The same without what depends on new devices, for the account and those edits that depend on it.
    ///   - catalogue: The flags.
    init(_ accounts: [Account], doubtful: DoubtfulEdits?, catalogue: FlagCatalogue) {
        lanes = EditLanes(accounts, doubtful: doubtful, catalogue: catalogue)
        outcome = Array(repeating: 0, count: lanes.layout.outcomeWidth)
        state = Array(repeating: 0, count: lanes.layout.stateWidth)
        outcomes = RowTable(width: outcome.count)
        states = RowTable(width: state.count)
        _ = states.intern(state)
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { lanes.adopt(catalogue) }

    func prefetch(_ next: [DeviceIndex]) {
        for device in next where device.offset < devices.count {
            devices.prefetch(device.offset)
            histories.prefetch(device.offset)
        }
    }

    /// Counts an attestation.
    ///
    /// - Parameters:
    ///   - attestation: The observations, attributes aside.
    ///   - matches: The matches of the account's filters on its attributes.
    ///   - isSampled: True if the device is sampled on that day.
    mutating func count(_ attestation: borrowing Attestation, matches: AttributeMatches, isSampled: Bool) {
        let kind = kinds.number(
            of: AttestationKind(
                flags: attestation.flags, matches: matches, device: lanes.representative(of: attestation.device),
                isSampled: isSampled))
        let device = attestation.device.offset
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(0, count: device + 1 - devices.count))
        }
        let transition = transitionNumbers.intern(UInt64(kind) << 32 | UInt64(devices[device]))
        if transition == transitions.count {
            transitions.append(makeTransition(kind, from: Int(devices[device]), at: attestation.time))
        }
        latestOutcome = Int(transitions[transition].outcome)
        histories.count(latestOutcome, of: device)
        devices[device] = transitions[transition].state
    }

    @inline(never)
    private mutating func makeTransition(_ kind: Int, from start: Int, at time: Instant) -> Transition {
        states.copy(start, to: &state)
        let evaluation = evaluate(kind, Int(state[0]), at: time)
        state[0] = UInt64(evaluation.memory)
        let layout = lanes.layout
        for (word, source) in layout.accumulated { state[word] |= outcomes[evaluation.outcome, source] }
        return Transition(outcome: UInt32(evaluation.outcome), state: UInt32(states.intern(state)))
    }

    private mutating func evaluate(_ kind: Int, _ memory: Int, at time: Instant) -> (outcome: Int, memory: Int) {
        let number = evaluationNumbers.intern(UInt64(kind) << 32 | UInt64(memory))
        if number == evaluations.count {
            let next = lanes.evaluate(kinds[kind], at: time, memory: memory, outcome: &outcome)
            evaluations.append((outcomes.intern(outcome), next))
        }
        return evaluations[number]
    }
}

// MARK: Figures

extension EditCollector {
    /// The number of edits.
    var editCount: Int { lanes.layout.edits }

    /// Writes the verdicts under every edit on attestations of an outcome, the edit with number 0 in lane 1.
    ///
    /// - Parameters:
    ///   - number: The outcome.
    ///   - fails: True if the account as it is rejects them; the second without what depends on new devices.
    func write(_ number: Int, fails: (plain: Bool, doubtful: Bool), to row: inout LaneRow) {
        let layout = lanes.layout
        func isSet(_ start: Int, _ index: Int) -> Bool {
            outcomes[number, start + index >> 6] & 1 << UInt64(index & 63) != 0
        }
        func isFailing(_ edit: Int, before: Bool, from start: Int, _ words: Int) -> Bool {
            before ? !isSet(start + words, edit) : isSet(start, edit)
        }
        for edit in 0..<layout.edits {
            let plain = isFailing(edit, before: fails.plain, from: 0, layout.words)
            row.set(edit + 1, fails: plain, doubtful: plain)
        }
        let (start, words) = (layout.doubtfulRows, layout.doubtfulWords)
        for (index, edit) in layout.doubtful.enumerated() {
            row.set(
                edit + 1, fails: row.failing[edit + 1],
                doubtful: isFailing(index, before: fails.doubtful, from: start, words),
                isUnknown: isSet(start + 2 * words, index))
        }
    }

    /// The edits under which a decision on a device depends on a search that was given up (R7.2); `nil` for none.
    func unsearchedEdits(of device: Int) -> BitRow? {
        guard device < devices.count else { return nil }
        let first = 1 + 2 * lanes.layout.words
        let row = BitRow((0..<lanes.layout.words).map { states[Int(devices[device]), first + $0] })
        return row.words.contains { $0 != 0 } ? row : nil
    }

    /// The number of devices that attested.
    var deviceCount: Int { devices.count { $0 != 0 } }

    /// The effects of the edits, in their order.
    ///
    /// - Parameters:
    ///   - isDoubtful: True if what depends on new devices is left out; only where there are doubtful accounts.
    ///   - catalogue: The flags.
    func figures(isDoubtful: Bool, catalogue: FlagCatalogue) -> [EditFigures] {
        var counter = EditCounter(lanes.layout, isDoubtful: isDoubtful)
        var (met, numbers) = ([(state: Int, outcome: Int, count: Int)](), NumberTable())
        var counts = Array(repeating: 0, count: states.count)
        for device in devices.indices where devices[device] != 0 {
            let state = Int(devices[device])
            counts[state] += 1
            histories.forEachNumber(of: device) { outcome, count in
                let number = numbers.intern(UInt64(state) << 32 | UInt64(outcome))
                if number == met.count { met.append((state, outcome, 0)) }
                met[number].count += count
            }
        }
        for pair in met {
            counter.addAttestations(pair.count, of: pair.outcome, in: outcomes, state: pair.state, of: states)
        }
        for (number, count) in counts.enumerated() { counter.addDevices(count, of: number, in: states) }
        return counter.figures(catalogue)
    }
}

/// Gives kinds of attestations dense numbers, in order of first sight.
private struct KindTable {
    private var kinds: [AttestationKind] = []
    private var numbers: [AttestationKind: Int] = [:]
    // Some of them, where the flags and the matches say: a few make most attestations.
    private var recent = Array(repeating: Int32(-1), count: recentCount)

    private static let recentCount = 4096

    subscript(number: Int) -> AttestationKind { kinds[number] }

    mutating func number(of kind: AttestationKind) -> Int {
        let slot = Self.slot(of: kind)
        let latest = Int(recent[slot])
        if latest >= 0, kinds[latest] == kind { return latest }
        let number = numbers[kind] ?? kinds.count
        if number == kinds.count {
            numbers[kind] = number
            kinds.append(kind)
        }
        recent[slot] = Int32(truncatingIfNeeded: number)
        return number
    }

    private static func slot(of kind: AttestationKind) -> Int {
        let flags = UInt64(truncatingIfNeeded: kind.flags.bits) ^ UInt64(truncatingIfNeeded: kind.flags.bits >> 64)
        let product = (flags &* 0x9E37_79B9_7F4A_7C15 ^ kind.matches.mixedBits).multipliedFullWidth(
            by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: product.high ^ product.low) & (recentCount - 1)
    }
}
