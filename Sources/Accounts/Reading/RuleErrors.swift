internal import Documents
package import PolicyEngine

// The errors of the rules, and the names that were probably meant.
extension DeviceError: DescribedError {}
extension FlagError: DescribedError {}
extension PatternError: DescribedError {}
extension PolicyError: DescribedError {}
extension ServiceError: DescribedError {}
extension MonitoringError: DescribedError {}
extension AccessError: DescribedError {}
extension TokenError: DescribedError {}
extension TokenIssueError: DescribedError {}
extension TokenKeyError: DescribedError {}

extension FilterError: DescribedError {
    package var choice: (wrong: String, known: [String])? {
        switch self {
        case .missingInput(let name, _, let known), .unknown(let name, let known): (name, known)
        case .invalidName, .noInputs, .repeatedInput, .nestedConjunction, .conjunctionUsedAsInput, .limitReached,
            .duplicate:
            nil
        }
    }
}

extension UserError: DescribedError {
    package var choice: (wrong: String, known: [String])? {
        if case .unknown(let id, let known) = self { (id, known) } else { nil }
    }
}

extension KeySetError: DescribedError {
    package var choice: (wrong: String, known: [String])? {
        if case .unknown(let id, let known) = self { (id, known) } else { nil }
    }
}

extension TokenIssueError {
    package var choice: (wrong: String, known: [String])? {
        if case .unknownDomain(let name, let known) = self { (name, known) } else { nil }
    }
}
