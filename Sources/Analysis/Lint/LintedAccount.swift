internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

/// An account with the positions of its parts.
struct LintedAccount {
    let account: Account
    /// The file that it is in.
    let source: SourceFile
    /// The scenario that it is part of; `nil` for a file of its own. Accounts of different scenarios never meet.
    let scenario: String?
    /// The attributes that devices or records beside it have.
    var attributes: Set<ExactText> = []
    /// The exemptions that were to expire before the instant of the check.
    var expired: [LintExpiry] = []
    private let node: Node?

    /// - Parameter node: The account's mapping, if its text is there.
    init(_ account: Account, in source: SourceFile, at node: Node?, isPartOfScenario: Bool) {
        self.account = account
        self.source = source
        self.node = node
        scenario = isPartOfScenario ? source.path : nil
    }

    /// The position of the account's start.
    var position: SourcePosition? { node?.position }

    /// The position of a key's value in the account.
    func position(of key: String) -> SourcePosition? { value(of: key, in: node)?.position ?? position }

    /// The position of a filter's name.
    func position(ofFilter name: String) -> SourcePosition? { position(of: name, key: "name", in: "filters") }

    /// The position of an API domain's name.
    func position(ofDomain name: String) -> SourcePosition? { position(of: name, key: "domain", in: "apis") }

    /// The position of a device entry's ID.
    func position(ofDevice id: DeviceID) -> SourcePosition? { position(of: id.description, key: "id", in: "devices") }

    private func position(of text: String, key: String, in list: String) -> SourcePosition? {
        guard let list = value(of: list, in: node), case .sequence(let entries) = list.content else { return position }
        for entry in entries {
            guard let name = value(of: key, in: entry), case .scalar(text, _) = name.content else { continue }
            return name.position
        }
        return position
    }

    private func value(of key: String, in node: Node?) -> Node? {
        guard let node, case .mapping(let entries) = node.content else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

/// A scenario, and the file that it is in.
struct LintedScenario {
    let scenario: Scenario
    let source: SourceFile
}

/// The counts of a capture under an account.
struct CountedCapture {
    /// The capture's path.
    let capture: String
    let figures: Figures
}
