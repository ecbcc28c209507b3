/// Finds the smallest device of a model.
struct SmallestDevice {
    private let model: RuleModel
    private let solver: Solver

    init(_ model: RuleModel, _ solver: Solver) {
        (self.model, self.solver) = (model, solver)
    }

    /// The values of the model's variables for the smallest device: with the fewest attestations during outages; of those
    /// with the fewest flags, then attributes, then with the fewest characters in them, then one without an entry of its own.
    ///
    /// - Returns: `nil` where there is no device at all.
    func values(_ budget: ProofBudget) throws(Undecided) -> [Bool]? {
        solver.push()
        defer { solver.pop() }
        guard var values = try solver.values(budget) else { return nil }
        let records = model.records
        let attributes = records.flatMap { zip(model.space.attributes, $0.values) }
        let sizes: [[(formula: Formula, weight: Int)]] = [
            records.map(\.isInOutage).filter { $0.constant == nil }.map { ($0, 1) },
            records.flatMap(\.flags).filter { $0.constant == nil }.map { ($0, 1) },
            attributes.map { (!$1[0], 1) },
            attributes.flatMap { attribute, chosen in
                zip(model.isLoose ? attribute.looseRows : attribute.rows, chosen.dropFirst())
                    .map { ($1, $0.length) }
            },
            [(!model.kinds[0], 1)],
        ]
        for size in sizes { values = try smallest(size, from: values, budget) }
        return try first(from: values, budget)
    }

    // Of devices of the same size the one that comes first: with the flags that come first in the catalogue, then the
    // values, the entry and the ID. So the answer does not depend on the order in which Z3 tries values.
    private func first(from values: [Bool], _ budget: ProofBudget) throws(Undecided) -> [Bool] {
        var values = values
        let flags = model.records.flatMap(\.flags)
        // Any device of this size has the same number of flags; behind the last of them there is nothing to choose.
        var left = flags.count { $0.holds(in: values) }
        for flag in flags where left > 0 {
            values = try preferring([flag], from: values, budget)
            if flag.holds(in: values) { left -= 1 }
        }
        let choices = model.records.flatMap(\.values) + [model.kinds, model.identityRows]
        for choice in choices + model.isSampled.map({ [!$0] })
            + model.records.flatMap({ $0.isLate + [$0.isInOutage] }).map({ [!$0] })
        {
            values = try preferring(choice, from: values, budget)
        }
        return values
    }

    // Settles the first of some alternatives that there is.
    private func preferring(
        _ choice: [Formula], from values: [Bool], _ budget: ProofBudget
    ) throws(Undecided) -> [Bool] {
        for formula in choice {
            if formula.holds(in: values) {
                solver.require(formula)
                return values
            }
            if formula.constant == false { continue }
            solver.push()
            solver.require(formula)
            let found = try solver.values(budget)
            solver.pop()
            solver.require(found == nil ? !formula : formula)
            if let found { return found }
        }
        return values
    }

    // Makes a size as small as it can be, and keeps it so.
    private func smallest(
        _ size: [(formula: Formula, weight: Int)], from values: [Bool], _ budget: ProofBudget
    ) throws(Undecided) -> [Bool] {
        var values = values
        var (low, high) = (0, sum(size, values))
        while low < high {
            // Sizes are small, so the smallest are tried first.
            let middle = low + min(2, (high - low) / 2)
            solver.push()
            solver.requireAtMost(middle, of: size)
            let found = try solver.values(budget)
            solver.pop()
            if let found {
                (values, high) = (found, sum(size, found))
            } else {
                low = middle + 1
            }
        }
        solver.requireAtMost(high, of: size)
        return values
    }

    private func sum(_ size: [(formula: Formula, weight: Int)], _ values: [Bool]) -> Int {
        size.reduce(0) { $0 + ($1.formula.holds(in: values) ? $1.weight : 0) }
    }
}
