/// Why a filter cannot be.
public enum FilterError: Error, Hashable, Sendable {
    /// Not 1 to 20 lower-case letters, digits and `-` (R7.1).
    case invalidName(String)
    /// A conjunction without inputs.
    case noInputs(String)
    /// A conjunction that names an input twice.
    case repeatedInput(String, of: String)
    /// A conjunction whose input is no filter of the account (R7.4).
    case missingInput(String, of: String, known: [String])
    /// A conjunction whose input is one itself (R7.4).
    case nestedConjunction(String, of: String)
    /// A conjunction that would take the name of another one's input (R7.4).
    case conjunctionUsedAsInput(String, of: String)
    /// It would be the 26th filter (R16).
    case limitReached(String)
    /// Two filters of that name in one list (R7.1).
    case duplicate(String)
    /// No filter of that name.
    case unknown(String, known: [String])
}

extension FilterError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "`\(name)` is not a filter name; use 1 to \(Filter.nameLimit) lower-case letters, digits and `-`"
        case .noInputs(let name): "conjunction `\(name)` has no input"
        case .repeatedInput(let input, let name): "input `\(input)` of conjunction `\(name)` is named twice"
        case .missingInput(let input, let name, _): "input `\(input)` of conjunction `\(name)` is no filter"
        case .nestedConjunction(let input, let name):
            "input `\(input)` of conjunction `\(name)` is a conjunction itself"
        case .conjunctionUsedAsInput(let name, let other):
            "`\(name)` cannot become a conjunction; it is an input of conjunction `\(other)`"
        case .limitReached(let name):
            "filter `\(name)` is one too many; an account has at most \(AccountLimits.filters)"
        case .duplicate(let name): "filter `\(name)` is there already"
        case .unknown(let name, _): "there is no filter `\(name)`"
        }
    }
}

extension FilterError {
    /// What might help, where something can be said that the error itself does not.
    public var hint: String? {
        switch self {
        case .invalidName, .unknown, .missingInput, .repeatedInput: nil
        case .noInputs: "name its inputs, which are ordinary filters"
        case .nestedConjunction, .conjunctionUsedAsInput: "name the inputs of the inner conjunction instead"
        case .limitReached: "remove one, or let one regex stand for several values"
        case .duplicate: "each filter of a list needs a name of its own"
        }
    }
}
