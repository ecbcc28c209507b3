internal import PolicyEngine

/// The names of metrics (R13).
enum MetricName {
    enum Check {
        case valid
        case unknown(hint: String?)
    }

    /// Whether a metric of that name can occur; one that cannot would make an expectation of 0 hold for ever.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - catalogue: The flags that exist.
    ///   - filters: The filters that exist at some time.
    static func check(_ name: String, catalogue: FlagCatalogue, filters: Set<String>) -> Check {
        if WindowKind.allCases.contains(where: { name == $0.prefix + "pass" || name == $0.prefix + "fail" }) {
            return .valid
        }
        for window in WindowKind.allCases where name.hasPrefix(window.prefix) {
            let rest = String(name.dropFirst(window.prefix.count))
            if rest.hasPrefix("pass-app-") || rest.hasPrefix("fail-app-") { return isApp(rest) }
            if let flag = suffix(of: rest, behind: ["fail-flag-"]) { return check(flag: flag, catalogue) }
            return .unknown(hint: nil)
        }
        if fixedNames.contains(name) { return .valid }
        if let flag = suffix(of: name, behind: ["pass-flag-", "fail-flag-", "rejection-flag-"]) {
            return check(flag: flag, catalogue)
        }
        if let policy = suffix(of: name, behind: ["policy-"]) { return check(policy, among: policies) }
        if let filter = suffix(of: name, behind: ["rejection-filter-", "filter-"]) {
            return check(filter, among: filters.sorted())
        }
        if suffix(of: name, behind: ["pass-app", "fail-app"]) != nil { return isApp(name) }
        let clients = ["sdk-id-", "sdk-version-", "sdk-arch-ios-", "sdk-arch-android-", "sdk-arch-unknown-"]
        if let rest = suffix(of: name, behind: clients), !rest.isEmpty { return .valid }
        return .unknown(hint: Suggestion.hint(for: name, among: fixedNames))
    }

    private static let fixedNames =
        ["pass", "fail", "fail-bad-request", "rejection-policy-blacklist", Figures.billingName] + clientNames
    private static let clientNames = [
        "sdk-calls-fetch-sync", "sdk-calls-set-data-hash", "sdk-result-success", "sdk-result-no-network",
        "sdk-result-poor-network", "sdk-result-mitm-detected",
    ]
    private static let policies = RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]

    private static func suffix(of name: String, behind prefixes: [String]) -> String? {
        prefixes.first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
    }

    private static func check(flag: String, _ catalogue: FlagCatalogue) -> Check {
        check(flag, among: catalogue.declaredNames)
    }

    private static func check(_ name: String, among names: [String]) -> Check {
        names.contains(name) ? .valid : .unknown(hint: Suggestion.hint(for: name, among: names))
    }

    // `pass-app-OS-APP` or `pass-appver-OS-APP-VERSION`.
    private static func isApp(_ name: String) -> Check {
        for prefix in ["-app-", "-appver-"] {
            for system in OperatingSystem.allCases {
                for verdict in ["pass", "fail"] {
                    let start = verdict + prefix + system.metricName + "-"
                    if name.hasPrefix(start), name.count > start.count { return .valid }
                }
            }
        }
        return .unknown(hint: "an app metric is `pass-app-OS-APP`, with OS `and`, `ios` or `unknown`")
    }
}
