internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// Each device asks for a token once.
struct FetchStep: ExpectingAction {
    static let key = "fetch"
    static let companions = [(name: "domain", schema: JSONSchema.text.naming(.domain))]
    static let checks = [
        "verdict", "pass", "fail", "attested", "cached", "result", "policy", "rejections", "flags", "annotations",
        "filters", "lifetime", "arc", "token", "loggable", "config-changed", "force-apply",
    ]
    static let results = CallResult.fetches
    let groups: [Int]
    let domain: String?

    static func form(_ scope: ScenarioScope) -> ValueForm<FetchStep> {
        let form = ValueForm<[Int]>.groups(scope)
        return ValueForm(form.schema) { node, what, reader in
            let domain = scope.companions["domain"].flatMap { reader.text($0, "`domain`") }
            return form.read(node, what, &reader).map { FetchStep(groups: $0, domain: domain) }
        }
    }

    // With a domain: which domains there are, and whether they serve measurements.
    var reach: Set<AccountPart> {
        domain == nil ? AccountPart.ofAttestation : AccountPart.ofAttestation.union([.domains, .features])
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let before = run.record.counts
        for group in groups { fetch(group, in: &run) }
        let now = run.record.counts
        let (attested, cached) = (now.attested - before.attested, now.cached - before.cached)
        let failed = now.failed - before.failed
        return ["fetch \(run.names(groups)): \(attested) attested, \(cached) cached, \(failed) without a token"]
    }

    private func fetch(_ group: Int, in run: inout ScenarioRun) {
        let (access, domain) = (run.access(of: group), domain)
        let requested = access.service.domain(domain, at: access.time)
        let (settings, name) = (run.requests.settings[group], run.scenario.groups[group].name)
        run.forEachMember(of: group) { record, install, tally in
            let (fetched, isCached) = install.fetch(requested, access)
            let notice = access.service.notice(of: install.configuration, at: access.time)
            let token = fetched == .success ? install.token : nil
            record.note(FetchEnd(.token, fetched, isCached: isCached, token, notice), by: install, tally: &tally)
            record.trace(install, of: name, in: access) { service in
                EventTrace.Event(
                    kind: "fetch", words: "fetches" + (domain.map { " for \($0)" } ?? ""), rule: "R14.1",
                    name: "token", fetched: .init(fetched.rawValue, isCached: isCached, token?.decision, in: service))
            }
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: access.time) }
        }
    }
}

extension AccountPart {
    /// The parts of an account that decide about an attestation.
    static let ofAttestation: Set<AccountPart> = [
        .policy, .filters, .devices, .filteredPolicy, .deviceCheck, .safetyNet, .certificates, .registrations,
        .developmentKey, .pinningTestURL,
    ]
}
