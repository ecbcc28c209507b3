internal import Accounts
package import Documents
internal import PolicyEngine

/// Reads a scenario; every mistake is noted with its position.
package struct ScenarioLoader {
    var scenario: Scenario
    let isChecked: Bool
    var reader: DocumentReader
    // The groups by name.
    var groupIndices: [ExactText: Int] = [:]
    // The client settings of groups, as the steps read so far leave them.
    var clients: [Int: ClientSettings] = [:]
    var rehearsal = CommandRehearsal([])
    // By the accounts, the names that expectations may have.
    var expectedNames: [Set<Int>: ExpectedNames] = [:]
    // The positions of the filters of the accounts, for warnings.
    private var filterReview = FilterReview()
    var mapping: DocumentMapping

    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - path: The file; account files are looked for beside it.
    ///   - isChecked: True if what it expects is going to be checked, so that it should expect something, and a probable
    ///     typing error gives a warning.
    ///   - boundary: Which files it may name beside those in its own folder.
    ///   - diagnostics: Gets what is wrong with it, and with its account files.
    /// - Returns: `nil` after noting an error.
    package static func load(
        path: String, isChecked: Bool = true, within boundary: FileBoundary = FileBoundary(),
        diagnostics: inout Diagnostics
    ) -> Scenario? {
        guard let document = TextFile.parse(path: path, as: .scenario, diagnostics: &diagnostics) else { return nil }
        return load(document, isChecked: isChecked, within: boundary, diagnostics: &diagnostics)
    }

    /// Reads a parsed scenario.
    ///
    /// - Parameter overlay: The texts that take the place of its account files.
    package static func load(
        _ document: ParsedDocument, isChecked: Bool = true, within boundary: FileBoundary = FileBoundary(),
        over overlay: FileOverlay = FileOverlay(), diagnostics: inout Diagnostics
    ) -> Scenario? {
        var reader = DocumentReader(document)
        reader.overlay = overlay
        reader.boundary = boundary.adding(folderOf: document.source.path)
        guard let root = document.root else {
            if !reader.diagnostics.hasErrors {
                reader.error("the scenario is empty", at: SourcePosition(line: 1, column: 1))
            }
            diagnostics.merge(reader.shownDiagnostics)
            return nil
        }
        guard let mapping = reader.mapping(root, "the scenario") else {
            diagnostics.merge(reader.shownDiagnostics)
            return nil
        }
        var loader = ScenarioLoader(
            scenario: Scenario(file: document.source.path, boundary: reader.boundary), isChecked: isChecked,
            reader: reader, mapping: mapping)
        loader.read()
        diagnostics.merge(loader.reader.shownDiagnostics)
        return loader.reader.diagnostics.hasErrors ? nil : loader.scenario
    }

    private mutating func read() {
        guard !isAccount else {
            return reader.error(
                "this is an account, not a scenario", at: mapping.position,
                hint: "a scenario takes it with `account: FILE`, and a command with `--account FILE`; folders called "
                    + "`accounts` are not searched")
        }
        readHead()
        readAccounts()
        if let node = mapping.take("backends") { scenario.backends = BackendLoader.load(node, &reader) }
        readGroups()
        for (index, group) in scenario.groups.enumerated() { clients[index] = group.client }
        readSteps()
        warnOfFilters()
        readFinalExpectations()
        mapping.finish(&reader)
        warnOfNoExpectations()
    }

    private var isAccount: Bool {
        let keys = mapping.entries.map(\.key)
        return !keys.contains("scenario") && !keys.contains("steps")
            && keys.contains { ["policy", "filters", "reject-flags", "rules", "flags"].contains($0) }
    }

    private mutating func readHead() {
        if let node = mapping.require("scenario", &reader) {
            scenario.name = reader.text(node, "`scenario`") ?? ""
        }
        if let node = mapping.take("description") { _ = reader.text(node, "`description`") }
        if let node = mapping.take("tags") { scenario.tags = (reader.texts(node, "`tags`") ?? []).map(\.text) }
        if let node = mapping.take("seed"), let seed = reader.integer(node, "`seed`", in: 0...Int.max) {
            scenario.seed = UInt64(seed)
        }
        if let node = mapping.take("start") { scenario.start = reader.instant(node, "`start`") ?? scenario.start }
        if let node = mapping.take("activity") {
            scenario.activity = ActivityFields.load(node, otherwise: Activity(), &reader)
        }
    }

    private mutating func readAccounts() {
        let (one, several) = (mapping.take("account"), mapping.take("accounts"))
        if let several {
            if one != nil { reader.error("`accounts` cannot be combined with `account`", at: several.position) }
            for entry in reader.mapping(several, "`accounts`")?.entries ?? [] {
                addAccount(entry.value, name: entry.key)
            }
            if scenario.accounts.isEmpty { reader.error("`accounts` names no account", at: several.position) }
        } else if let one {
            addAccount(one, name: "")
        }
        // Whatever went wrong, the rest can be read against a new account.
        if scenario.accounts.isEmpty { scenario.accounts = [.init(name: "", account: Account())] }
        rehearsal = CommandRehearsal(scenario.accounts.map(\.account))
    }

    // The attributes of devices are known only now.
    private mutating func warnOfFilters() {
        guard isChecked else { return }
        let attributes = scenario.attributes
        for warning in filterReview.warnings(on: scenario.accounts.flatMap(\.account.filters), attributes: attributes) {
            reader.diagnostics.add(warning)
        }
        for added in rehearsal.addedFilters {
            for finding in FilterReview.findings(on: added.filter, attributes: attributes) {
                reader.warning(finding.message, at: added.position, hint: finding.hint)
            }
        }
    }

    private mutating func addAccount(_ node: Node, name: String) {
        var account: Account?
        var file: String?
        if case .scalar = node.content {
            guard let path = reader.text(node, "`account`") else { return }
            file = location(of: path)
            account = loadAccount(path: path, at: node.position)
        } else {
            account = AccountLoader.load(node, &reader)
            if let account { filterReview.note(account, at: node, in: reader.source) }
        }
        guard var account else { return }
        // Accounts of one scenario may have the same name, and are different ones all the same.
        account.ownTeam = "account\n\(scenario.accounts.count)"
        scenario.accounts.append(.init(name: name, account: account, file: file))
    }

    private func location(of path: String) -> String { path.hasPrefix("/") ? path : scenario.folder + path }

    private mutating func loadAccount(path: String, at position: SourcePosition) -> Account? {
        let location = location(of: path)
        let subject = "account file \(location.quoted)"
        guard reader.boundary.contains(location) else {
            reader.error(reader.boundary.refusal(of: subject), at: position)
            return nil
        }
        let document = reader.attempt(at: position, about: subject) {
            [overlay = reader.overlay] () throws(FileFailure) in
            try overlay.parse(path: location, as: .account)
        }
        guard let document else { return nil }
        let account = AccountLoader.load(document, within: reader.boundary, diagnostics: &reader.diagnostics)
        if let account, let root = document.root { filterReview.note(account, at: root, in: document.source) }
        return account
    }

    /// Devices in one scenario.
    static let deviceLimit = 10_000_000

    mutating func readGroups() {
        guard let node = mapping.take("devices") else { return }
        var positions: [SourcePosition] = []
        var owners: [OwnedDevice: Int] = [:]
        for entry in reader.mapping(node, "`devices`")?.entries ?? [] {
            if entry.key == "all" {
                reader.error("a group cannot be called `all`, which means every group", at: entry.keyPosition)
            }
            guard let group = group(entry) else { continue }
            if let id = group.id { checkIsAlone(id, in: group, among: &owners, at: entry.keyPosition) }
            groupIndices[ExactText(group.name)] = scenario.groups.count
            scenario.groups.append(group)
            positions.append(entry.keyPosition)
        }
        var hardware = SharedHardware(scenario.groups, accounts: scenario.accounts.map(\.account))
        hardware.check(at: positions, &reader)
        scenario.groups = hardware.groups
        if scenario.deviceCount > Self.deviceLimit {
            reader.error("more than \(Self.deviceLimit.grouped) devices in one scenario", at: node.position)
        }
    }

    private mutating func group(_ entry: Node.Entry) -> DeviceGroup? {
        var group = DeviceGroup(name: entry.key)
        if case .mapping = entry.value.content {
            group.account = account(entry.value["account"], for: "a group", at: entry.keyPosition)
        }
        group.activity = scenario.activity
        let fields = GroupFields(
            isChecked: isChecked, start: scenario.start, activity: scenario.activity,
            account: scenario.accounts[group.account].account)
        return fields.all.read(entry.value, "group \(entry.key.quoted)", from: group, &reader)
    }

    // Accounts know nothing of one another, so one ID may be in each.
    private struct OwnedDevice: Hashable {
        let id: DeviceID
        let account: Int
    }

    private mutating func checkIsAlone(
        _ id: DeviceID, in group: DeviceGroup, among owners: inout [OwnedDevice: Int], at position: SourcePosition
    ) {
        let device = OwnedDevice(id: id, account: group.account)
        if let other = owners[device] {
            reader.error("device `\(id)` is in group \(scenario.groups[other].name.quoted) already", at: position)
        } else {
            owners[device] = scenario.groups.count
        }
    }

    /// The account that a group, a step or an expectation belongs to, by its index.
    mutating func account(_ node: Node?, for what: String, at position: SourcePosition) -> Int {
        let names = scenario.accounts.map(\.name)
        guard let node else {
            if names.count > 1 {
                reader.error("\(what) needs `account`, because the scenario has several", at: position)
            }
            return 0
        }
        if names == [""] {
            reader.error("`account` names one of `accounts`, and the scenario has none", at: node.position)
            return 0
        }
        let name = reader.choice(node, "`account`", from: names)
        return name.flatMap { name in names.firstIndex { ExactText($0) == ExactText(name) } } ?? 0
    }
}

extension DocumentKind {
    /// A scenario file. An account is taken for one first, so that it can be said what it is.
    package static let scenario = DocumentKind(
        name: "a scenario",
        keys: DocumentKind.account.keys.union([
            "scenario", "description", "tags", "seed", "start", "activity", "account", "accounts", "devices", "steps",
            "expect",
        ]))
}
