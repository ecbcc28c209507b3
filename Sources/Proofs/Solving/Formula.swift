/// A statement about variables, each of which is true or false.
indirect enum Formula: Sendable {
    case constant(Bool)
    case variable(Int)
    case not(Formula)
    case all([Formula])
    case any([Formula])

    static let yes = Formula.constant(true)
    static let no = Formula.constant(false)

    /// Its value, if that does not depend on the variables.
    var constant: Bool? { if case .constant(let value) = self { value } else { nil } }

    /// All of some statements.
    static func conjunction(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.constant == false }) { return .no }
        let open = parts.filter { $0.constant == nil }
        return open.isEmpty ? .yes : open.count == 1 ? open[0] : .all(open)
    }

    /// At least one of some statements.
    static func disjunction(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.constant == true }) { return .yes }
        let open = parts.filter { $0.constant == nil }
        return open.isEmpty ? .no : open.count == 1 ? open[0] : .any(open)
    }

    static prefix func ! (formula: Formula) -> Formula {
        switch formula {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        case .variable, .all, .any: .not(formula)
        }
    }

    static func && (left: Formula, right: Formula) -> Formula { conjunction([left, right]) }

    static func || (left: Formula, right: Formula) -> Formula { disjunction([left, right]) }

    /// True if it holds where the variables have these values.
    func holds(in values: [Bool]) -> Bool {
        switch self {
        case .constant(let value): value
        case .variable(let number): values[number]
        case .not(let inner): !inner.holds(in: values)
        case .all(let parts): parts.allSatisfy { $0.holds(in: values) }
        case .any(let parts): parts.contains { $0.holds(in: values) }
        }
    }
}

/// Statements that must all hold, over variables of their own.
struct Constraints {
    /// The number of variables.
    private(set) var variableCount = 0
    private(set) var statements: [Formula] = []
    /// Variables of which exactly one is true.
    private(set) var alternatives: [[Formula]] = []

    // The variables by their subjects.
    private var known: [AnyHashable: Formula] = [:]

    /// The variable of a subject, the same each time.
    mutating func variable(for subject: some Hashable) -> Formula {
        if let variable = known[subject] { return variable }
        let variable = variable()
        known[subject] = variable
        return variable
    }

    /// A new variable.
    mutating func variable() -> Formula {
        variableCount += 1
        return .variable(variableCount - 1)
    }

    /// A short name of a statement.
    mutating func name(_ formula: Formula) -> Formula {
        switch formula {
        case .constant, .variable, .not(.variable): return formula
        case .not, .all, .any: break
        }
        let name = variable()
        require(!name || formula)
        require(name || !formula)
        return name
    }

    /// Demands that a statement holds.
    mutating func require(_ formula: Formula) {
        if formula.constant != true { statements.append(formula) }
    }

    /// New variables, exactly one of which is true.
    mutating func oneOf(_ count: Int) -> [Formula] {
        guard count > 1 else { return [.yes] }
        let variables = (0..<count).map { _ in variable() }
        alternatives.append(variables)
        return variables
    }
}
