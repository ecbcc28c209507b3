internal import Accounts
package import Documents
internal import PolicyEngine

/// Reads a scenario; every mistake is noted with its position.
package struct ScenarioLoader {
    private var scenario: Scenario
    private let isChecked: Bool
    private var reader: DocumentReader
    private let mapping: DocumentMapping
    private var scope = ScenarioScope()
    private var rehearsal = CommandRehearsal([])
    private var requestedHosts = RequestedHosts()
    // The names that expectations may have, by the accounts that they are about.
    private var expectedNames: [Set<Int>: ExpectedNames] = [:]
    // The positions of the filters of the accounts, for warnings.
    private var filterReview = FilterReview()

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
        if document.root == nil, !reader.diagnostics.hasErrors {
            reader.error("the scenario is empty", at: SourcePosition(line: 1, column: 1))
        }
        guard let mapping = document.root.flatMap({ reader.mapping($0, "the scenario") }) else {
            diagnostics.merge(reader.shownDiagnostics)
            return nil
        }
        var loader = ScenarioLoader(
            scenario: Scenario(file: document.source.path, boundary: reader.boundary), isChecked: isChecked,
            reader: reader, mapping: mapping)
        loader.scope.isChecked = isChecked
        loader.read()
        diagnostics.merge(loader.reader.shownDiagnostics)
        return loader.reader.diagnostics.hasErrors ? nil : loader.scenario
    }

    private mutating func read() {
        let given = mapping.entries.map(\.key)
        guard given.contains("scenario") || given.contains("steps") || Self.accountKeys.isDisjoint(with: given) else {
            return reader.error(
                "this is an account, not a scenario", at: mapping.position,
                hint: "a scenario takes it with `account: FILE`, and a command with `--account FILE`; folders called "
                    + "`accounts` are not searched")
        }
        var mapping = mapping
        for field in Self.fields {
            let node = field.isRequired ? mapping.require(field.key, &reader) : mapping.take(field.key)
            field.read(&self, node, field.key.quoted)
        }
        mapping.finish(&reader)
        warnOfNoExpectations()
    }

    private static let accountKeys: Set = ["policy", "filters", "reject-flags", "rules", "flags"]

    // MARK: Head

    private struct Field {
        let key: String
        let schema: JSONSchema
        var isRequired = false
        /// Reads the value; `nil` where the key is missing.
        let read: (inout ScenarioLoader, Node?, String) -> Void

        init(
            _ key: String, _ schema: JSONSchema, _ summary: String, isRequired: Bool = false,
            read: @escaping (inout ScenarioLoader, Node?, String) -> Void
        ) {
            (self.key, self.schema, self.isRequired) = (key, schema.described(as: summary), isRequired)
            self.read = read
        }

        /// A value that changes nothing where it is missing or wrong.
        init<Value>(
            _ key: String, _ form: ValueForm<Value>, _ summary: String, isRequired: Bool = false,
            set: @escaping (inout Scenario, Value) -> Void
        ) {
            self.init(key, form.schema, summary, isRequired: isRequired) { loader, node, what in
                if let value = node.flatMap({ form.read($0, what, &loader.reader) }) { set(&loader.scenario, value) }
            }
        }
    }

    // The keys of a scenario, in the order in which they are read: reading, suggestions and the schema follow.
    private static var fields: [Field] {
        let account = JSONSchema.any(of: [.text.naming(.accountFile), .reference(to: "account")])
        let instant = ValueForm<Instant>(.instant) { $2.instant($0, $1) }
        return [
            Field("scenario", ValueForm<String>.text, "The name.", isRequired: true) { $0.name = $1 },
            Field("description", ValueForm<String>.text, "Free text.") { _, _ in },
            Field("tags", .texts, "Words by which run --tag selects.") { $0.tags = $1 },
            Field("seed", .integer(in: 0...Int.max), "The seed of all random draws; by default 1.") {
                $0.seed = UInt64($1)
            },
            Field("start", instant, "When the scenario starts; by default 2020-01-01T00:00:00Z.") { $0.start = $1 },
            Field("account", account, "An account, or the path of one beside this file.") { loader, node, _ in
                if let node, loader.mapping.keyPosition(of: "accounts") == nil { loader.addAccount(node, name: "") }
            },
            Field(
                "accounts", .map(of: account, atLeast: 1).namingKeys(.account, isDeclaration: true),
                "Several accounts by name."
            ) { $0.readAccounts($1, $2) },
            Field(
                "activity", Activity.form(otherwise: Activity()).described(by: .reference(to: "activity")),
                "The frequency and the times of attestations in generated captures."
            ) { $0.activity = $1 },
            Field("backends", Backends.form, "The certificates and token checks of backends, by domain.") {
                $0.backends = $1
            },
            Field("devices", groups, "Groups of devices by name.") { $0.readGroups($1, $2) },
            Field("steps", .list(of: .reference(to: "step")), "The steps, in the order of time.") {
                $0.readSteps($1, $2)
            },
            Field("expect", .oneOrMore(.reference(to: "end")), "The expectations at the end.") { loader, node, _ in
                loader.readFinalExpectations(node)
            },
        ]
    }

    private static var groups: JSONSchema {
        .map(
            of: .reference(to: "group"), keys: .text(matching: "(?!all$)[\\s\\S]*").naming(.group, isDeclaration: true))
    }

    fileprivate static let keys = fields.map(\.key)

    /// The form of a scenario; it refers to other definitions.
    fileprivate static var schema: JSONSchema {
        let fields = fields
        return .object(fields.map { ($0.key, $0.schema) }, required: fields.filter(\.isRequired).map(\.key))
    }

    // MARK: Accounts

    private mutating func readAccounts(_ node: Node?, _ what: String) {
        if let node {
            if mapping.keyPosition(of: "account") != nil {
                reader.error("\(what) cannot be combined with `account`", at: node.position)
            }
            for entry in reader.mapping(node, what)?.entries ?? [] { addAccount(entry.value, name: entry.key) }
            if scenario.accounts.isEmpty { reader.error("\(what) names no account", at: node.position) }
        }
        // Whatever went wrong, the rest can be read against a new account.
        if scenario.accounts.isEmpty { scenario.accounts = [.init(name: "", account: Account())] }
        rehearsal = CommandRehearsal(scenario.accounts.map(\.account))
        (scope.accounts, scope.start) = (scenario.accounts, scenario.start)
    }

    private mutating func addAccount(_ node: Node, name: String) {
        var account: Account?
        var file: String?
        if case .scalar = node.content {
            guard let path = reader.text(node, "`account`") else { return }
            let location = path.hasPrefix("/") ? path : scenario.folder + path
            file = location
            account = loadAccount(at: location, namedAt: node.position)
        } else {
            account = AccountLoader.load(node, &reader)
            if let account { filterReview.note(account, at: node, in: reader.source) }
        }
        guard var account else { return }
        // Accounts of one scenario may have the same name, and are different ones all the same.
        account.ownTeam = "account\n\(scenario.accounts.count)"
        scenario.accounts.append(.init(name: name, account: account, file: file))
    }

    private mutating func loadAccount(at location: String, namedAt position: SourcePosition) -> Account? {
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

    // MARK: Groups

    /// Devices in one scenario.
    static let deviceLimit = 10_000_000

    private mutating func readGroups(_ node: Node?, _ what: String) {
        guard let node else { return }
        var positions: [SourcePosition] = []
        var owners: [OwnedDevice: String] = [:]
        for entry in reader.mapping(node, what)?.entries ?? [] {
            if entry.key == "all" {
                reader.error("a group cannot be called `all`, which means every group", at: entry.keyPosition)
            }
            guard let group = group(entry) else { continue }
            if let id = group.id {
                let device = OwnedDevice(id: id, account: group.account)
                if let other = owners[device] {
                    reader.error("device `\(id)` is in group \(other.quoted) already", at: entry.keyPosition)
                }
                owners[device] = owners[device] ?? group.name
            }
            scope.add(group)
            positions.append(entry.keyPosition)
        }
        let accounts = scenario.accounts.map(\.account)
        scope.replaceGroups(by: SharedHardware.unite(scope.groups, accounts: accounts, at: positions, &reader))
        scenario.groups = scope.groups
        if scenario.deviceCount > Self.deviceLimit {
            reader.error("more than \(Self.deviceLimit.grouped) devices in one scenario", at: node.position)
        }
    }

    private mutating func group(_ entry: Node.Entry) -> DeviceGroup? {
        var group = DeviceGroup(name: entry.key)
        if entry.value.isMapping {
            group.account = scope.account(entry.value["account"], for: "a group", at: entry.keyPosition, &reader)
        }
        group.activity = scenario.activity
        let fields = DeviceGroup.fields(of: scope.account(of: group), in: scope, scenario.activity)
        return fields.read(entry.value, "group \(entry.key.quoted)", from: group, &reader)
    }

    // Accounts know nothing of one another, so one ID may be in each.
    private struct OwnedDevice: Hashable {
        let id: DeviceID
        let account: Int
    }
}

// MARK: Steps

extension ScenarioLoader {
    // Reads the steps, rehearses their commands, and reads what the steps expect.
    private mutating func readSteps(_ node: Node?, _ what: String) {
        if let node {
            var latest = 0
            var expected: [(step: Int, expectations: Node)] = []
            for entry in reader.sequence(node, what) ?? [] {
                guard let (step, expectations) = step(entry, after: &latest) else { continue }
                if let expectations { expected.append((scenario.steps.count, expectations)) }
                scenario.steps.append(step)
            }
            rehearsal.run(for: scenario, &reader)
            requestedHosts.check(scenario, &reader)
            // Only now is every filter known that some command adds; a repeated fetch may meet it.
            for (index, node) in expected {
                scenario.steps[index].expectations = expectations(node, of: scenario.steps[index].action)
            }
        }
        warnOfFilters()
    }

    private mutating func step(
        _ node: Node, after latest: inout Int
    ) -> (step: Step, expectations: Node?)? {
        guard var fields = reader.mapping(node, "a step") else { return nil }
        let at = fields.require("at", &reader).flatMap { reader.duration($0, "`at`") }
        if let at { checkOrder(at, after: &latest, at: node.position) }
        // An outage has an end of its own.
        let isOutage = node[OutageStep.key] != nil
        let until = isOutage ? fields.take("until") : nil
        let action = self.action(&fields, at: at ?? 0, until: until)
        let repetition = isOutage ? nil : self.repetition(&fields, at: at ?? 0)
        let expect = fields.take("expect")
        fields.finish(&reader)
        guard let action else { return nil }
        if let set = action as? SetStep, let client = set.change.client { scope.clients[set.group] = client }
        requestedHosts.add(action, to: node["to"], expecting: expect)
        var step = Step(at: at ?? latest, position: node.position, action: action, repetition: repetition)
        if let span = step.span, let repetition, let every = node["every"], span > repetition.every {
            reader.error("`every` is shorter than `over`, so that two of them would overlap", at: every.position)
        }
        // Also a step that is wrong otherwise is rehearsed, so that others are not blamed for what it would have done; at the
        // position of the part that may be wrong because of the commands before it.
        let part = fields.entries.first { ["approov", "domain", "to"].contains($0.key) }?.value
        step.position = part?.position ?? fields.position
        rehearsal.add(step)
        step.position = node.position
        return at.map { _ in (step, expect) }
    }

    private mutating func checkOrder(_ at: Int, after latest: inout Int, at position: SourcePosition) {
        if at < latest {
            reader.error(
                "step at \(DurationText.text(at)) comes after one at \(DurationText.text(latest))", at: position,
                hint: "steps have to be in the order of time")
        }
        latest = max(latest, at)
    }

    // `every` and `until`.
    private mutating func repetition(_ fields: inout DocumentMapping, at: Int) -> Step.Repetition? {
        let (every, until) = (fields.take("every"), fields.take("until"))
        guard let every, let until else {
            if let every { reader.error("`every` needs `until`", at: every.position) }
            if let until { reader.error("`until` needs `every`", at: until.position) }
            return nil
        }
        guard let seconds = reader.duration(every, "`every`"), let end = reader.duration(until, "`until`") else {
            return nil
        }
        if seconds == 0 {
            reader.error("`every` must be at least `1s`", at: every.position)
        } else if end < at {
            reader.error("`until` lies before `at`", at: until.position)
        } else {
            return Step.Repetition(every: seconds, until: end)
        }
        return nil
    }

    private mutating func action(
        _ fields: inout DocumentMapping, at: Int, until: Node?
    ) -> (any StepAction)? {
        fields.allow(StepKinds.keys)
        fields.allow(StepKinds.companions)
        let given = StepKinds.given(by: fields.entries)
        let companions = fields.entries.filter { StepKinds.companions.contains($0.key) }
        (scope.position, scope.at) = (fields.position, at)
        scope.companions = Dictionary(uniqueKeysWithValues: companions.map { ($0.key, $0.value) })
        scope.companions["until"] = until
        guard let (kind, node) = given.first else {
            if let account = scope.companions[CancelStep.key] { return CancelStep.read(account, scope, &reader) }
            let names = (StepKinds.keys + [CancelStep.key]).map(\.quoted).joined(separator: ", ")
            reader.error("a step needs one of \(names)", at: fields.position)
            return nil
        }
        if given.count > 1 {
            reader.error(
                "\(given[1].kind.key.quoted) cannot be combined with \(kind.key.quoted)", at: given[1].node.position)
        }
        for other in StepKinds.all where !companions.isEmpty && other != kind {
            let names = other.companions.map(\.name)
            guard let first = names.compactMap({ scope.companions[$0] }).first else { continue }
            let words = names.dropLast().map(\.quoted).joined(separator: ", ") + (names.count > 1 ? " and " : "")
            reader.error(
                "\(words)\(names.suffix(1).map(\.quoted).joined()) \(names.count > 1 ? "go" : "goes") with \(other.key.quoted) only",
                at: first.position)
        }
        return kind.read(node, scope, &reader)
    }

    // The attributes of devices are known only now.
    private mutating func warnOfFilters() {
        guard isChecked else { return }
        let attributes = scenario.attributes
        for warning in filterReview.warnings(on: scenario.accounts.flatMap(\.account.filters), attributes: attributes) {
            reader.diagnostics.add(warning)
        }
        for added in rehearsal.addedFilters {
            if let finding = FilterReview.unknownKey(of: added.filter, attributes: attributes) {
                reader.warning(finding.message, at: added.position, hint: finding.hint)
            }
        }
    }
}

// MARK: Expectations

extension ScenarioLoader {
    private mutating func expectations(_ node: Node, of action: any StepAction) -> [FetchExpectation] {
        guard let step = action as? any ExpectingAction else {
            reader.error("`expect` can be used with fetches, requests and calls only", at: node.position)
            return []
        }
        let nodes = expectationNodes(node)
        // Without a group there is nothing to expect of; that was noted.
        guard !step.groups.isEmpty else { return [] }
        var reader = reader
        let all = nodes.compactMap { node in
            FetchExpectation(node, of: step, in: scope, names: { names(knownTo: $0) }, &reader)
        }
        self.reader = reader
        return all
    }

    // Steps are read, so that no filter comes any more; few sets of accounts are asked for again and again.
    private mutating func names(knownTo indices: Set<Int>) -> ExpectedNames {
        if let known = expectedNames[indices] { return known }
        let names = ExpectedNames(
            accounts: indices.sorted().map { scenario.accounts[$0].account },
            filters: indices.reduce(into: []) { $0.formUnion(rehearsal.filterNames[$1]) })
        expectedNames[indices] = names
        return names
    }

    // At the end: a mapping, or a list of mappings that name accounts.
    private mutating func readFinalExpectations(_ node: Node?) {
        guard let node else { return }
        let (scenario, filters) = (scenario, rehearsal.filterNames)
        self.scenario.finalExpectations = expectationNodes(node).compactMap { node in
            FinalExpectation(node, of: scenario, in: scope, filters: filters, &reader)
        }
    }

    private mutating func expectationNodes(_ node: Node) -> [Node] {
        guard case .sequence(let nodes) = node.content else { return [node] }
        if nodes.isEmpty { reader.error("`expect` expects nothing", at: node.position) }
        return nodes
    }

    // Something that cannot be read may be an expectation.
    private mutating func warnOfNoExpectations() {
        guard isChecked, !reader.diagnostics.hasErrors, scenario.finalExpectations.isEmpty,
            scenario.steps.allSatisfy(\.expectations.isEmpty)
        else { return }
        reader.warning(
            "the scenario expects nothing, so it cannot fail", at: mapping.position,
            hint: "add `expect` to a step or at the end")
    }
}

extension DocumentKind {
    /// A scenario file. An account is taken for one first, so that it can be said what it is.
    package static let scenario = DocumentKind(
        name: "a scenario", keys: DocumentKind.account.keys.union(ScenarioLoader.keys))
}

// MARK: Schema

/// The schema of scenarios.
///
/// It knows the form of each value by itself, and not what loading and lint find by looking at several: keys that need or
/// exclude one another, names that are declared elsewhere, and the order of time.
package enum ScenarioSchema {
    /// The whole document.
    package static var document: String { schema.document(title: "A scenario", definitions: definitions) }

    /// The definitions to which the schema refers, by name.
    package static var definitions: [(name: String, schema: JSONSchema)] {
        let scope = ScenarioScope.any
        return [
            ("account", AccountSchema.schema), ("attributes", AttributeForm.schema),
            ("activity", Activity.form(otherwise: Activity()).schema), ("command", CommandGrammar.schema),
            ("count", ValueForm<CountRange>.counted.schema), ("client", ClientSettings.form(start: scope.start).schema),
            ("group", DeviceGroup.fields(of: Account(), in: scope, Activity()).schema()), ("step", StepKinds.schema),
            ("expectation", FetchExpectation.schema), ("end", FinalExpectation.schema),
        ]
    }

    /// The whole document; it refers to ``definitions``.
    package static var schema: JSONSchema { ScenarioLoader.schema }
}

/// The kinds of names that scenarios alone have.
extension NameKind {
    package static let group = NameKind("group")
    /// An account of a scenario that has several.
    package static let account = NameKind("account")
    /// A device ID, or the group of a single device.
    package static let groupOrDevice = NameKind("group or device")
    /// A flag, or a filter behind `filter:`.
    package static let rejection = NameKind("rejection")
    /// A metric, which may name a filter.
    package static let metric = NameKind("metric")
}
