internal import Documents
package import PolicyEngine

extension Metric {
    /// The answer to whether a metric can be counted for an account.
    package enum Check {
        case valid(Metric)
        case unknown(hint: String?)
    }

    /// Checks whether a metric of a name can occur; an expectation of 0 of one that cannot would hold for ever.
    ///
    /// - Parameters:
    ///   - catalogue: The flags that exist.
    ///   - filters: The filters that exist at some time.
    ///   - apps: The apps that devices can come with.
    package static func check(
        _ name: String, catalogue: FlagCatalogue, filters: Set<String>, apps: AppNames
    ) -> Check {
        guard let metric = Metric(name) else {
            let isOfWindow = WindowKind.allCases.contains { name.hasPrefix($0.prefix) }
            return .unknown(hint: isOfWindow ? nil : Suggestion.hint(for: name, among: fixed.map(\.name)))
        }
        var (counted, window) = (metric, "")
        if case .devices(let inner, let kind) = metric { (counted, window) = (inner, kind.prefix) }
        switch counted {
        case .flag(let flag, _), .rejection(.flag(let flag)):
            return check(metric, flag.text, among: catalogue.declaredNames)
        case .policy(let policy): return check(metric, policy.text, among: policies)
        case .filter(let filter), .rejection(.filter(let filter)):
            return check(metric, filter.text, among: filters.sorted())
        case .app(let app, let passed):
            return check(metric, app: app.text, .app, behind: window + Kind.app.prefix(passed: passed), among: apps)
        case .version(let version, let passed):
            let start = window + Kind.version.prefix(passed: passed)
            return check(metric, app: version.text, .version, behind: start, among: apps)
        case .verdict, .badRequest, .rejection(.blacklist), .client, .billing, .devices: return .valid(metric)
        }
    }

    private static let policies = RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]

    private static func check(_ metric: Metric, _ name: String, among names: [String]) -> Check {
        names.contains(name) ? .valid(metric) : .unknown(hint: Suggestion.hint(for: name, among: names))
    }

    // `OS-APP` or `OS-APP-VERSION`, behind what is before it in the metric's name.
    private static func check(
        _ metric: Metric, app name: String, _ kind: Kind, behind start: String, among apps: AppNames
    ) -> Check {
        let hasVersion = kind == .version
        let form = "it is `\(start)\(hasVersion ? "OS-APP-VERSION" : "OS-APP")`, with OS `and`, `ios` or `unknown`"
        guard let system = OperatingSystem.allCases.first(where: { name.part(behind: $0.metricName + "-") != nil }),
            let app = name.part(behind: system.metricName + "-")
        else { return .unknown(hint: form) }
        if apps.contains(app, hasVersion: hasVersion) { return .valid(metric) }
        if apps.isEmpty { return .unknown(hint: "no device of this account has an `appid`") }
        let near = apps.hint(for: app, hasVersion: hasVersion, behind: "\(start)\(system.metricName)-")
        return .unknown(hint: near ?? "\(form), and the rest as devices of this account have it")
    }
}

extension Metric {
    /// The names of the metrics that there are whatever the account and its devices are.
    package static var fixedNames: [String] { fixed.map(\.name) }
    /// The starts of the names of metrics of a window.
    package static var windowPrefixes: [String] { WindowKind.allCases.map(\.prefix) }
}
