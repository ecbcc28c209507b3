internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// Each device makes a request once (R19).
struct RequestStep: ExpectingAction {
    static let key = "request"
    static let help = "The groups whose devices make a request once, with a token."
    static let companions: [(name: String, schema: JSONSchema)] = [
        ("to", .text.naming(.domain).described(as: "The domain, or the URL, of the request.")),
        ("data", .text.described(as: "The value of the header that tokens are bound to; none leaves the header out.")),
        ("header", presence.schema.described(as: "Says if the request has the header that tokens are bound to.")),
        ("as", .group.described(as: "The group whose tokens are sent.")),
    ]
    private static let presence = ValueForm<String>.word(["present", "absent"])
    static let kind = ClientChanges.Kind.request
    static let results = CallResult.fetches
    let groups: [Int]
    let target: RequestTarget

    // Plain HTTP and another install's token need no fetch (R19.7, R19.8).
    private var isFetched: Bool { !target.isPlain && target.tokenGroup == nil }
    var checks: [String] { isFetched ? Self.checks : RequestOutcome.allCases.map(\.rawValue) }
    var domain: String? { isFetched ? target.text : nil }

    static func form(_ scope: ScenarioScope) -> ValueForm<RequestStep> {
        let form = ValueForm<[Int]>.groups(scope)
        return ValueForm(form.schema) { node, what, reader in
            let groups = form.read(node, what, &reader)
            let target = target(of: groups ?? [], at: node.position, scope, &reader)
            return groups.flatMap { groups in target.map { RequestStep(groups: groups, target: $0) } }
        }
    }

    private static func target(
        of groups: [Int], at position: SourcePosition, _ scope: ScenarioScope, _ reader: inout DocumentReader
    ) -> RequestTarget? {
        guard let node = scope.companions["to"] else {
            reader.error(
                "`request` needs `to`", at: position, hint: "it names the domain, such as api.example.com")
            return nil
        }
        guard let text = reader.text(node, "`to`") else { return nil }
        guard var target = RequestTarget(text) else {
            reader.error("\(text.quoted) is neither a domain nor a URL with `https` or `http`", at: node.position)
            return nil
        }
        if !target.isPlain {
            if let header = header(of: groups, scope, &reader) { target.header = header }
            target.tokenGroup = scope.companions["as"].flatMap { tokenGroup($0, for: groups, scope, &reader) }
        } else if let other = ["data", "header", "as"].lazy.compactMap({ scope.companions[$0] }).first {
            reader.error("a request by plain HTTP carries neither a token nor bound data", at: other.position)
        }
        return target
    }

    // R19.1: `data: none` is a request without the header, as is `header: absent`.
    private static func header(
        of groups: [Int], _ scope: ScenarioScope, _ reader: inout DocumentReader
    ) -> RequestTarget.HeaderValue? {
        let isUnbound = !groups.isEmpty && groups.allSatisfy { scope.clients[$0].bindingHeader == nil }
        for name in ["data", "header"] {
            guard isUnbound, let node = scope.companions[name] else { continue }
            reader.error("\(name.quoted) needs a `binding-header` of the group's `client`", at: node.position)
        }
        let presence = scope.companions["header"].flatMap { Self.presence.read($0, "`header`", &reader) }
        let data = scope.companions["data"]
        let text = data.flatMap { reader.text($0, "`data`") }
        if let presence, let text, let data, (presence == "absent") != (text == "none") {
            reader.error("`data: \(text)` contradicts `header: \(presence)`", at: data.position)
        }
        if presence == "absent" || text == "none" { return .absent }
        return text.map { .text($0) }
    }

    // R19.8: install by install, or that of the only one.
    private static func tokenGroup(
        _ node: Node, for groups: [Int], _ scope: ScenarioScope, _ reader: inout DocumentReader
    ) -> Int? {
        guard let index = scope.group(node, &reader) else { return nil }
        let other = scope.groups[index]
        if groups.contains(where: { scope.groups[$0].account != other.account }) {
            reader.error("group \(other.name.quoted) has tokens of another account", at: node.position)
        }
        if other.count > 1, groups.contains(where: { scope.groups[$0].count > other.count }) {
            reader.error(
                "group \(other.name.quoted) has fewer devices than make requests", at: node.position,
                hint: "it needs one device, or as many as make requests")
        }
        return index
    }

    // The backend checks tokens and signatures of messages, the app pins.
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.domains, .tokens, .features]) }

    func perform(in run: inout ScenarioRun) -> [String] {
        let before = run.requests.figures
        // R19.8: as they are when the step begins.
        let tokens = target.tokenGroup.map { run.devices.installs[$0].map(\.token) }
        for group in groups { request(group, tokens, in: &run) }
        let after = run.requests.figures
        let counts = RequestOutcome.allCases.compactMap { outcome -> String? in
            let count = zip(before, after).reduce(0) { $0 + $1.1[outcome] - $1.0[outcome] }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
        let words = counts.isEmpty ? "none" : counts.joined(separator: ", ")
        return ["request \(run.names(groups)) to \(target.text): \(words)"]
    }

    private func request(_ group: Int, _ tokens: [CachedToken?]?, in run: inout ScenarioRun) {
        let (scenario, access, target) = (run.scenario, run.access(of: group, naming: target.text), target)
        let (service, time) = (access.service, access.time)
        let builtIn = run.devices.installs[group].first.map { service.builtInRevision($0.configuration, at: time) } ?? 0
        let call = RequestRound.Call(target: target, access: access, tokens: tokens)
        var (round, ledger) = run.requests.begin(group, to: target.host, service: service, builtIn: builtIn, at: time)
        run.forEachMember(of: group) { record, install, tally in
            let isTraced = record.tracer?.follows(install) ?? false
            let made = round.request(&install, call, isTraced: isTraced, in: &ledger)
            record.note(made.end(by: install), after: made.earlierEnd, by: install, tally: &tally)
            if isTraced {
                let trace = round.trace(
                    of: made, by: install, target: target, group: scenario.groups[group].name,
                    names: KeyNames(scenario.chains), at: time)
                record.tracer?.note(.request(trace), at: time)
            }
            if made.isToRelaunch { install.launch(at: time) }
        }
        run.requests.end(group, to: target.host, round, ledger)
    }
}

extension RequestRound.Result {
    /// The end of it, with the token that the install has now.
    fileprivate func end(by install: borrowing Install) -> FetchEnd {
        let token = fetch?.result == .success ? install.token : nil
        var end = FetchEnd(
            .request, fetch?.result, isCached: fetch?.isCached ?? false, token, fetch?.notice ?? ConfigurationNotice())
        end.outcome = outcome
        return end
    }

    fileprivate var earlierEnd: FetchEnd? {
        earlier.map { fetch, token in FetchEnd(.request, fetch.result, isCached: fetch.isCached, token, fetch.notice) }
    }
}
