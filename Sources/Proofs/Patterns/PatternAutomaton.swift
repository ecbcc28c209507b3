/// Searches some regular expressions at once, one character after another: a nondeterministic automaton.
///
/// It finds the same as an unanchored search. Its result depends on the characters alone, not on their order of trial.
struct PatternAutomaton {
    private enum Step {
        case character(ScalarSet, next: Int)
        case choice([Int])
        case assertion(PatternAssertion, next: Int)
        case found
    }

    /// The state of a search behind some characters.
    struct Progress: Hashable {
        /// True if something was found; then nothing else matters.
        var isFound = false
        /// The steps that continue behind the characters, in ascending order; those that start anew are left out.
        var steps: [Int] = []
    }

    private var steps: [Step] = [.found]
    private var starts: [Int] = []
    // By step and letter: whether the letter is taken; empty for steps that take none.
    private var takes: [[Bool]] = []

    /// The most steps; a pattern with large counts in counts needs more.
    static let limit = 20_000

    /// - Parameter trees: The expressions to search for; finding one of them is enough.
    /// - Returns: `nil` where the expressions are too large.
    init?(_ trees: [PatternNode]) {
        for tree in trees {
            guard let start = add(tree, before: 0) else { return nil }
            starts.append(start)
        }
    }

    /// The sets of characters that make a difference.
    var sets: [ScalarSet] {
        steps.compactMap { step in
            switch step {
            case .character(let set, _): set
            case .assertion(let assertion, _): assertion.set
            case .choice, .found: nil
            }
        }
    }

    /// True if an assertion asks for words.
    var asksForWords: Bool {
        steps.contains { step in
            if case .assertion(let assertion, _) = step { assertion.asksForWords } else { false }
        }
    }

    /// Prepares it for texts of some letters; ``advance(_:over:)`` then takes letters by number.
    mutating func prepare(for letters: [Letter]) {
        takes = steps.map { step in
            guard case .character(let set, _) = step else { return [] }
            return letters.map { set.contains($0.scalar) }
        }
    }

    // Adds a tree in front of a step.
    private mutating func add(_ tree: PatternNode, before next: Int) -> Int? {
        guard steps.count < Self.limit else { return nil }
        switch tree {
        case .character(let set): return put(.character(set, next: next))
        case .assertion(let assertion): return put(.assertion(assertion, next: next))
        case .sequence(let items):
            var start = next
            for item in items.reversed() {
                guard let added = add(item, before: start) else { return nil }
                start = added
            }
            return start
        case .choice(let items):
            var choices: [Int] = []
            for item in items {
                guard let added = add(item, before: next) else { return nil }
                choices.append(added)
            }
            return put(.choice(choices))
        // A settled expression has none of these.
        case .once: return nil
        case .repeated(let item, let minimum, let maximum):
            return add(item, minimum, maximum, before: next)
        }
    }

    private mutating func add(_ item: PatternNode, _ minimum: Int, _ maximum: Int?, before next: Int) -> Int? {
        var start = next
        if let maximum {
            for _ in 0..<max(0, maximum - minimum) {
                guard let added = add(item, before: start) else { return nil }
                start = put(.choice([added, next]))
            }
        } else {
            let loop = put(.choice([]))
            guard let added = add(item, before: loop) else { return nil }
            steps[loop] = .choice([added, next])
            start = loop
        }
        for _ in 0..<minimum {
            guard let added = add(item, before: start) else { return nil }
            start = added
        }
        return start
    }

    private mutating func put(_ step: Step) -> Int {
        steps.append(step)
        return steps.count - 1
    }
}

// MARK: Searching

extension PatternAutomaton {
    /// Takes one more letter.
    ///
    /// - Parameters:
    ///   - progress: The state of the search.
    ///   - before: The character in front of the letter.
    func advance(
        _ progress: Progress, behind before: PrecedingCharacter, over letter: Letter, _ number: Int
    ) -> Progress {
        guard !progress.isFound else { return progress }
        let (reached, isFound) = reach(progress, between: before, and: letter)
        if isFound { return Progress(isFound: true) }
        var next: Set<Int> = []
        for step in reached where takes[step][number] {
            if case .character(_, let target) = steps[step] { next.insert(target) }
        }
        return Progress(steps: next.sorted())
    }

    /// True if the search finds something in a text that ends here.
    func isFound(_ progress: Progress, atEndBehind before: PrecedingCharacter) -> Bool {
        progress.isFound || reach(progress, between: before, and: nil).isFound
    }

    // The steps that take a character at this position, and whether a match ends here.
    private func reach(
        _ progress: Progress, between before: PrecedingCharacter, and letter: Letter?
    ) -> (steps: [Int], isFound: Bool) {
        var (todo, seen) = (progress.steps + starts, Set<Int>())
        var reached: [Int] = []
        while let step = todo.popLast() {
            guard seen.insert(step).inserted else { continue }
            switch steps[step] {
            case .found: return ([], true)
            case .character: reached.append(step)
            case .choice(let choices): todo += choices
            case .assertion(let assertion, let next):
                if assertion.holds(between: before, and: letter) { todo.append(next) }
            }
        }
        return (reached, false)
    }
}
