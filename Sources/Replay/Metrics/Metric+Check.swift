internal import Documents
package import PolicyEngine

/// The names of metrics (R13).
package enum MetricName {
    package enum Check {
        case valid
        case unknown(hint: String?)
    }

    /// Whether a metric of that name can occur; one that cannot would make an expectation of 0 hold for ever.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - catalogue: The flags that exist.
    ///   - filters: The filters that exist at some time.
    ///   - apps: The apps that devices can come with.
    package static func check(
        _ name: String, catalogue: FlagCatalogue, filters: Set<String>, apps: AppNames
    ) -> Check {
        if WindowKind.allCases.contains(where: { name == $0.prefix + "pass" || name == $0.prefix + "fail" }) {
            return .valid
        }
        for window in WindowKind.allCases where name.hasPrefix(window.prefix) {
            let rest = String(name.dropFirst(window.prefix.count))
            if isApp(rest, ["app-"]) { return check(app: rest, of: window.prefix, among: apps) }
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
        if isApp(name, ["app-", "appver-"]) { return check(app: name, of: "", among: apps) }
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

    private static func isApp(_ name: String, _ kinds: [String]) -> Bool {
        kinds.contains { suffix(of: name, behind: ["pass-\($0)", "fail-\($0)"]) != nil }
    }

    // `pass-app-OS-APP` or `pass-appver-OS-APP-VERSION`.
    private static func check(app name: String, of window: String, among apps: AppNames) -> Check {
        let hasVersion = suffix(of: name, behind: ["pass-appver-", "fail-appver-"]) != nil
        let start = window + name.prefix(hasVersion ? "pass-appver-".count : "pass-app-".count)
        let form = "it is `\(start)\(hasVersion ? "OS-APP-VERSION" : "OS-APP")`, with OS `and`, `ios` or `unknown`"
        let rest = (window + name).dropFirst(start.count)
        guard let system = OperatingSystem.allCases.first(where: { rest.hasPrefix($0.metricName + "-") }) else {
            return .unknown(hint: form)
        }
        let app = String(rest.dropFirst(system.metricName.count + 1))
        if apps.contains(app, hasVersion: hasVersion) { return .valid }
        if apps.isEmpty { return .unknown(hint: "no device of this account has an `appid`") }
        let near = apps.hint(for: app, hasVersion: hasVersion, behind: "\(start)\(system.metricName)-")
        return .unknown(hint: near ?? "\(form), and the rest as devices of this account have it")
    }
}
