internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// Each device asks for a token once.
struct FetchStep: CallStep {
    static let key = "fetch"
    static let help = "The groups whose devices ask for a token once."
    static let (rule, name) = ("R14.1", "token")
    static let companions = [
        (name: "domain", schema: JSONSchema.text.naming(.domain).described(as: "The API domain that the fetch names."))
    ]
    static let kind = ClientChanges.Kind.token
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

    // A fetch that names a domain also depends on which domains there are, and whether they serve measurements.
    var reach: Set<AccountPart> {
        domain == nil ? AccountPart.ofAttestation : AccountPart.ofAttestation.union([.domains, .features])
    }

    var subject: String? { "fetches" + (domain.map { " for \($0)" } ?? "") }

    func perform(in run: inout ScenarioRun) -> [String] {
        let before = run.record.counts
        for group in groups { call(group, in: &run) }
        let now = run.record.counts
        let (attested, cached) = (now.attested - before.attested, now.cached - before.cached)
        let failed = now.failed - before.failed
        return ["fetch \(run.names(groups)): \(attested) attested, \(cached) cached, \(failed) without a token"]
    }

    func call(by install: inout Install, _ access: ServiceAccess) -> FetchEnd {
        install.bindChanged(access)
        let (result, isCached) = install.fetch(access)
        let notice = access.service.notice(of: install.configuration, at: access.time)
        return FetchEnd(Self.kind, result, isCached: isCached, result == .success ? install.token : nil, notice)
    }
}

extension AccountPart {
    /// The parts of an account that decide about an attestation.
    static let ofAttestation: Set<AccountPart> = [
        .policy, .filters, .devices, .filteredPolicy, .deviceCheck, .safetyNet, .certificates, .registrations,
        .developmentKey, .pinningTestURL,
    ]
}
