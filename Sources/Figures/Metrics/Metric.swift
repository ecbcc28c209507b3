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

extension Metric: PartialCodable {
    package var partial: JSONValue { .string(name) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        guard let metric = Metric(try reader.text()) else { throw reader.failure("is not a metric") }
        self = metric
    }
}
