internal import Accounts
internal import Documents
internal import PolicyEngine

/// An expectation about the fetches of a step.
package struct FetchExpectation: Sendable {
    /// Which of the fetches it is about.
    let target: Target
    let position: SourcePosition
    let checks: [Item]
    /// True if it may hold because nothing happened.
    let allowsVacuous: Bool

    enum Target: Hashable, Sendable {
        /// Every fetch of the step.
        case all
        /// The fetches of a group, by its index.
        case group(Int)
        /// The fetches of one device.
        case device(DeviceID)
    }

    /// A check by its key, at the position of that key.
    struct Item: Sendable {
        let key: String
        let position: SourcePosition
        let expected: Expected
    }

    /// The keys that check nothing.
    private static let besideChecks: [(name: String, schema: JSONSchema)] = [
        ("group", .group.described(as: StepHelp.group)),
        (
            "device",
            .text.naming(.groupOrDevice).described(as: "The device, or the group of one device, that is meant.")
        ),
        ("vacuous", ValueForm.vacuous.schema),
    ]

    /// The form of an expectation.
    static var schema: JSONSchema {
        .object(Check.all.map { (name: $0.key, schema: $0.form(.any).schema.described(as: $0.help)) } + besideChecks)
    }

    /// Reads an expectation.
    ///
    /// - Parameters:
    ///   - step: The action whose fetches it is about.
    ///   - scope: The groups of the scenario.
    ///   - names: The names that accounts know, by their indices.
    /// - Returns: `nil` after noting an error.
    init?(
        _ node: Node, of step: any ExpectingAction, in scope: ScenarioScope, names: (Set<Int>) -> ExpectedNames,
        _ reader: inout DocumentReader
    ) {
        guard var fields = reader.mapping(node, "an expectation"),
            let target = Self.target(&fields, step.groups, scope, &reader)
        else { return nil }
        allowsVacuous = fields.take("vacuous").flatMap { ValueForm.vacuous.read($0, "`vacuous`", &reader) } ?? false
        var groups = step.groups
        if case .group(let index) = target { groups = [index] }
        let context = CheckContext(step: step, names: names(Set(groups.map { scope.groups[$0].account })))
        let keys = step.checks
        checks = fields.entries.filter { keys.contains($0.key) }.compactMap { entry in
            Check.named(entry.key)?.form(context).read(entry.value, entry.key.quoted, &reader).map {
                Item(key: entry.key, position: entry.keyPosition, expected: $0)
            }
        }
        fields.allow(keys)
        fields.finish(&reader)
        if fields.entries.allSatisfy({ entry in Self.besideChecks.contains { $0.name == entry.key } }) {
            reader.error("the expectation has nothing to check", at: node.position)
        }
        (self.target, position) = (target, node.position)
    }

    private static func target(
        _ fields: inout DocumentMapping, _ groups: [Int], _ scope: ScenarioScope, _ reader: inout DocumentReader
    ) -> Target? {
        let (groupNode, deviceNode) = (fields.take("group"), fields.take("device"))
        if let groupNode {
            if let deviceNode { reader.error("`device` cannot be combined with `group`", at: deviceNode.position) }
            if case .scalar("all", _) = groupNode.content { return .all }
            let index = scope.group(groupNode, &reader)
            return index.flatMap { target($0, groups, scope, at: groupNode.position, &reader) }
        }
        guard let deviceNode else { return .all }
        guard let text = reader.text(deviceNode, "`device`") else { return nil }
        if let index = scope.index(ofGroup: text), scope.groups[index].count == 1 {
            return target(index, groups, scope, at: deviceNode.position, &reader)
        }
        return DeviceLoader.id(deviceNode, &reader).map { .device($0) }
    }

    private static func target(
        _ index: Int, _ groups: [Int], _ scope: ScenarioScope, at position: SourcePosition,
        _ reader: inout DocumentReader
    ) -> Target? {
        if groups.contains(index) { return .group(index) }
        reader.error("group \(scope.groups[index].name.quoted) does not fetch here", at: position)
        return nil
    }
}

extension ValueForm<Bool> {
    /// `allowed`, by which an expectation says that it may hold because nothing happened.
    static var vacuous: ValueForm {
        let form = ValueForm<String>.word(["allowed"]).map { _ in true }
        return form.described(
            by: form.schema.described(as: "With allowed, the expectation may hold because nothing happened."))
    }
}

/// The names that expectations may use: those known to any of the accounts whose devices fetch.
struct ExpectedNames: Sendable {
    let accounts: [Account]
    /// Every filter that one of them has at some time.
    let filters: Set<String>

    /// Notes an error for a name that nothing can have: an expectation of 0 of it would hold for ever.
    func check(
        _ name: String, at position: SourcePosition, _ aspect: NameAspect, _ reader: inout DocumentReader
    ) {
        switch aspect {
        case .flags, .annotations: checkFlag(name, at: position, &reader)
        case .filters: checkFilter(name, at: position, &reader)
        case .rejections:
            switch Rejection(name) {
            case .flag: checkFlag(name, at: position, &reader)
            case .filter(let filter): checkFilter(filter.text, at: position, &reader)
            case .blacklist: break
            }
        }
    }

    /// Notes an error for a flag that none of the accounts knows.
    func checkFlag(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        _ = FlagLoader.flag(name, at: position, among: accounts.map(\.catalogue), &reader)
    }

    private func checkFilter(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        guard !filters.contains(name) else { return }
        reader.error(
            "unknown filter \(name.quoted)", at: position, hint: Suggestion.hint(for: name, among: filters.sorted()))
    }

    /// Notes an error for a policy that can be applied under none of the accounts.
    ///
    /// - Returns: True if there was none.
    func checkPolicy(_ text: String, at position: SourcePosition, _ reader: inout DocumentReader) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // `custom` cannot be set, but it can be applied (R4.4).
        let isCustom = parts.count == 3 && parts[1] == RejectionPolicy.customName
        let known = isCustom ? "\(parts[0]),default,\(parts[2])" : text
        var problems: [PolicyError] = []
        for account in accounts {
            do throws(PolicyError) {
                // The filtered policy may have rules that the account lacks (R3.2).
                _ = try account.filteredSecurityPolicy(known)
            } catch {
                problems.append(error)
            }
        }
        guard problems.count == accounts.count, let problem = problems.first else { return true }
        reader.error(problem, at: position)
        return false
    }
}
