internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// The captures that a command line names, and how to read them.
enum CaptureOptions {
    /// The request to read the captures; with a new account.
    static func request(_ arguments: ParsedArguments) throws(CommandFailure) -> ReplayRequest {
        let zones = try zones(arguments)
        if !arguments.isSet(Options.inputFormat), let path = arguments.operands.first(where: ScenarioFiles.isScenario) {
            throw .usage(
                "\(path.asTyped) is YAML, not a capture",
                hint: "`--account` takes an account, and `scenario run` or `generate` a scenario")
        }
        var request = ReplayRequest(captures: arguments.operands, account: Account())
        request.zones = zones
        request.names = try names(arguments)
        request.skipsMalformed = arguments[Options.skipMalformed]
        if arguments.captures == nil {
            request.format = arguments[Options.inputFormat]
            request.sorts = arguments[Options.sort]
        }
        request.malformedPath = arguments[Options.malformed]
        request.fetchesPath = arguments[Options.fetches]
        request.jobs = arguments.jobs
        request.image = arguments.captures?.image
        return request
    }

    private static func names(_ arguments: ParsedArguments) throws(CommandFailure) -> RecordNames {
        guard let text = arguments[Options.rename] else { return RecordNames() }
        do throws(RecordNamesError) { return try RecordNames(text) } catch {
            throw .usage("`\(Options.rename.name)`: \(error.description)", hint: error.hint)
        }
    }

    private static func zones(_ arguments: ParsedArguments) throws(CommandFailure) -> TimeZones {
        guard let text = arguments[Options.timezone] else { return TimeZones() }
        if let offset = ClockZone.offset(text) { return TimeZones(fallback: offset) }
        guard let rules = NamedZone.rules(text) else { throw NamedZone.unknown(text) }
        return TimeZones(rules: rules)
    }
}

extension ParsedArguments {
    /// The clock by which commands print times that the manual has in local time.
    ///
    /// - Throws: ``CommandFailure`` for one that is not known.
    func shownZone() throws(CommandFailure) -> ClockZone {
        guard let text = self[Options.shownTimezone] else { return .utc }
        if let zone = ClockZone(text) { return zone }
        guard let rules = NamedZone.rules(text) else { throw NamedZone.unknown(text) }
        return ClockZone(name: text, rules: rules)
    }
}

/// A time zone of the system by its name, such as `Europe/London`.
enum NamedZone {
    private static let folder = "/usr/share/zoneinfo/"

    /// The rules of a zone; `nil` where the system has none of this name.
    static func rules(_ name: String) -> ZoneRules? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { plain.contains($0) }
        }
        guard isPlain, let bytes = try? TextFile.bytes(path: folder + name) else { return nil }
        return ZoneFile.rules(bytes)
    }

    /// The error about a value of `--timezone`.
    static func unknown(_ text: String) -> CommandFailure {
        .usage(
            "`--timezone` takes `±hh:mm` or the name of a zone, not \(text.asTyped)",
            hint: "such as `BST`, or `Europe/London` from \(folder)")
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+".utf8)
}
