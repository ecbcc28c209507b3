package import PolicyEngine
internal import Replay

/// The explanations of the attestations of one device, each made when it is asked for.
///
/// An explanation takes some kilobytes, the numbers that it is made of some hundred bytes. Every walk evaluates the
/// attestations anew, in their order.
package struct Explanations: Sequence {
    // It has seen no attestation.
    private let engine: Engine
    private let symbols: SymbolTable
    private let attestations: [Attestation]
    private let verdicts: [Bool]
    private let flips: FlipLists
    private let redactor: Redactor?

    /// - Parameters:
    ///   - engine: An engine that has seen no attestation.
    ///   - symbols: The numbering of the attestations.
    ///   - attestations: The attestations in the order of time.
    ///   - verdicts: True for each that the account passes.
    ///   - flips: What would turn each verdict.
    ///   - redactor: Hides values of attributes; `nil` shows them.
    init(
        engine: Engine, symbols: SymbolTable, attestations: [Attestation], verdicts: [Bool], flips: FlipLists,
        redactor: Redactor?
    ) {
        (self.engine, self.symbols, self.attestations) = (engine, symbols, attestations)
        (self.verdicts, self.flips, self.redactor) = (verdicts, flips, redactor)
    }

    /// The number of attestations.
    package var count: Int { attestations.count }
    /// True if there is no attestation.
    package var isEmpty: Bool { attestations.isEmpty }
    /// The number of attestations that fail.
    package var failed: Int { verdicts.count { !$0 } }
    /// The device; `nil` where there is no attestation.
    package var device: DeviceID? { attestations.first.map { symbols.devices[$0.device] } }
    /// The times of the first and the last attestation; `nil` where there is none.
    package var span: ClosedRange<Instant>? {
        guard let first = attestations.first, let last = attestations.last else { return nil }
        return first.time...last.time
    }

    package func makeIterator() -> Iterator { Iterator(self, engine) }

    /// Explains one attestation after the other.
    package struct Iterator: IteratorProtocol {
        private let explanations: Explanations
        private var engine: Engine
        private var position = 0

        fileprivate init(_ explanations: Explanations, _ engine: Engine) {
            (self.explanations, self.engine) = (explanations, engine)
        }

        package mutating func next() -> Explanation? {
            guard position < explanations.count else { return nil }
            defer { position += 1 }
            return explanations.explanation(of: position, by: &engine)
        }
    }

    // The engine has seen all attestations before it and no other.
    private func explanation(of position: Int, by engine: inout Engine) -> Explanation {
        let attestation = attestations[position]
        var recorder = StepRecorder()
        let decision = engine.attest(attestation, symbols: symbols, recorder: &recorder)
        let words = ExplainedSteps(
            engine: engine, symbols: symbols, decision: decision, attestation: attestation, steps: recorder.steps,
            redactor: redactor)
        return Explanation(
            device: symbols.devices[decision.device], time: decision.time, passed: decision.passed,
            policy: engine.policy(of: decision).description, steps: words.explained, flips: flips[position])
    }
}

/// Keeps the result of each step of one attestation.
struct StepRecorder: AttestationRecorder {
    private(set) var steps: [AttestationStep] = []

    mutating func record(_ step: AttestationStep) { steps.append(step) }
}

/// The changes that would turn each verdict: the distinct lists of them, and the number of the list of each attestation.
struct FlipLists {
    private var lists: [[Explanation.Flip]] = []
    private var numbers: [UInt32] = []

    /// The number of distinct lists.
    var count: Int { lists.count }

    /// The list of an attestation.
    subscript(attestation: Int) -> [Explanation.Flip] { lists[Int(numbers[attestation])] }

    /// Adds a list, and returns its number.
    mutating func add(_ list: [Explanation.Flip]) -> UInt32 {
        lists.append(list)
        return UInt32(lists.count - 1)
    }

    /// Gives the next attestation a list that was added.
    mutating func append(_ number: UInt32) { numbers.append(number) }

    /// The same without what the commands say of people.
    func hidden(by redactor: Redactor) -> FlipLists {
        var hidden = self
        hidden.lists = lists.map { list in
            list.map { flip in
                Explanation.Flip(commands: flip.commands.map { RedactedCommand.text($0, by: redactor) })
            }
        }
        return hidden
    }
}
