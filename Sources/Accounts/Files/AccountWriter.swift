internal import Documents
package import PolicyEngine

/// Makes an account's document say a changed account; what did not change is not touched.
struct AccountWriter {
    private let before: Account
    private let after: Account
    private var editor: DocumentEditor

    /// The changed text.
    ///
    /// - Parameters:
    ///   - text: The text that says `before`.
    ///   - root: The tree of the text.
    ///   - before: The account as it was read.
    ///   - after: The account that it is to say.
    /// - Throws: ``EditFailure``; the result is read, but not checked to say `after`.
    static func text(
        _ text: String, root: Node, from before: Account, to after: Account
    ) throws(EditFailure) -> String {
        var writer = AccountWriter(before: before, after: after, editor: DocumentEditor(text: text, root: root))
        let changed = Set(AccountChange(from: before, to: after).parts)
        for key in AccountKey.allCases where !changed.isDisjoint(with: key.field.parts) { try writer.write(key) }
        return writer.editor.text.string
    }

    private mutating func write(_ key: AccountKey) throws(EditFailure) {
        switch key {
        case .policy: try set([Self.policy(after.policy)])
        case .rejectFlags: try writeRejectFlags()
        case .responseCodes, .ipTracking, .audience, .issuer, .pinningTestURL, .samplingPercentage, .keys:
            let field = key.field.value
            if let new = field.write(after), field.write(before) != new { try set([new]) }
        case .filters:
            try write(key, before.filters, after.filters, FilterFields.fields) { $0.name == $1.name }
        case .devices:
            try write(key, before.devices, after.devices, DeviceFields.fields) { $0.id == $1.id }
        case .team:
            if let settings = after.deviceCheck, hasTeam {
                try set([DocumentField(key.rawValue, settings.teamID)])
            }
        case .deviceCheck:
            if let settings = after.deviceCheck {
                try set(DeviceCheckFields.fields(of: settings, hasTeam: hasTeam), under: key)
            }
        case .safetyNet:
            if let settings = after.safetyNet {
                try set(SafetyNetFields.fields(of: settings), under: key)
            }
        case .certificates:
            try write(key, before.certificates, after.certificates, value: CertificateFields.value, isSame: ==)
        case .registrations: try writeRegistrations()
        case .domains:
            try write(key, before.apiDomains, after.apiDomains, DomainFields.all.values(of:)) { $0.name == $1.name }
            if after.listsAPIDomains { try writeList(key) }
        case .users:
            try write(key, before.users ?? [], after.users ?? [], UserFields.fields) { $0.id == $1.id }
            if after.users != nil { try writeList(key) }
        case .monitoring: try set(MonitoringFields.fields(of: after.monitoring), under: key)
        // No command changes these.
        case .account, .rules, .flags, .features, .secureStrings, .developmentKey, .propagation, .grace, .billingDay,
            .delegateAccounts:
            break
        }
    }

    private var hasTeam: Bool { editor.node(at: [.key(AccountKey.team.rawValue)]) != nil }

    // A policy that was edited by hand starts from its preset.
    static func policy(_ policy: SecurityPolicy) -> DocumentField {
        let text = "\(policy.rules),\(policy.rejection.base.rawValue),\(policy.annotation.text)"
        return DocumentField(AccountKey.policy.rawValue, text, isNeeded: text != SecurityPolicy.initial.description)
    }

    private mutating func writeRejectFlags() throws(EditFailure) {
        let key = AccountKey.rejectFlags
        guard after.policy.rejection.isCustom else {
            return try set([DocumentField(key.rawValue, nil as DocumentValue?)])
        }
        try set(rejectFlags, under: key)
    }

    // MARK: Parts

    private mutating func set(_ fields: [DocumentField]) throws(EditFailure) {
        try editor.set(fields, at: [], order: AccountKey.allCases.map(\.rawValue))
    }

    // A mapping that is made where it is missing.
    private mutating func set(_ fields: [DocumentField], under key: AccountKey) throws(EditFailure) {
        if editor.node(at: [.key(key.rawValue)]) == nil {
            try set([DocumentField(key.rawValue, DocumentValue.mapping(fields))])
        } else {
            try editor.set(fields, at: [.key(key.rawValue)])
        }
    }

    private mutating func write<Item: Equatable>(
        _ key: AccountKey, _ old: [Item], _ new: [Item], _ fields: (Item) -> [DocumentField],
        isSame: (Item, Item) -> Bool
    ) throws(EditFailure) {
        let kept = try write(key, old, new, value: { .mapping(fields($0)) }, isSame: isSame)
        for pair in kept where pair.old != pair.new {
            try editor.set(fields(pair.new), at: [.key(key.rawValue), .item(pair.index)])
        }
    }

    private mutating func writeRegistrations() throws(EditFailure) {
        let (key, old, new) = (AccountKey.registrations, before.registrations ?? [], after.registrations ?? [])
        let kept = try write(
            key, old, new, value: { .mapping(RegistrationFields.fields(of: $0)) },
            isSame: { $0.isSameApp(as: $1) })
        for pair in kept where pair.old != pair.new {
            let path: [DocumentStep] = [.key(key.rawValue), .item(pair.index)]
            let olderExpiry = RegistrationFields.olderExpiry
            let isOlder = editor.node(at: path + [.key(olderExpiry)]) != nil
            let fields =
                isOlder
                ? RegistrationFields.fields(of: pair.new, expiryKey: olderExpiry)
                : RegistrationFields.fields(of: pair.new)
            try editor.set(fields, at: path)
        }
        if after.registrations != nil { try writeList(key) }
    }

    /// Removes the items that are gone and adds the new ones.
    ///
    /// - Returns: Those that stayed, changed or not, with their indices in the document.
    @discardableResult
    private mutating func write<Item: Equatable>(
        _ key: AccountKey, _ old: [Item], _ new: [Item], value: (Item) -> DocumentValue, isSame: (Item, Item) -> Bool
    ) throws(EditFailure) -> [(old: Item, new: Item, index: Int)] {
        guard old != new else { return [] }
        let kept = Self.kept(old, new, isSame: isSame)
        for index in old.indices.reversed() where !kept.contains(index) {
            try editor.removeItem(index, from: [.key(key.rawValue)])
        }
        for item in new.dropFirst(kept.count) { try append(value(item), to: key) }
        return kept.enumerated().map { index, oldIndex in (old[oldIndex], new[index], index) }
    }

    /// The indices of the old items that the first new ones are, changed or not: items keep their order, and new ones
    /// come behind them.
    private static func kept<Item: Equatable>(_ old: [Item], _ new: [Item], isSame: (Item, Item) -> Bool) -> [Int] {
        var kept: [Int] = []
        for (index, item) in old.enumerated() {
            guard kept.count < new.count else { break }
            let next = new[kept.count]
            // It is no change if one of the two is in both lists unchanged.
            let isChanged =
                isSame(item, next) && !new.dropFirst(kept.count + 1).contains(item)
                && !old.dropFirst(index + 1).contains(next)
            if item == next || isChanged { kept.append(index) }
        }
        return kept
    }

    private mutating func append(_ item: DocumentValue, to key: AccountKey) throws(EditFailure) {
        let path = [DocumentStep.key(key.rawValue)]
        guard editor.node(at: path) == nil else { return try editor.append(item, to: path) }
        try set([DocumentField(key.rawValue, .list([item]))])
    }

    // R14.2a: a list that is empty says something else than none at all.
    private mutating func writeList(_ key: AccountKey) throws(EditFailure) {
        if editor.node(at: [.key(key.rawValue)]) == nil { try set([DocumentField(key.rawValue, .list([]))]) }
    }

    // R4.4: flags that were named and are still right stay, also if the preset alone has the same effect.
    private var rejectFlags: [DocumentField] {
        let (preset, policy) = (RejectionPolicy(preset: after.policy.rejection.base), after.policy.rejection)
        let added = names("add", staying: policy.rejecting, new: policy.rejecting.subtracting(preset.rejecting))
        let removed = names(
            "remove", staying: FlagSet(bits: ~policy.anyRejecting.bits),
            new: preset.anyRejecting.subtracting(policy.anyRejecting))
        return [
            DocumentField("add", DocumentValue.texts(added), isNeeded: !added.isEmpty),
            DocumentField("remove", DocumentValue.texts(removed), isNeeded: !removed.isEmpty),
        ]
    }

    private func names(_ key: String, staying: FlagSet, new: FlagSet) -> [String] {
        var known: [String] = []
        if case .sequence(let nodes)? = editor.node(at: [.key(AccountKey.rejectFlags.rawValue), .key(key)])?.content {
            known = nodes.compactMap { if case .scalar(let text, _) = $0.content { text } else { nil } }
        }
        let kept = known.filter { after.catalogue.namedFlag($0).map(staying.contains) == true }
        let keptFlags = Set(kept.compactMap(after.catalogue.namedFlag))
        return kept + after.catalogue.names(of: FlagSet(new.filter { !keptFlags.contains($0) }))
    }
}

/// The SHA-256 of all that an account says but its secrets, which no verdict depends on: accounts of the same digest decide
/// alike.
///
/// It is of the account as it was understood, so that comments and the order of keys do not matter, and neither does the file
/// that it came from. The digest belongs to the version of the tool.
package enum AccountDigest {
    /// The digest as reports and parts hold it: `sha256:` and 64 hexadecimal digits.
    package static func text(of account: Account) -> String {
        var bytes: [UInt8] = []
        for key in AccountKey.allCases {
            DocumentValue.text(key.rawValue).encode(into: &bytes)
            key.field.digest(account).encode(into: &bytes)
        }
        // R15.2: removed registrations count, too.
        DocumentValue.list(account.removedRegistrations) { RegistrationFields.fields(of: $0) }.encode(into: &bytes)
        return "sha256:" + FileDigest(of: bytes).text
    }
}
