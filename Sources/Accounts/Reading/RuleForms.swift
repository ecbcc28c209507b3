package import Documents
package import PolicyEngine

/// The forms of the rules' texts, for schemas.
package enum RuleForms {
    /// The name of a flag: one of the catalogue, which editors complete, or one that an account declares.
    package static let flag = JSONSchema.any(of: [
        .words(FlagCatalogue().declaredNames), .textOrNumber(matching: name).naming(.flag),
    ])

    /// A security policy (R3.1).
    package static let policy = policy(rejections: RejectionPreset.allCases.map(\.rawValue))

    /// A security policy whose rejection part is one of these words.
    package static func policy(rejections: [String]) -> JSONSchema {
        let annotations = "\(alternatives(AnnotationPolicy.presetNames))|\(name)(\\+\(name))*"
        return .text(matching: "\(name),\(alternatives(rejections)),(\(annotations))").naming(.policy)
    }

    /// A regular expression for flags and rule sets.
    package static let name = "[a-z0-9-]{1,64}"

    /// A device ID (R1.1).
    package static let deviceID = JSONSchema.text(matching: "[A-Za-z0-9+/]{\(DeviceID.length - 2)}==")
        .naming(.device)

    /// The pin of a key (R18.1).
    package static let pin = JSONSchema.text(matching: "key:.+|[A-Za-z0-9+/]{43}=")

    /// The name of an API domain.
    package static let domain = JSONSchema.textOrNumber(matching: "[A-Za-z0-9.-]+").naming(.domain)

    /// The name of a filter (R7.1).
    package static let filterName = JSONSchema.textOrNumber(matching: "[a-z0-9-]{1,\(Filter.nameLimit)}").naming(
        .filter)

    private static func alternatives(_ words: [String]) -> String { "(" + words.joined(separator: "|") + ")" }
}

/// The kinds of names in accounts and scenarios.
extension NameKind {
    package static let flag = NameKind("flag")
    package static let filter = NameKind("filter")
    package static let device = NameKind("device")
    package static let domain = NameKind("domain")
    /// An attribute of records and devices, such as `appid`.
    package static let attribute = NameKind("attribute")
    /// A whole security policy, such as `default,allow-root,risk`.
    package static let policy = NameKind("policy")
    /// A management command, in which there are names, too.
    package static let command = NameKind("command")
    /// The path of an account.
    package static let accountFile = NameKind("account file")
}

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
    /// The whole policy, where a preset was given without one or both of the other names.
    package var hint: String? {
        guard case .wrongForm(let text) = self else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let whole = Self.whole(names) else { return nil }
        return "did you mean \(whole.joined(separator: ",").quoted)?"
    }

    // `default` may be any of the three names; another preset is the rejection policy.
    private static func whole(_ names: [String]) -> [String]? {
        func isPreset(_ name: String) -> Bool { RejectionPreset(rawValue: name) != nil }
        guard let first = names.first, let last = names.last, names.count <= 2 else { return nil }
        if names.count == 2, first != "default", isPreset(first) { return ["default", first, last] }
        guard isPreset(last) else { return nil }
        return [names.count == 2 ? first : "default", last, "default"]
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
