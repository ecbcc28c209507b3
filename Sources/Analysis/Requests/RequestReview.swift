package import Documents
package import PolicyEngine
internal import Replay

/// The requests of a backend's log, counted by the reason for which the backend would refuse them.
package struct RequestReview: Sendable {
    /// The name of the account.
    package let account: String
    /// The key that requests are counted by.
    package let key: String
    /// The reasons, the commonest first.
    package private(set) var reasons: [Reason] = []
    /// The requests by hour, value and reason.
    package private(set) var counts: [Cell: Int] = [:]
    /// The time of the first request, and that of the last one; `nil` where there is none.
    package private(set) var span: ClosedRange<Instant>?
    private var devices: [RequestRefusal.Kind: Set<DeviceID>] = [:]
    private var seconds: [RequestRefusal.Kind: [Int]] = [:]

    /// A count of its own.
    package struct Cell: Hashable, Sendable {
        /// The start of the hour.
        package let hour: Instant
        /// The value of the key; `nil` for requests without one.
        package let value: String?
        /// The reason; `nil` for requests that are accepted.
        package let reason: RequestRefusal.Kind?
    }

    /// The requests that are refused for one reason.
    package struct Reason: Sendable {
        package let kind: RequestRefusal.Kind
        package var requests = 0
        /// Their devices, as far as their tokens name them.
        package fileprivate(set) var devices = 0
        /// The first of them.
        package let file: String
        package let line: Int
        /// More words on them, each with its requests: the flags of failed attestations, other domains.
        package var details: [String: Int] = [:]
        /// The median of the seconds since tokens expired, or until they are valid; `nil` for other reasons.
        package fileprivate(set) var median: Int?
        /// The greatest number of these seconds.
        package fileprivate(set) var longest: Int?
    }

    /// All requests.
    package var requests: Int { counts.values.reduce(0, +) }
    /// The requests that are refused.
    package var refused: Int { reasons.reduce(0) { $0 + $1.requests } }

    /// The requests of each hour, value, or whatever else a cell is counted under.
    package func sums<Group: Hashable>(by group: (Cell) -> Group) -> [(group: Group, sum: Sum)] {
        var sums: [Group: Sum] = [:]
        for (cell, count) in counts { sums[group(cell), default: Sum()].add(count, cell.reason) }
        return sums.map { (group: $0.key, sum: $0.value) }
    }

    /// The requests of some cells.
    package struct Sum: Hashable, Sendable {
        package var requests = 0
        /// The refused ones by reason.
        package var reasons: [RequestRefusal.Kind: Int] = [:]

        package var refused: Int { reasons.values.reduce(0, +) }

        /// The commonest reason, the one that backends check first among equal ones; `nil` where none is refused.
        package var commonest: RequestRefusal.Kind? {
            RequestRefusal.Kind.allCases.filter { reasons[$0] != nil }.max {
                (reasons[$0] ?? 0) < (reasons[$1] ?? 0)
            }
        }

        fileprivate mutating func add(_ count: Int, _ reason: RequestRefusal.Kind?) {
            requests += count
            if let reason { reasons[reason, default: 0] += count }
        }
    }

    fileprivate init(account: String, key: String) { (self.account, self.key) = (account, key) }

    fileprivate mutating func add(_ request: LoggedRequest, _ refusal: RequestRefusal?, file: String, line: Int) {
        span =
            span.map { min($0.lowerBound, request.time)...max($0.upperBound, request.time) }
            ?? request.time...request.time
        let hour = Instant(secondsSinceEpoch: request.time.hourNumber * 3600)
        counts[Cell(hour: hour, value: request.value, reason: refusal?.kind), default: 0] += 1
        guard let refusal else { return }
        let index = reasons.firstIndex { $0.kind == refusal.kind } ?? reasons.endIndex
        if index == reasons.endIndex { reasons.append(Reason(kind: refusal.kind, file: file, line: line)) }
        reasons[index].requests += 1
        for detail in refusal.flags + (refusal.detail.isEmpty ? [] : [refusal.detail]) {
            reasons[index].details[detail, default: 0] += 1
        }
        if let device = refusal.device { devices[refusal.kind, default: []].insert(device) }
        if let seconds = refusal.seconds { self.seconds[refusal.kind, default: []].append(seconds) }
    }

    fileprivate mutating func finish() {
        for index in reasons.indices {
            let kind = reasons[index].kind
            reasons[index].devices = devices[kind]?.count ?? 0
            guard let sorted = seconds[kind]?.sorted() else { continue }
            (reasons[index].median, reasons[index].longest) = (sorted[(sorted.count - 1) / 2], sorted.last)
        }
        let order = RequestRefusal.Kind.allCases
        reasons.sort { left, right in
            left.requests != right.requests
                ? left.requests > right.requests
                : (order.firstIndex(of: left.kind) ?? 0) < (order.firstIndex(of: right.kind) ?? 0)
        }
    }
}

/// The logs of a backend, and the account whose tokens it checks.
package struct RequestLogs: Sendable {
    private let paths: [String]
    private let account: Account
    private let domain: String?
    private let key: String

    /// - Parameters:
    ///   - paths: The files, plain or compressed; `-` is standard input.
    ///   - account: The account that issues the tokens.
    ///   - domain: The domain of requests that name none; `nil` for the only one of the account.
    ///   - key: The key of the value that requests are counted by.
    package init(_ paths: [String], account: Account, domain: String?, countedBy key: String) {
        let served = account.apiDomains.filter { $0.type != .pinOnly }
        (self.paths, self.account, self.key) = (paths, account, key)
        self.domain = domain ?? (served.count == 1 ? served[0].name : nil)
    }

    /// Reads the logs, and checks each request as a backend does.
    ///
    /// - Parameter diagnostics: Gets all lines that are no requests.
    /// - Returns: The counts; `nil` after an error.
    /// - Complexity: O(bytes of the logs), and some microseconds for each token.
    package func review(diagnostics: inout Diagnostics) -> RequestReview? {
        var (review, checks) = (RequestReview(account: account.name, key: key), [String: RequestCheck]())
        for path in paths {
            var mistakes: [Diagnostic] = []
            JSONLines.read(path: path, diagnostics: &diagnostics) { line, bytes in
                do throws(LoggedRequest.Mistake) {
                    let request = try LoggedRequest(bytes, countedBy: key)
                    let check = try check(of: request, among: &checks)
                    let refusal =
                        switch request.token {
                        case .compact(let token): check.refusal(of: token, request.binding, at: request.time)
                        case .claims(let claims):
                            check.refusal(ofClaims: claims, request.binding, at: request.time)
                        }
                    review.add(request, refusal, file: path, line: line)
                } catch {
                    guard mistakes.count < Self.mistakeLimit else { return }
                    mistakes.append(Diagnostic(file: path, line: line, message: error.message, hint: error.hint))
                }
            }
            diagnostics.add(mistakes)
        }
        review.finish()
        return diagnostics.hasErrors ? nil : review
    }

    // The greatest number of mistakes that are reported of a file.
    private static let mistakeLimit = 100

    private func check(
        of request: LoggedRequest, among checks: inout [String: RequestCheck]
    ) throws(LoggedRequest.Mistake) -> RequestCheck {
        guard let name = request.domain ?? domain else {
            throw LoggedRequest.Mistake("request without `domain`", hint: "`--domain` names that of all requests")
        }
        if let known = checks[name] { return known }
        do throws(TokenIssueError) {
            let check = try RequestCheck(account: account, domain: name)
            checks[name] = check
            return check
        } catch {
            throw LoggedRequest.Mistake(error.description)
        }
    }
}
