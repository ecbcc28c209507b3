package import Documents
package import PolicyEngine

/// Reads an account from a document (formats: Account); every mistake is noted at its place.
package struct AccountLoader {
    private var account: Account
    private var mapping: DocumentMapping

    private init(_ account: Account, _ mapping: DocumentMapping) {
        self.account = account
        self.mapping = mapping
    }

    /// Reads an account file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - other: An account whose flags are to have the same places, where both judge one stream.
    ///   - review: Learns where its filters stand.
    ///   - diagnostics: Gets what is wrong with it, the file's absence too.
    /// - Returns: `nil` after noting an error.
    package static func load(
        path: String, besides other: Account? = nil, review: inout FilterReview, diagnostics: inout Diagnostics
    ) -> Account? {
        do throws(FileFailure) {
            let document = try TextFile.parse(path: path)
            let account = load(document, besides: other, diagnostics: &diagnostics)
            if let account, let root = document.root { review.note(account, at: root, in: document.source) }
            return account
        } catch {
            diagnostics.add(Diagnostic(file: path, message: error.description))
            return nil
        }
    }

    /// Reads an account file whose filters nobody reviews.
    package static func load(path: String, diagnostics: inout Diagnostics) -> Account? {
        var review = FilterReview()
        return load(path: path, review: &review, diagnostics: &diagnostics)
    }

    /// Reads an account that is a document of its own.
    package static func load(
        _ document: ParsedDocument, besides other: Account? = nil, diagnostics: inout Diagnostics
    ) -> Account? {
        var reader = DocumentReader(document)
        var account = document.root.flatMap { load($0, &reader) }
        // Read by its own flags first, so that it cannot name those of the other.
        if let other, !reader.diagnostics.hasErrors { account = document.root.flatMap { align($0, other, &reader) } }
        if document.root == nil, !reader.diagnostics.hasErrors {
            reader.error("the account is empty", at: SourcePosition(line: 1, column: 1))
        }
        diagnostics.merge(reader.diagnostics)
        return reader.diagnostics.hasErrors ? nil : account
    }

    // Says again what was said before, which is kept once.
    private static func align(_ node: Node, _ other: Account, _ reader: inout DocumentReader) -> Account? {
        load(node, besides: other.catalogue, &reader)
    }

    /// Reads an account that is part of a document.
    ///
    /// - Parameter other: Flags that are to have the same places.
    /// - Returns: `nil` when it is no mapping; else what could be read, whether or not there were errors.
    package static func load(
        _ node: Node, besides other: FlagCatalogue? = nil, _ reader: inout DocumentReader
    ) -> Account? {
        guard var mapping = reader.mapping(node, "the account") else { return nil }
        let name = mapping.take("account").flatMap { reader.text($0, "`account`") } ?? "account"
        let flagsNode = mapping.take("flags")
        var catalogue = FlagLoader.load(flagsNode, &reader)
        if let other {
            do throws(FlagError) {
                catalogue = try catalogue.aligned(with: other)
            } catch {
                reader.error(error.description, at: flagsNode?.position ?? node.position)
            }
        }
        var loader = AccountLoader(Account(name: name, catalogue: catalogue), mapping)
        loader.readPolicies(&reader)
        loader.readSettings(&reader)
        loader.readServices(&reader)
        loader.readFilters(&reader)
        loader.readDevices(&reader)
        loader.mapping.finish(&reader)
        return loader.account
    }
}

extension AccountLoader {
    private mutating func readPolicies(_ reader: inout DocumentReader) {
        if let node = mapping.take("rules") { readRules(node, &reader) }
        if let node = mapping.take("policy"),
            let policy = PolicyLoader.load(node, account: account, isFiltered: false, &reader)
        {
            account.policy = policy
            if policy.annotation.namesEverything {
                reader.warning(AccountWarning.annotatesEverything, at: node.position)
            }
        }
        if let node = mapping.take("reject-flags") { readRejectFlags(node, &reader) }
    }

    private mutating func readRules(_ node: Node, _ reader: inout DocumentReader) {
        for (name, position) in reader.texts(node, "`rules`") ?? [] {
            if !SecurityPolicy.isRulesName(name) {
                reader.error(PolicyError.invalidRulesName(name).description, at: position)
            } else if account.rules.contains(name) {
                reader.error("rules \(name.quoted) are there already", at: position)
            } else {
                account.declaredRules.append(name)
            }
        }
    }

    private mutating func readRejectFlags(_ node: Node, _ reader: inout DocumentReader) {
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

    private mutating func readSettings(_ reader: inout DocumentReader) {
        if let node = mapping.take("arc") {
            account.isResponseCodeOn = reader.onOff(node, "`arc`") ?? account.isResponseCodeOn
        }
        if let node = mapping.take("ip-tracking"),
            let text = reader.choice(node, "`ip-tracking`", from: IPTracking.allCases.map(\.rawValue))
        {
            account.ipTracking = IPTracking(rawValue: text) ?? account.ipTracking
        }
        if let node = mapping.take("audience") {
            account.includesAudience = reader.onOff(node, "`audience`") ?? account.includesAudience
        }
        if let node = mapping.take("issuer") {
            account.includesIssuer = reader.onOff(node, "`issuer`") ?? account.includesIssuer
        }
        readPinningTestURL(&reader)
        if let node = mapping.take("sampling-percentage") {
            account.samplingPercentage = reader.barePercentage(node, "`sampling-percentage`") ?? .zero
        }
        if let node = mapping.take("propagation") {
            account.propagation = seconds(node, "`propagation`", &reader) ?? account.propagation
        }
        if let node = mapping.take("grace") {
            account.grace = seconds(node, "`grace`", &reader) ?? account.grace
        }
        if let node = mapping.take("billing-day") {
            account.billingDay =
                reader.integer(node, "`billing-day`", in: AccountLimits.billingDays) ?? account.billingDay
        }
    }

    private mutating func readPinningTestURL(_ reader: inout DocumentReader) {
        guard let node = mapping.take("pinning-test-url") else { return }
        account.pinningTestURL = reader.text(node, "`pinning-test-url`")
        if let warning = account.pinningTestURL.flatMap(AccountWarning.pinningTestURL) {
            reader.warning(warning, at: node.position)
        }
    }

    private func seconds(_ node: Node, _ what: String, _ reader: inout DocumentReader) -> Int? {
        guard let seconds = reader.duration(node, what) else { return nil }
        guard AccountLimits.seconds.contains(seconds) else {
            reader.error("\(what) must be at most a day", at: node.position)
            return nil
        }
        return seconds
    }

    private mutating func readServices(_ reader: inout DocumentReader) {
        ServiceLoader.load(&mapping, into: &account, &reader)
    }

    private mutating func readFilters(_ reader: inout DocumentReader) {
        guard let node = mapping.take("filters") else { return }
        var read: [(filter: Filter, position: SourcePosition)] = []
        for entry in reader.sequence(node, "`filters`") ?? [] {
            guard let (filter, position) = FilterLoader.load(entry, &reader) else { continue }
            do throws(FilterError) {
                try account.append(filter)
                read.append((filter, position))
            } catch {
                reader.error(error.description, at: position, hint: error.hint)
            }
        }
        for (filter, position) in read {
            if let nested = account.nestedInput(of: filter) {
                let error = FilterError.nestedConjunction(nested, of: filter.name)
                reader.error(error.description, at: position, hint: error.hint)
            }
            for input in account.missingInputs(of: filter) {
                let ordinary = account.filters.filter { $0.inputs == nil }.map(\.name)
                reader.warning(
                    AccountWarning.missingInput(input, of: filter.name), at: position,
                    hint: Suggestion.hint(for: input, among: ordinary))
            }
        }
    }

    private mutating func readDevices(_ reader: inout DocumentReader) {
        guard let node = mapping.take("devices") else { return }
        for entry in reader.sequence(node, "`devices`") ?? [] {
            guard let (device, position) = DeviceLoader.load(entry, account: account, &reader) else { continue }
            do throws(DeviceError) {
                try account.append(device)
            } catch {
                reader.error(error.description, at: position)
            }
            if let warning = AccountWarning.filteredPolicy(device, of: account) {
                reader.warning(warning, at: position)
            }
        }
    }
}
