internal import PolicyEngine

/// The effects of flags that no account declares on a search in the list of flags: they are behind all others (R2.3).
struct UnknownFlags {
    /// The states behind the declared flags in which the result depends on the undeclared ones.
    let turned: Set<FlagListSearch.State>
    /// Flags that make a difference, the shortest, as they are written in a list.
    let example: String?

    /// The characters that no name of a flag has: white space, control characters and the comma.
    static let neverInNames = ScalarSet([0x00...0x20, 0x2C...0x2C])

    // The maximum number of places that are visited.
    private static let limit = 50_000

    /// - Parameters:
    ///   - search: The search, with the declared flags as its names.
    ///   - states: The states behind the declared flags.
    init(_ search: FlagListSearch, from states: [FlagListSearch.State], _ budget: ProofBudget) throws(Undecided) {
        var walk = Walk(search)
        let starts = states.map { walk.start(behind: $0) }
        guard try walk.goOn(upTo: Self.limit, budget) else {
            (turned, example) = (Set(states), nil)
            return
        }
        let (finding, missing) = (walk.positions(leadingTo: true), walk.positions(leadingTo: false))
        var turned: Set<FlagListSearch.State> = []
        for (state, start) in zip(states, starts) where (search.isFound(state) ? missing : finding).contains(start) {
            turned.insert(state)
        }
        self.turned = turned
        example = walk.firstDifference(from: zip(starts, states).map { ($0, search.isFound($1)) })
    }

    /// A search in flags that no account declares, letter by letter.
    private struct Walk {
        /// Behind some letters of a name.
        struct Position: Hashable {
            let state: FlagListSearch.State
            /// The node of the declared and the impossible names that these letters are; `nil` where none of them begins so.
            let node: Int?
        }

        private let search: FlagListSearch
        private let names: NameTree
        private let lettersOfNames: [Int]
        private var numbers = Numbering<Position>()
        private var positions: [Position] { numbers.keys }
        private var origins: [(position: Int, letter: Int)?] = []
        private var followers: [[Int]] = []

        init(_ search: FlagListSearch) {
            self.search = search
            names = NameTree(search.names + search.impossibleNames)
            lettersOfNames = search.letters.indices.filter { number in
                !UnknownFlags.neverInNames.contains(search.letters[number].scalar)
            }
        }

        // In front of the first unknown flag.
        mutating func start(behind state: FlagListSearch.State) -> Int {
            let isFirst = state.before == .none
            return number(
                Position(state: isFirst ? state : search.advance(state, over: search.comma), node: 0), from: nil)
        }

        private mutating func number(_ position: Position, from origin: (position: Int, letter: Int)?) -> Int {
            let number = numbers.number(of: position)
            if number == origins.count {
                origins.append(origin)
                followers.append([])
            }
            return number
        }

        /// Visits all places.
        ///
        /// - Returns: True if there are no more than `limit`.
        mutating func goOn(upTo limit: Int, _ budget: ProofBudget) throws(Undecided) -> Bool {
            var index = 0
            while index < positions.count {
                if index % 64 == 0 { try budget.check(.lists) }
                guard positions.count <= limit else { return false }
                let position = positions[index]
                // A match stays a match behind further letters.
                if !position.state.progress.isFound {
                    for letter in lettersOfNames {
                        follow(index, letter, node: position.node.flatMap { names.next($0, letter) })
                    }
                    if isName(position) { follow(index, search.comma, node: 0) }
                }
                index += 1
            }
            return true
        }

        private mutating func follow(_ index: Int, _ letter: Int, node: Int?) {
            let next = Position(state: search.advance(positions[index].state, over: letter), node: node)
            followers[index].append(number(next, from: (index, letter)))
        }

        // True if a name of a flag that no account declares ends here.
        private func isName(_ position: Position) -> Bool { position.node.map { $0 != 0 && !names.isName($0) } ?? true }

        // The result of the search in a list that ends here; `nil` if none can end here.
        private func outcome(_ position: Position) -> Bool? {
            if position.state.progress.isFound { return true }
            return isName(position) ? search.isFound(position.state) : nil
        }

        /// The places from which a list can continue to an outcome.
        func positions(leadingTo outcome: Bool) -> Set<Int> {
            var origins = positions.map { _ in [Int]() }
            for (index, next) in followers.enumerated() {
                for follower in next { origins[follower].append(index) }
            }
            var todo = positions.indices.filter { self.outcome(positions[$0]) == outcome }
            var reached = Set(todo)
            while let index = todo.popLast() {
                for origin in origins[index] where reached.insert(origin).inserted { todo.append(origin) }
            }
            return reached
        }

        /// The shortest flags with an outcome that the list would not have without them.
        func firstDifference(from starts: [(position: Int, isFound: Bool)]) -> String? {
            let usual = Dictionary(starts.map { ($0.position, $0.isFound) }) { first, _ in first }
            for index in positions.indices {
                guard let outcome = outcome(positions[index]) else { continue }
                var (text, at): (String.UnicodeScalarView, Int) = (.init(), index)
                while let origin = origins[at] {
                    if let scalar = Unicode.Scalar(search.letters[origin.letter].scalar) { text.append(scalar) }
                    at = origin.position
                }
                // A match within a declared name is one of another flag if the name continues.
                let isWhole = isName(positions[index])
                if let isFound = usual[at], isFound != outcome, !text.isEmpty {
                    return String(String.UnicodeScalarView(text.reversed())) + (isWhole ? "" : "-x")
                }
            }
            return nil
        }
    }

    /// The names that no undeclared flag has, letter by letter.
    private struct NameTree {
        private var children: [[Int: Int]] = [[:]]
        private var ends: Set<Int> = []

        init(_ names: [[Int]]) {
            for name in names {
                var node = 0
                for letter in name {
                    if let known = children[node][letter] {
                        node = known
                    } else {
                        children.append([:])
                        children[node][letter] = children.count - 1
                        node = children.count - 1
                    }
                }
                ends.insert(node)
            }
        }

        /// The node behind one more letter.
        func next(_ node: Int, _ letter: Int) -> Int? { children[node][letter] }

        /// True if a name ends here.
        func isName(_ node: Int) -> Bool { ends.contains(node) }
    }
}
