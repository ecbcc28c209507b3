internal import Analysis
internal import Documents
internal import Figures
internal import Replay

/// The options by which devices are grouped by the values that they show.
enum GroupOptions {
    /// The option for the keys whose combinations are searched.
    static let who = Option(
        "--who", "Report groups of devices that are newly rejected far more often, by values of KEYS: ip/16,flags.",
        .text("KEYS"), in: .count)

    /// The option for the size of the combinations.
    static let order = Option(
        "--order", "Combine up to N values, by default 2.", .integer("N", in: 1...3, usually: 2), in: .count,
        relations: [.needs([who.given])])

    /// The option for the keys by whose values devices are counted.
    static let count = Option(
        CountingOptions.count.name,
        "Report the devices that change sides by the values of KEYS, with commas between them: model,locale,os-version.",
        .text("KEYS", words: .attributes), in: .count,
        relations: [
            .excludes([PartialOptions.partial.given, PartialOptions.shard.given]),
            .excludes([who.given], hint: "a comparison groups devices in one way"),
        ])

    /// The option for an older capture.
    static let since = Option(
        "--since", "Report whether the devices are still like those of the capture OLD, by the account before.",
        .file(.reads), in: .count,
        relations: [
            .excludes(
                [PartialOptions.partial.given, PartialOptions.shard.given],
                reason: ", because all devices of two captures are compared at once")
        ])

    private static let keyLimit = 8

    /// The keys that an option names; `nil` if it is not given.
    ///
    /// - Parameter isDecided: True if `filters` and `verdict` are the decisions of the account.
    static func keys(
        _ option: Option<String?>, _ arguments: ParsedArguments, isDecided: Bool = false
    ) throws(CommandFailure) -> [ProfileKey]? {
        guard let text = arguments[option] else { return nil }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !words.contains(""), Set(words).count == words.count, words.count <= keyLimit else {
            throw .usage(
                "`\(option.name)` takes up to \(keyLimit) different keys, not \(text.asTyped)",
                hint: "such as `app-version,ip/16,flags`")
        }
        return try words.map { word throws(CommandFailure) in
            switch word {
            case "flags", "flags-all", "public-flags": .flags
            case "filters" where isDecided: .filters
            case "verdict" where isDecided: .verdict
            default: ProfileKey(try CountingOptions.recordKey(word, of: option))
            }
        }
    }

    /// The groups that a comparison hits; `nil` if nobody asked for them.
    static func hits(_ profiles: DeviceProfiles?, at level: ConfidenceLevel?, _ call: CommandCall) -> HitFigures? {
        guard let profiles, call.isSet(who) else { return nil }
        warn(of: profiles, who, call)
        return HitSearch(profiles, order: call[order], at: level ?? .usual).run()
    }

    /// The devices that change sides by the values of keys; `nil` if nobody asked for them.
    static func valueHits(_ profiles: DeviceProfiles?, _ call: CommandCall) -> ValueHits? {
        guard let profiles, call.isSet(count) else { return nil }
        warn(of: profiles, count, call)
        return profiles.valueHits(top: call[CountingOptions.top])
    }

    // Flags and filters may be missing everywhere.
    private static func warn(of profiles: DeviceProfiles, _ option: any CommandOption, _ call: CommandCall) {
        let shown = Set(profiles.shownValues.map(\.value.key))
        for (index, key) in profiles.keys.enumerated() where !shown.contains(index) && key != ProfileKey.flags.text {
            call.console.show(CountingOptions.missing(key, option))
        }
    }

    /// The request to read the capture of `--since`; `nil` if it is not given.
    static func older(than request: ReplayRequest, _ arguments: ParsedArguments) throws(CommandFailure)
        -> ReplayRequest?
    {
        guard let path = arguments[since] else { return nil }
        var older = request
        older.captures = [path]
        if let reason = request.rereadingRefusal ?? older.rereadingRefusal {
            throw .usage("`\(since.name)` reads captures more than once, and \(reason)")
        }
        return older
    }

    /// The difference of captures from an older one, by the same account; `nil` where one of them has no device.
    static func drift(
        of request: ReplayRequest, since older: ReplayRequest, at level: ConfidenceLevel?,
        _ diagnostics: inout Diagnostics, _ progress: Progress
    ) -> DriftFigures? {
        var requests = [older, request]
        for index in requests.indices { requests[index].askOnlyForFigures() }
        let drift = CaptureDrift(old: requests[0], new: requests[1], at: level ?? .usual, progress: progress)
        // The comparison has reported those of the newer one.
        if drift.diagnostics.hasErrors { diagnostics.merge(drift.diagnostics) }
        return drift.figures
    }
}
