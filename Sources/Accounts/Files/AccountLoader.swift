package import Documents
package import PolicyEngine

/// Reads an account from a document (formats: Account); every mistake is noted at its position.
package enum AccountLoader {
    /// Reads an account that is a document of its own, and whose filters are reviewed.
    package static func load(
        _ document: ParsedDocument, besides other: Account? = nil, within boundary: FileBoundary = .anywhere,
        review: inout FilterReview, diagnostics: inout Diagnostics
    ) -> Account? {
        let account = load(document, besides: other, within: boundary, diagnostics: &diagnostics)
        if let account, let root = document.root { review.note(account, at: root, in: document.source) }
        return account
    }

    /// Reads an account file whose filters nobody reviews.
    package static func load(path: String, diagnostics: inout Diagnostics) -> Account? {
        TextFile.parse(path: path, as: .account, diagnostics: &diagnostics).flatMap {
            load($0, diagnostics: &diagnostics)
        }
    }

    /// Reads an account that is a document of its own.
    ///
    /// - Parameters:
    ///   - other: An account whose flags are to have the same indices.
    ///   - boundary: The files among which its key file must be.
    ///   - diagnostics: Gets the problems of the account.
    package static func load(
        _ document: ParsedDocument, besides other: Account? = nil, within boundary: FileBoundary = .anywhere,
        diagnostics: inout Diagnostics
    ) -> Account? {
        var reader = DocumentReader(document)
        reader.boundary = boundary
        guard !isScenario(document, &reader) else {
            diagnostics.merge(reader.shownDiagnostics)
            return nil
        }
        var account = document.root.flatMap { load($0, &reader) }
        // Read by its own flags first, so that it cannot name those of the other. The diagnostics of both are kept once.
        if let other, !reader.diagnostics.hasErrors {
            account = document.root.flatMap { load($0, besides: other.catalogue, &reader) }
        }
        if document.root == nil, !reader.diagnostics.hasErrors {
            reader.error("the account is empty", at: SourcePosition(line: 1, column: 1))
        }
        diagnostics.merge(reader.shownDiagnostics)
        return reader.diagnostics.hasErrors ? nil : account
    }

    // Notes an error where a scenario was given: one error instead of one for each of its keys.
    private static func isScenario(_ document: ParsedDocument, _ reader: inout DocumentReader) -> Bool {
        guard let root = document.root, let mapping = DocumentMapping(root, "the account"),
            let position = mapping.keyPosition(of: "scenario"), mapping.keyPosition(of: "steps") != nil
        else { return false }
        reader.error(
            "this is a scenario, not an account", at: position,
            hint: "move the value of its key `account` into a separate file that both can use")
        return true
    }

    /// Reads an account that is part of a document.
    ///
    /// - Parameter other: Flags that are to have the same indices.
    /// - Returns: `nil` if the node is no mapping; else the account as far as it could be read, with or without errors.
    package static func load(
        _ node: Node, besides other: FlagCatalogue? = nil, _ reader: inout DocumentReader
    ) -> Account? {
        guard var mapping = reader.mapping(node, "the account") else { return nil }
        let name = mapping.take("account").flatMap { reader.text($0, "`account`") } ?? "account"
        let flags = mapping.take("flags")
        var catalogue = FlagLoader.load(flags, &reader)
        if let other {
            let aligned = reader.attempt(at: flags?.position ?? node.position) { [catalogue] () throws(FlagError) in
                try catalogue.aligned(with: other)
            }
            catalogue = aligned ?? catalogue
        }
        let account = Account(name: name, catalogue: catalogue)
        let read = AccountFields.readingOrder.read(from: &mapping, account, &reader)
        mapping.finish(&reader)
        return read
    }
}

// The values that are read in a way of their own.
extension AccountLoader {
    static func readPolicy(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let policy = PolicyLoader.load(node, account: account, isFiltered: false, &reader) else { return }
        account.policy = policy
        if policy.annotation.namesEverything {
            reader.warning(AccountWarning.annotatesEverything, at: node.position)
        }
    }

    static func readRules(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for (name, position) in reader.texts(node, "`rules`") ?? [] {
            if !SecurityPolicy.isRulesName(name) {
                reader.error(PolicyError.invalidRulesName(name), at: position)
            } else if account.rules.contains(name) {
                reader.error("rules \(name.quoted) exist already", at: position)
            } else {
                account.declaredRules.append(name)
            }
        }
    }

    static func readRejectFlags(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard var edits = reader.mapping(node, "`reject-flags`") else { return }
        // R4.4: also when the edit changes nothing, as empty lists do.
        account.policy.rejection.makeCustom()
        var named: Set<Flag> = []
        for (key, isAdded) in [("add", true), ("remove", false)] {
            guard let list = edits.take(key) else { continue }
            for (name, position) in reader.texts(list, key.quoted) ?? [] {
                guard let flag = FlagLoader.flag(name, at: position, account.catalogue, &reader) else { continue }
                guard named.insert(flag).inserted else {
                    reader.error("flag \(name.quoted) is named twice in `reject-flags`", at: position)
                    continue
                }
                if isAdded {
                    account.policy.rejection.addRejectFlag(flag)
                } else {
                    account.policy.rejection.removeRejectFlag(flag)
                }
            }
        }
        edits.finish(&reader)
        if let warning = AccountWarning.customBase(of: account.policy.rejection) {
            reader.warning(warning, at: node.position)
        }
    }

    static func readPinningTestURL(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        account.pinningTestURL = reader.text(node, "`pinning-test-url`")
        if let warning = account.pinningTestURL.flatMap(AccountWarning.pinningTestURL) {
            reader.warning(warning, at: node.position)
        }
    }

    static func readKeys(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let path = reader.text(node, "`keys`") else { return }
        account.keyFile = path
        KeyFile.load(path, at: node.position, into: &account, &reader)
    }

    static func readFilters(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        var read: [(filter: Filter, position: SourcePosition)] = []
        for entry in reader.sequence(node, "`filters`") ?? [] {
            guard let (filter, position) = FilterFile.load(entry, &reader) else { continue }
            let step: Void? = reader.attempt(at: position) { () throws(FilterError) in try account.append(filter) }
            if step != nil { read.append((filter, position)) }
        }
        for (filter, position) in read {
            if let nested = account.nestedInput(of: filter) {
                reader.error(FilterError.nestedConjunction(nested, of: filter.name), at: position)
            }
            for input in account.missingInputs(of: filter) {
                let ordinary = account.filters.filter { $0.inputs == nil }.map(\.name)
                reader.warning(
                    AccountWarning.missingInput(input, of: filter.name), at: position,
                    hint: Suggestion.hint(for: input, among: ordinary))
            }
        }
    }

    static func readDevices(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for entry in reader.sequence(node, "`devices`") ?? [] {
            guard let device = DeviceFields.load(entry, account: account, &reader) else { continue }
            let position = entry["id"]?.position ?? entry.position
            reader.attempt(at: position) { () throws(DeviceError) in try account.append(device) }
            if let warning = AccountWarning.filteredPolicy(device, of: account) {
                reader.warning(warning, at: position)
            }
        }
    }
}

/// Reads security policies.
enum PolicyLoader {
    /// Reads `rules,rejection,annotation`.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(
        _ node: Node, account: Account, isFiltered: Bool, _ reader: inout DocumentReader
    ) -> SecurityPolicy? {
        guard let text = reader.text(node, "`policy`") else { return nil }
        return reader.attempt(at: node.position) { () throws(PolicyError) in
            try isFiltered ? account.filteredSecurityPolicy(text) : account.securityPolicy(text)
        }
    }
}
