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
        for field in AccountFields.all { try writer.write(field) }
        return writer.editor.text.string
    }

    private mutating func write(_ field: Field<Account>) throws(EditFailure) {
        let (old, new) = (field.write(before), field.write(after))
        if field.key == "reject-flags" {
            if before.policy != after.policy { try writeRejectFlags() }
            return
        }
        guard let new, old?.value?.encoded != new.value?.encoded else { return }
        switch field.key {
        case "devicecheck" where has("team"):
            try set(DocumentField("team", after.deviceCheck?.teamID))
            try set(DocumentField(new.key, after.deviceCheck.map(DeviceCheckFields.valueBesideTeam)))
        case "filters", "devices", "app-signing-certs", "apis", "user-roles", "registrations":
            try writeItems(of: new.key, from: old?.value?.items ?? [], to: new.value?.items ?? [])
        default: try set(new)
        }
    }

    private func has(_ key: String) -> Bool { editor.node(at: [.key(key)]) != nil }

    private mutating func set(_ field: DocumentField) throws(EditFailure) {
        try editor.set([field], at: [], order: AccountFields.keys)
    }

    private mutating func writeRejectFlags() throws(EditFailure) {
        let isCustom = after.policy.rejection.isCustom
        try set(DocumentField("reject-flags", isCustom ? .mapping(rejectFlags) : nil))
    }

    // MARK: Lists

    /// Removes the items that are gone, sets the fields of those that stay, and adds the new ones.
    private mutating func writeItems(
        of key: String, from old: [DocumentValue], to new: [DocumentValue]
    ) throws(EditFailure) {
        let (known, wanted) = (old.map(\.encoded), new.map(\.encoded))
        let kept = Self.kept(known, wanted) { index, next in
            if let named = old[index].firstField, key != "registrations" { return named == new[next].firstField }
            guard key == "registrations", let app = before.registrations?[index],
                let other = after.registrations?[next]
            else { return false }
            return app.isSameApp(as: other)
        }
        for index in old.indices.reversed() where !kept.contains(index) {
            try editor.removeItem(index, from: [.key(key)])
        }
        for item in new.dropFirst(kept.count) { try append(item, to: key) }
        for (index, earlier) in kept.enumerated() where known[earlier] != wanted[index] {
            let path: [DocumentStep] = [.key(key), .item(index)]
            let hasOlderKey = editor.node(at: path + [.key(RegistrationFields.olderExpiry)]) != nil
            if key == "registrations", hasOlderKey, let registration = after.registrations?[index] {
                try editor.set(RegistrationFields.olderValue(of: registration), at: path)
            } else {
                try editor.set(new[index], at: path)
            }
        }
        // A list that is empty says something else than none at all (R14.2a).
        if !has(key) { try set(DocumentField(key, .list([]))) }
    }

    /// The indices of the old items that the first new ones are, changed or not: items keep their order, and new ones
    /// come behind them.
    private static func kept(_ old: [[UInt8]], _ new: [[UInt8]], isSame: (Int, Int) -> Bool) -> [Int] {
        var kept: [Int] = []
        for (index, item) in old.enumerated() {
            guard kept.count < new.count else { break }
            let next = new[kept.count]
            // It is no change if one of the two is in both lists unchanged.
            let isChanged =
                isSame(index, kept.count) && !new.dropFirst(kept.count + 1).contains(item)
                && !old.dropFirst(index + 1).contains(next)
            if item == next || isChanged { kept.append(index) }
        }
        return kept
    }

    private mutating func append(_ item: DocumentValue, to key: String) throws(EditFailure) {
        if has(key) { try editor.append(item, to: [.key(key)]) } else { try set(DocumentField(key, .list([item]))) }
    }

    // R4.4: flags that were named and are still right stay, also if the preset alone has the same effect.
    private var rejectFlags: [DocumentField] {
        let (preset, policy) = (RejectionPolicy(preset: after.policy.rejection.base), after.policy.rejection)
        let added = names("add", staying: policy.rejecting, new: policy.rejecting.subtracting(preset.rejecting))
        let removed = names(
            "remove", staying: FlagSet(bits: ~policy.anyRejecting.bits),
            new: preset.anyRejecting.subtracting(policy.anyRejecting))
        return [
            DocumentField("add", .texts(added), isNeeded: !added.isEmpty),
            DocumentField("remove", .texts(removed), isNeeded: !removed.isEmpty),
        ]
    }

    private func names(_ key: String, staying: FlagSet, new: FlagSet) -> [String] {
        var known: [String] = []
        if case .sequence(let nodes)? = editor.node(at: [.key("reject-flags"), .key(key)])?.content {
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
        for field in AccountFields.all {
            DocumentValue.text(field.key).encode(into: &bytes)
            value(of: field, account).encode(into: &bytes)
        }
        // R15.2: removed registrations count, too.
        DocumentValue.list(account.removedRegistrations.map(RegistrationFields.all.value)).encode(into: &bytes)
        return "sha256:" + FileDigest(of: bytes).text
    }

    // Reports hold digests, so that values keep the form that they had in them first, whatever files say.
    private static func value(of field: Field<Account>, _ account: Account) -> DocumentValue {
        let written = field.write(account)?.value
        let rejection = account.policy.rejection
        switch field.key {
        case "policy": return .text(account.policy.description)
        case "reject-flags":
            return .list([
                .text(rejection.base.rawValue), .texts(account.catalogue.names(of: rejection.rejecting)),
                .texts(account.catalogue.names(of: rejection.rejectingUnlessXposed)),
            ])
        case "flags":
            let flags = account.catalogue.flags.prefix(account.catalogue.namedCount)
            return .list(flags.map { .texts([$0.name, "\($0.isRisk)"]) })
        case "arc": return .text("\(account.isResponseCodeOn)")
        case "audience": return .text("\(account.includesAudience)")
        case "issuer": return .text("\(account.includesIssuer)")
        case "sampling-percentage": return .text("\(account.samplingPercentage.billionths)")
        case "secure-strings":
            return .list(account.secureStrings.sorted { $0.key < $1.key }.map { .texts([$0.key.text, $0.value.text]) })
        case "team": return .list(account.ownTeam.map { [.text($0)] } ?? [])
        // The key file's name decides nothing.
        case "keys": return .list([])
        // Values that may be missing.
        case "pinning-test-url", "features", "dev-key", "devicecheck", "safetynet", "registrations", "apis",
            "user-roles":
            return .list([written].compactMap(\.self))
        default: return written ?? .list([])
        }
    }
}
