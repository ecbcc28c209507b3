internal import Documents
package import PolicyEngine

// The errors of the rules, and the names that were probably meant.
extension DeviceError: DescribedError {}
extension FlagError: DescribedError {}
extension PatternError: DescribedError {}
extension ServiceError: DescribedError {}
extension MonitoringError: DescribedError {}
extension AccessError: DescribedError {}
extension TokenError: DescribedError {}
extension TokenIssueError: DescribedError {}
extension TokenKeyError: DescribedError {}

extension PolicyError: DescribedError {
    /// The whole policy, where a preset was given without the other names.
    package var hint: String? {
        guard case .wrongForm(let text) = self else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let last = names.last, RejectionPreset(rawValue: last) != nil, names.count <= 2 else { return nil }
        return "did you mean \("\(names.count == 2 ? names[0] : "default"),\(last),default".quoted)?"
    }
}

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
