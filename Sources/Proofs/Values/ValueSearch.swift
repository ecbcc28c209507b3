/// Finds the combinations of some classes of tests that a value can be in at once, with the shortest value for each.
///
/// Texts are tried in the order of their length, but for those that all searches continue in the same way.
struct ValueSearch {
    /// A combination that exists.
    struct Row: Sendable {
        /// The classes that the value is in, in ascending order.
        let classes: [Int]
        /// The shortest such value, in characters.
        let value: String
        /// Its length in characters.
        var length: Int { value.unicodeScalars.count }
    }

    private struct State: Hashable {
        var progress: [PatternAutomaton.Progress]
        var before: PrecedingCharacter = .none
        /// True if the latest letter is a newline behind which nothing may come.
        var isEnded = false
    }

    private let letters: [Letter]
    private let automata: [PatternAutomaton]
    // True if every value must match a frame, beside the classes; it is anchored at the start.
    private let hasFrame: Bool

    /// - Parameters:
    ///   - classes: Each class by its tests; to be in it, a value has to pass one.
    ///   - frame: The expression that every value must match, from its first character on; `nil` takes any.
    /// - Returns: `nil` where the tests are too large.
    init?(_ classes: [[PatternNode]], frame: PatternNode? = nil) {
        hasFrame = frame != nil
        var automata: [PatternAutomaton] = []
        for trees in classes + (frame.map { [[$0]] } ?? []) {
            guard let automaton = PatternAutomaton(trees) else { return nil }
            automata.append(automaton)
        }
        letters = Letter.alphabet(
            telling: automata.flatMap(\.sets), areWordsAsked: automata.contains(where: \.asksForWords))
        for index in automata.indices { automata[index].prepare(for: letters) }
        self.automata = automata
    }

    /// All combinations that exist, those with the shortest values first.
    ///
    /// - Throws: ``Undecided`` if there are too many ways to tell values apart, or the budget is spent.
    func rows(_ budget: ProofBudget) throws(Undecided) -> [Row] {
        var states = [State(progress: automata.map { _ in PatternAutomaton.Progress() })]
        var origins: [(state: Int, letter: Int)] = [(-1, -1)]
        var known = Set(states)
        var (rows, found): ([Row], Set<[Int]>) = ([], [])
        var index = 0
        while index < states.count {
            if index % 64 == 0 { try budget.check(.values) }
            let state = states[index]
            if let classes = classes(of: state), found.insert(classes).inserted {
                rows.append(Row(classes: classes, value: text(of: index, origins)))
            }
            for number in letters.indices {
                guard let next = advance(state, number), known.insert(next).inserted else { continue }
                guard states.count < ProofBudget.states else { throw .size(.values) }
                states.append(next)
                origins.append((index, number))
            }
            index += 1
        }
        return rows
    }

    // `nil` where no text may end so.
    private func classes(of state: State) -> [Int]? {
        guard state.before != .newline else { return nil }
        let found = automata.indices.filter { automata[$0].isFound(state.progress[$0], atEndBehind: state.before) }
        guard hasFrame else { return found }
        return found.last == automata.count - 1 ? Array(found.dropLast()) : nil
    }

    private func advance(_ state: State, _ number: Int) -> State? {
        guard !state.isEnded, state.progress.contains(where: { !$0.isFound }) else { return nil }
        let letter = letters[number]
        var next = State(progress: [], before: letter.seenFromBehind, isEnded: letter == .lastNewline)
        next.progress.reserveCapacity(automata.count)
        for (automaton, progress) in zip(automata, state.progress) {
            next.progress.append(automaton.advance(progress, behind: state.before, over: letter, number))
        }
        if hasFrame, let frame = next.progress.last, !frame.isFound, frame.steps.isEmpty { return nil }
        return next
    }

    private func text(of index: Int, _ origins: [(state: Int, letter: Int)]) -> String {
        var (scalars, index): ([Unicode.Scalar], Int) = ([], index)
        while origins[index].state >= 0 {
            if let scalar = Unicode.Scalar(letters[origins[index].letter].scalar) { scalars.append(scalar) }
            index = origins[index].state
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars.reversed())
        return text
    }
}
