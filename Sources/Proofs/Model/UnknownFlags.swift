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
        let (finding, missing) = (walk.places(leadingTo: true), walk.places(leadingTo: false))
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
        struct Place: Hashable {
            let state: FlagListSearch.State
            /// The node of the declared names that these letters are; `nil` where no declared name begins so.
            let node: Int?
        }

        private let search: FlagListSearch
        private let names: NameTree
        private let lettersOfNames: [Int]
        private var places: [Place] = []
        private var numbers: [Place: Int] = [:]
        private var origins: [(place: Int, letter: Int)?] = []
        private var followers: [[Int]] = []

        init(_ search: FlagListSearch) {
            self.search = search
            names = NameTree(search.names)
            lettersOfNames = search.letters.indices.filter { number in
                !UnknownFlags.neverInNames.contains(search.letters[number].scalar)
            }
        }

        // In front of the first unknown flag.
        mutating func start(behind state: FlagListSearch.State) -> Int {
            let isFirst = state.before == .none
            return number(Place(state: isFirst ? state : search.advance(state, over: search.comma), node: 0), from: nil)
        }

        private mutating func number(_ place: Place, from origin: (place: Int, letter: Int)?) -> Int {
            if let known = numbers[place] { return known }
            numbers[place] = places.count
            places.append(place)
            origins.append(origin)
            followers.append([])
            return places.count - 1
        }

        /// Visits all places.
        ///
        /// - Returns: True if there are no more than `limit`.
        mutating func goOn(upTo limit: Int, _ budget: ProofBudget) throws(Undecided) -> Bool {
            var index = 0
            while index < places.count {
                if index % 64 == 0 { try budget.check(.lists) }
                guard places.count <= limit else { return false }
                let place = places[index]
                // A match stays a match behind further letters.
                if !place.state.progress.isFound {
                    for letter in lettersOfNames {
                        follow(index, letter, node: place.node.flatMap { names.next($0, letter) })
                    }
                    if isName(place) { follow(index, search.comma, node: 0) }
                }
                index += 1
            }
            return true
        }

        private mutating func follow(_ index: Int, _ letter: Int, node: Int?) {
            let next = Place(state: search.advance(places[index].state, over: letter), node: node)
            followers[index].append(number(next, from: (index, letter)))
        }

        // True if a name of a flag that no account declares ends here.
        private func isName(_ place: Place) -> Bool { place.node.map { $0 != 0 && !names.isName($0) } ?? true }

        // The result of the search in a list that ends here; `nil` if none can end here.
        private func outcome(_ place: Place) -> Bool? {
            if place.state.progress.isFound { return true }
            return isName(place) ? search.isFound(place.state) : nil
        }

        /// The places from which a list can go on to an outcome.
        func places(leadingTo outcome: Bool) -> Set<Int> {
            var origins = places.map { _ in [Int]() }
            for (index, next) in followers.enumerated() {
                for follower in next { origins[follower].append(index) }
            }
            var todo = places.indices.filter { self.outcome(places[$0]) == outcome }
            var reached = Set(todo)
            while let index = todo.popLast() {
                for origin in origins[index] where reached.insert(origin).inserted { todo.append(origin) }
            }
            return reached
        }

        /// The shortest flags with an outcome that the list would not have without them.
        func firstDifference(from starts: [(place: Int, isFound: Bool)]) -> String? {
            let usual = Dictionary(starts.map { ($0.place, $0.isFound) }) { first, _ in first }
            for index in places.indices {
                guard let outcome = outcome(places[index]) else { continue }
                var (text, at): (String.UnicodeScalarView, Int) = (.init(), index)
                while let origin = origins[at] {
                    if let scalar = Unicode.Scalar(search.letters[origin.letter].scalar) { text.append(scalar) }
                    at = origin.place
                }
                // A match within a declared name is one of another flag if the name goes on.
                let isWhole = isName(places[index])
                if let isFound = usual[at], isFound != outcome, !text.isEmpty {
                    return String(String.UnicodeScalarView(text.reversed())) + (isWhole ? "" : "-x")
                }
            }
            return nil
        }
    }

    /// The declared names, letter by letter.
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
