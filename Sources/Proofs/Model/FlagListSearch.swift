/// Says by a formula which sets of flags a search in their list finds something in (R7.2), flag by flag.
struct FlagListSearch {
    private struct State: Hashable {
        var progress = PatternAutomaton.Progress()
        var before = PrecedingCharacter.none
    }

    private let names: [[Int]]
    private let letters: [Letter]
    private let comma: Int
    private let automaton: PatternAutomaton

    // The most states behind one flag.
    private static let limit = 5000

    /// - Parameters:
    ///   - trees: What is searched for; finding one of them is enough.
    ///   - names: The flags in the order of the list.
    /// - Returns: `nil` where the expressions are too large.
    init?(_ trees: [PatternNode], names: [String]) {
        guard var automaton = PatternAutomaton(trees) else { return nil }
        let scalars = Set(names.joined().unicodeScalars.map(\.value)).union([0x2C]).sorted()
        letters = scalars.map { Letter($0, isWord: ScalarSet.words.contains($0)) }
        automaton.prepare(for: letters)
        self.automaton = automaton
        let numbers = Dictionary(uniqueKeysWithValues: scalars.enumerated().map { ($1, $0) })
        self.names = names.map { name in name.unicodeScalars.compactMap { numbers[$0.value] } }
        comma = numbers[0x2C] ?? 0
    }

    /// - Parameters:
    ///   - flags: Whether each flag is set, in the order of the list.
    ///   - constraints: Gets names for what is known behind each flag.
    func formula(
        of flags: [Formula], _ constraints: inout Constraints, _ budget: ProofBudget
    ) throws(Undecided) -> Formula {
        var level: [(state: State, holds: Formula)] = [(State(), .yes)]
        for (name, flag) in zip(names, flags) where flag.constant != false {
            try budget.check()
            var numbers: [State: Int] = [:]
            var next: [(state: State, parts: [Formula])] = []
            func add(_ state: State, _ part: Formula) {
                if let known = numbers[state] {
                    next[known].parts.append(part)
                } else {
                    numbers[state] = next.count
                    next.append((state, [part]))
                }
            }
            for (state, holds) in level {
                if flag.constant != true { add(state, holds && !flag) }
                add(appending(name, to: state), holds && flag)
            }
            guard next.count <= Self.limit else { throw .size }
            level = next.map { ($0.state, constraints.name(.disjunction($0.parts))) }
        }
        let found = level.filter { automaton.isFound($0.state.progress, atEndBehind: $0.state.before) }
        return .disjunction(found.map(\.holds))
    }

    private func appending(_ name: [Int], to state: State) -> State {
        var state = state
        for number in (state.before == .none ? [] : [comma]) + name {
            let letter = letters[number]
            state.progress = automaton.advance(state.progress, behind: state.before, over: letter, number)
            state.before = letter.seenFromBehind
        }
        return state
    }
}
