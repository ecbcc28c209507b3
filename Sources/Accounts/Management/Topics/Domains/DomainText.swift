internal import PolicyEngine

/// API domains in the words of the manual (Managing API Domains, Pinning For New API Domains).
enum DomainText {
    /// The output of `api -list`.
    static func list(_ domains: [APIDomain]) -> [String] {
        let rows = domains.map { domain in
            (domain.name, (attributes(of: domain) + monitoring(of: domain)).joined(separator: ", "))
        }
        return [ListText.heading(domains.count, "API domain", "API domains")] + ListText.columns(rows)
    }

    /// The output of `api -add` once it is confirmed. The pins of a managed domain are not shown.
    static func addition(of domain: APIDomain) -> [String] {
        let pins = domain.pins.isEmpty ? ["unpinned"] : domain.pins.map { "pin:\($0)" }
        let shown = attributes(of: domain) + (domain.type == .restricted ? [] : pins)
        let added = "added new API domain \(domain.name) with \(shown.joined(separator: ", "))"
        guard let port = domain.monitorPort else { return [added] }
        let remove = "(remove using `approov monitoring -removeAPI`)"
        return [added, "enabled continuous monitoring for https://\(domain.name):\(port) \(remove)"]
    }

    private static func attributes(of domain: APIDomain) -> [String] {
        let algorithm = domain.tokenAlgorithm.map { ["alg:\($0)"] } ?? []
        let keyID = domain.keyID.map { ["kid:\($0)"] } ?? []
        return ["type:\(domain.type.rawValue)"] + algorithm + keyID
    }

    private static func monitoring(of domain: APIDomain) -> [String] {
        domain.monitorPort.map { ["monitorPort:\($0)"] } ?? []
    }
}
