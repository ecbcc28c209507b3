internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// Each device asks for a token once.
struct FetchStep: ExpectingAction {
    static let key = "fetch"
    static let companions: [(name: String, schema: JSONSchema)] = [
        ("domain", .text.naming(.domain))
    ]
    static let checks = [
        "verdict", "pass", "fail", "attested", "cached", "result", "policy", "rejections", "flags", "annotations",
        "filters", "lifetime", "arc", "token", "loggable", "config-changed", "force-apply",
    ]
    static let results = CallResult.fetches
    let groups: [Int]
    let domain: String?

    static var schema: JSONSchema { .groups }

    static func load(_ node: Node, _ fields: StepFields, _ loader: inout ScenarioLoader) -> FetchStep? {
        let domain = fields["domain"].flatMap { loader.reader.text($0, "`domain`") }
        return loader.groups(node, "`fetch`").map { FetchStep(groups: $0, domain: domain) }
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
        let (time, service, domain) = (run.time, run.service(of: group), domain)
        let (requested, server) = (service.domain(domain, at: time), run.server(of: group))
        let (settings, name) = (run.requests.settings[group], run.scenario.groups[group].name)
        run.forEachMember(of: group) { record, install, tally in
            let (fetched, isCached) = install.fetch(requested, from: service, answeredBy: server, at: time)
            let notice = service.notice(of: install.configuration, at: time)
            record.note((fetched, isCached), by: install, tally: &tally, notice: notice)
            record.trace(install, of: name, in: service, at: time) { service in
                let decision = fetched == .success ? install.token?.decision : nil
                return EventTrace.Event(
                    kind: "fetch", subject: "fetches" + (domain.map { " for \($0)" } ?? ""), rule: "R14.1",
                    name: "token", fetched: .init(fetched.rawValue, isCached: isCached, decision, in: service))
            }
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: time) }
        }
    }

    func event(in _: Scenario) -> StepEvent { .eachOne }
}

extension AccountPart {
    /// The parts of an account that decide about an attestation.
    static let ofAttestation: Set<AccountPart> = [
        .policy, .filters, .devices, .filteredPolicy, .deviceCheck, .safetyNet, .certificates, .registrations,
        .developmentKey, .pinningTestURL,
    ]
}
