internal import PolicyEngine

/// Makes an account's document say a changed account; what did not change is not touched.
struct AccountWriter {
    private let before: Account
    private let after: Account
    private var editor: DocumentEditor

    /// The changed text.
    ///
    /// - Parameters:
    ///   - text: The text that says `before`.
    ///   - root: What it was read as.
    ///   - before: The account as it was read.
    ///   - after: The account that it is to say.
    /// - Throws: ``EditFailure``; what comes out is read, but not checked to say `after`.
    static func text(
        _ text: String, root: Node, from before: Account, to after: Account
    ) throws(EditFailure) -> String {
        var writer = AccountWriter(before: before, after: after, editor: DocumentEditor(text: text, root: root))
        try writer.writePolicy()
        try writer.writeSettings()
        try writer.writeServices()
        try writer.writeLists()
        return writer.editor.text.string
    }

    private mutating func writePolicy() throws(EditFailure) {
        guard before.policy != after.policy else { return }
        let policy = AccountFields.policy(after.policy)
        let flags = after.policy.rejection.isCustom ? DocumentValue.mapping(rejectFlags) : nil
        try set([policy])
        guard let flags else { return try set([DocumentField("reject-flags", nil as DocumentValue?)]) }
        if editor.node(at: [.key("reject-flags")]) == nil {
            try set([DocumentField("reject-flags", flags)])
        } else {
            try editor.set(rejectFlags, at: [.key("reject-flags")])
        }
    }

    private mutating func writeSettings() throws(EditFailure) {
        let (old, new) = (AccountFields.settings(of: before), AccountFields.settings(of: after))
        try set(zip(old, new).filter { $0 != $1 }.map(\.1))
    }

    private mutating func writeServices() throws(EditFailure) {
        if before.keyFile != after.keyFile { try set([DocumentField("keys", after.keyFile)]) }
        if let settings = after.deviceCheck, settings != before.deviceCheck {
            let hasTeam = editor.node(at: [.key("team")]) != nil
            if hasTeam { try set([DocumentField("team", settings.teamID)]) }
            try set(AccountFields.fields(of: settings, hasTeam: hasTeam), under: "devicecheck")
        }
        if let settings = after.safetyNet, settings != before.safetyNet {
            try set(AccountFields.fields(of: settings), under: "safetynet")
        }
    }

    private mutating func writeLists() throws(EditFailure) {
        try write("filters", before.filters, after.filters, AccountFields.fields) { $0.name == $1.name }
        try write("devices", before.devices, after.devices, AccountFields.fields) { $0.id == $1.id }
        try write(
            "registrations", before.registrations ?? [], after.registrations ?? [], AccountFields.fields, isSame: ==)
        try write("apis", before.apiDomains, after.apiDomains, AccountFields.fields) { $0.name == $1.name }
        if after.registrations != nil { try writeList("registrations") }
        if after.listsAPIDomains { try writeList("apis") }
        try write(
            "app-signing-certs", before.certificates, after.certificates,
            value: AccountFields.value, isSame: ==)
    }

    // MARK: Parts

    private mutating func set(_ fields: [DocumentField]) throws(EditFailure) {
        try editor.set(fields, at: [], order: AccountFields.order)
    }

    // A mapping that is made where it is missing.
    private mutating func set(_ fields: [DocumentField], under key: String) throws(EditFailure) {
        if editor.node(at: [.key(key)]) == nil {
            try set([DocumentField(key, DocumentValue.mapping(fields))])
        } else {
            try editor.set(fields, at: [.key(key)])
        }
    }

    private mutating func write<Item: Equatable>(
        _ key: String, _ old: [Item], _ new: [Item], _ fields: (Item) -> [DocumentField],
        isSame: (Item, Item) -> Bool
    ) throws(EditFailure) {
        var kept = try write(key, old, new, value: { .mapping(fields($0)) }, isSame: isSame)
        kept.removeAll { pair in pair.old == pair.new }
        for pair in kept { try editor.set(fields(pair.new), at: [.key(key), .item(pair.place)]) }
    }

    /// Removes the items that are gone and adds the new ones.
    ///
    /// - Returns: Those that stayed, changed or not, with their places in the document.
    @discardableResult
    private mutating func write<Item: Equatable>(
        _ key: String, _ old: [Item], _ new: [Item], value: (Item) -> DocumentValue, isSame: (Item, Item) -> Bool
    ) throws(EditFailure) -> [(old: Item, new: Item, place: Int)] {
        guard old != new else { return [] }
        for place in old.indices.reversed() where !new.contains(where: { isSame($0, old[place]) }) {
            try editor.removeItem(place, from: [.key(key)])
        }
        for item in new where !old.contains(where: { isSame($0, item) }) { try append(value(item), to: key) }
        let stayed = old.filter { item in new.contains { isSame($0, item) } }
        return stayed.enumerated().compactMap { place, item in
            new.first { isSame($0, item) }.map { (item, $0, place) }
        }
    }

    private mutating func append(_ item: DocumentValue, to key: String) throws(EditFailure) {
        guard editor.node(at: [.key(key)]) == nil else { return try editor.append(item, to: [.key(key)]) }
        try set([DocumentField(key, .list([item]))])
    }

    // R14.2a: a list that is empty says something else than none at all.
    private mutating func writeList(_ key: String) throws(EditFailure) {
        if editor.node(at: [.key(key)]) == nil { try set([DocumentField(key, .list([]))]) }
    }

    // R4.4: flags that were named and still say what is so stay, also where they say what the preset does anyway.
    private var rejectFlags: [DocumentField] {
        let (preset, policy) = (RejectionPolicy(preset: after.policy.rejection.base), after.policy.rejection)
        let rejecting = policy.rejecting.union(policy.rejectingUnlessXposed)
        let presetRejecting = preset.rejecting.union(preset.rejectingUnlessXposed)
        let added = names("add", staying: policy.rejecting, new: policy.rejecting.subtracting(preset.rejecting))
        let removed = names(
            "remove", staying: FlagSet(bits: ~rejecting.bits), new: presetRejecting.subtracting(rejecting))
        return [
            DocumentField("add", DocumentValue.texts(added), isNeeded: !added.isEmpty),
            DocumentField("remove", DocumentValue.texts(removed), isNeeded: !removed.isEmpty),
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
