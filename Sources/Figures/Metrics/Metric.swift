internal import Documents
package import PolicyEngine

/// One figure of an account by what it counts (R13). Its name, such as `rejection-flag-rooted`, is read from files and
/// written into reports only.
package enum Metric: Hashable, Sendable {
    /// Attestations by their verdict: `pass` and `fail`.
    case verdict(passed: Bool)
    /// Malformed requests: `fail-bad-request`.
    case badRequest
    /// Attestations with a flag: `pass-flag-rooted`.
    case flag(ExactText, passed: Bool)
    /// Attestations that failed for a cause: `rejection-flag-rooted`, `rejection-filter-myip`, `rejection-policy-blacklist`.
    case rejection(Rejection)
    /// Attestations under a rejection policy: `policy-default`.
    case policy(ExactText)
    /// Attestations that a filter matched: `filter-myip`.
    case filter(ExactText)
    /// Attestations of an app on a system: `pass-app-and-com.example`.
    case app(ExactText, passed: Bool)
    /// Attestations of an app in a version: `pass-appver-and-com.example-1.0`.
    case version(ExactText, passed: Bool)
    /// Counts that clients report: `sdk-result-success`.
    case client(Client)
    /// The devices that the bill is made by: `billing`.
    case billing
    /// Unique devices in a window, in place of attestations (R13.2): `hourly-pass`, `daily-fail-flag-rooted`.
    indirect case devices(Metric, WindowKind)

    /// Attestations that passed.
    package static let pass = Metric.verdict(passed: true)
    /// Attestations that failed.
    package static let fail = Metric.verdict(passed: false)

    /// The metrics that there are whatever the account and its devices are.
    static let fixed: [Metric] =
        [.pass, .fail, .badRequest, .rejection(.blacklist), .billing]
        + Client.Total.allCases.map { .client(.total($0)) }
}

// Names.
extension Metric {
    private static let rejectingFlagPrefix = "rejection-flag-"
    private static let rejectingFilterPrefix = "rejection-filter-"
    private static let policyPrefix = "policy-"
    private static let filterPrefix = "filter-"

    /// The word for flag, app or version at the start of a metric's name.
    enum Kind: String {
        case flag, app
        case version = "appver"

        /// Such as `pass-appver-`.
        func prefix(passed: Bool) -> String { "\(passed ? "pass" : "fail")-\(rawValue)-" }
    }

    /// The name as R13 has it.
    package var name: String {
        switch self {
        case .verdict(let passed): passed ? "pass" : "fail"
        case .badRequest: "fail-bad-request"
        case .flag(let flag, let passed): Kind.flag.prefix(passed: passed) + flag.text
        case .rejection(.flag(let flag)): Self.rejectingFlagPrefix + flag.text
        case .rejection(.filter(let filter)): Self.rejectingFilterPrefix + filter.text
        case .rejection(.blacklist): "rejection-policy-blacklist"
        case .policy(let policy): Self.policyPrefix + policy.text
        case .filter(let filter): Self.filterPrefix + filter.text
        case .app(let app, let passed): Kind.app.prefix(passed: passed) + app.text
        case .version(let version, let passed): Kind.version.prefix(passed: passed) + version.text
        case .client(let metric): metric.name
        case .billing: "billing"
        case .devices(let metric, let kind): kind.prefix + metric.name
        }
    }

    /// The metric of a name; `nil` where no metric has a name of that form.
    ///
    /// The flag, filter, policy or app need not exist (``check(_:catalogue:filters:apps:)``).
    package init?(_ name: String) {
        for kind in WindowKind.allCases {
            guard let rest = name.part(behind: kind.prefix) else { continue }
            // A window of a window is none, so that no name takes the stack.
            guard let metric = Self.counted(rest), metric.isCountedInWindows else { return nil }
            self = .devices(metric, kind)
            return
        }
        guard let metric = Self.counted(name) else { return nil }
        self = metric
    }

    // A metric of no window.
    private static func counted(_ name: String) -> Metric? { fixed.first { $0.name == name } ?? named(name) }

    // Those with the name of something else in their own.
    private static func named(_ name: String) -> Metric? {
        func part(behind prefix: String) -> ExactText? { name.part(behind: prefix).map { ExactText($0) } }
        for passed in [true, false] {
            if let flag = part(behind: Kind.flag.prefix(passed: passed)) { return .flag(flag, passed: passed) }
            if let app = part(behind: Kind.app.prefix(passed: passed)) { return .app(app, passed: passed) }
            if let version = part(behind: Kind.version.prefix(passed: passed)) {
                return .version(version, passed: passed)
            }
        }
        if let flag = part(behind: rejectingFlagPrefix) { return .rejection(.flag(flag)) }
        if let filter = part(behind: rejectingFilterPrefix) { return .rejection(.filter(filter)) }
        if let policy = part(behind: policyPrefix) { return .policy(policy) }
        if let filter = part(behind: filterPrefix) { return .filter(filter) }
        return Client(name).map { .client($0) }
    }

    // R13.2.
    private var isCountedInWindows: Bool {
        switch self {
        case .verdict, .flag(_, passed: false), .app: true
        default: false
        }
    }
}

extension String {
    /// The text behind a prefix, compared by bytes; `nil` where the text does not start with it.
    func part(behind prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }
}

extension Metric: FigureValue {
    package var partial: JSONValue { .string(name) }
    package init?(partial content: JSONContent) {
        guard let metric = content.text.flatMap({ Metric($0) }) else { return nil }
        self = metric
    }
}

/// The spans over which unique devices are counted (R13.2).
package enum WindowKind: String, FigureValue, Hashable, Sendable, CaseIterable {
    case hourly, daily, monthly
}

extension WindowKind {
    /// The start of the names of its metrics, such as `hourly-`.
    package var prefix: String { rawValue + "-" }
}

/// Months that start on an account's billing day at midnight UTC (R13.2).
package enum BillingMonth {
    /// The first day of the billing month that a day lies in.
    ///
    /// - Parameter billingDay: 1 through 28, so that every month has it.
    package static func start(of date: CalendarDate, billingDay: Int) -> CalendarDate {
        let isBefore = date.day < billingDay
        // Counted in days, since a zone's offset may lead to years that cannot be written.
        let inMonth = isBefore ? CalendarDate(dayNumber: date.dayNumber - date.day) : date
        return CalendarDate(dayNumber: inMonth.dayNumber - inMonth.day + billingDay)
    }
}

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
