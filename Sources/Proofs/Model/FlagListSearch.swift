internal import PolicyEngine

/// Finds by formulas the sets of flags in whose list a search finds something (R7.2), flag by flag.
struct FlagListSearch {
    /// The state of a search behind some flags.
    struct State: Hashable, Sendable {
        var progress = PatternAutomaton.Progress()
        var before = PrecedingCharacter.none
    }

    /// The letters of lists, one for all characters that nothing tells apart.
    let letters: [Letter]
    /// The letters of each flag, in the order of the list.
    let names: [[Int]]
    /// The letters of each name that no flag of a list has (R2.2, R2.3, R7.2).
    let impossibleNames: [[Int]]
    let comma: Int
    private let automaton: PatternAutomaton

    // Flags that lists leave out, and a name that is read as another flag.
    private static let neverListed = ["new-did", "risky-device", FlagCatalogue.misspelt]

    // The most states behind one flag.
    private static let limit = 5000

    /// - Parameters:
    ///   - tree: The expression to search for.
    ///   - names: The flags in the order of the list.
    /// - Returns: `nil` where the expression is too large.
    init?(_ tree: PatternNode, names: [String]) {
        guard var automaton = PatternAutomaton([tree]) else { return nil }
        let singles = Set((names + Self.neverListed).joined(separator: ",").unicodeScalars + [","]).sorted()
        letters = Letter.alphabet(
            telling: automaton.sets + [UnknownFlags.neverInNames] + singles.map { ScalarSet($0) },
            areWordsAsked: automaton.asksForWords)
        automaton.prepare(for: letters)
        self.automaton = automaton
        let numbers = Dictionary(letters.enumerated().map { ($1.scalar, $0) }) { first, _ in first }
        let spelt = { (name: String) in name.unicodeScalars.compactMap { numbers[$0.value] } }
        (self.names, impossibleNames) = (names.map(spelt), Self.neverListed.map(spelt))
        comma = numbers[0x2C] ?? 0
    }

    /// The states that the search can have behind all flags, each with the formula that it has it.
    ///
    /// - Parameters:
    ///   - flags: The formula of each flag, in the order of the list.
    ///   - constraints: Gets names for the formulas behind each flag.
    func states(
        of flags: [Formula], _ constraints: inout Constraints, _ budget: ProofBudget
    ) throws(Undecided) -> [(state: State, holds: Formula)] {
        var level: [(state: State, holds: Formula)] = [(State(), .yes)]
        for (name, flag) in zip(names, flags) where flag.constant != false {
            try budget.check(.lists)
            var (next, parts) = (Numbering<State>(), [[Formula]]())
            func add(_ state: State, _ part: Formula) {
                let number = next.number(of: state)
                if number == parts.count { parts.append([part]) } else { parts[number].append(part) }
            }
            for (state, holds) in level {
                if flag.constant != true { add(state, holds && !flag) }
                add(appending(name, to: state), holds && flag)
            }
            guard next.count <= Self.limit else { throw .size(.lists) }
            level = zip(next.keys, parts).map { ($0, constraints.name(.disjunction($1))) }
        }
        return level
    }

    /// The states that the search can have behind all flags, any of which may be set.
    func states(_ budget: ProofBudget) throws(Undecided) -> [State] {
        var constraints = Constraints()
        let flags = names.map { _ in constraints.variable() }
        return try states(of: flags, &constraints, budget).map(\.state)
    }

    /// True if something is found in a list that ends here.
    func isFound(_ state: State) -> Bool { automaton.isFound(state.progress, atEndBehind: state.before) }

    /// The state of the search behind one more letter.
    func advance(_ state: State, over number: Int) -> State {
        let letter = letters[number]
        return State(
            progress: automaton.advance(state.progress, behind: state.before, over: letter, number),
            before: letter.seenFromBehind)
    }

    private func appending(_ name: [Int], to state: State) -> State {
        ((state.before == .none ? [] : [comma]) + name).reduce(state) { advance($0, over: $1) }
    }
}
