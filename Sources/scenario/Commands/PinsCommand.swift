internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Reports
internal import Scenarios

/// `scenario pins`: which changes of certificates the pins of an account survive.
extension Command {
    static let pins = Command(
        "pins", "Say which changes of certificates the pins survive, and whose apps the others block.",
        .files("SCENARIO", "One scenario; its backends say the chains of the API domains."),
        options: [
            account, change, Options.changes, rotationsOption, requestsOption, launchesOption, afterOption,
            beforeOption, durationOption, maximumBlocked.option, formatOption, Options.outputs, Options.seed,
            Options.jobs, Options.allowOutside, Options.noProgress,
        ],
        discussion: """
            Each domain is tried with a renewed certificate, a new key, another intermediate, another authority and a
            stolen key; the report says which of these its chain cannot have. Each rotation is simulated with the devices of
            the scenario and the settings of their apps (client), but without its steps. Devices make requests and launch
            their apps as often as the options say. More of them than about a minute can do are refused.

            The rotation comes unannounced, and an hour later the printed commands add the new pin. With --pins-before
            they come first, as is planned; a theft is never planned. Backends take requests without tokens here.
            """,
        examples: [
            "scenario pins rotation.yaml": "The rotations, and the devices that each of them blocks.",
            "scenario pins rotation.yaml --launches 1d,tablets=30d --pins-before 14d --max-blocked 1%":
                "Tablets launch the app once a month; the pins are added two weeks before. Exits with 4 beyond 1 %.",
        ],
        reports: [RotationReport.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Try the account in FILE; by default that of the scenario.")
    private static let change = Options.change.described(
        as: "Change the account by a management command first, such as another pin.")
    private static let rotationsOption = Option(
        "--rotations", "Try only these rotations: \(Rotation.allCases.map(\.rawValue).joined(separator: ",")).",
        .text("LIST"), in: .count)
    private static let requestsOption = Option(
        "--requests", "The time from one request of a device to its next, by default 15m; 15m,GROUP=1h for a group.",
        .text("TIMES"))
    private static let launchesOption = Option(
        "--launches", "The time from one launch of an app to its next, by default 1d; 1d,GROUP=30d for a group.",
        .text("TIMES"))
    private static let afterOption = Option(
        "--pins-after", "Add the new pins DURATION after the rotation, by default 1h.",
        .duration(least: 0, usually: RotationHabits.usualReaction), relations: [.excludes([beforeOption.given])])
    private static let beforeOption = Option(
        "--pins-before", "Add the new pins DURATION before the rotation.", .duration(least: 0))
    private static let durationOption = Option(
        "--for", "End DURATION after the rotation, by default 7d.",
        .duration(least: 1, usually: 7 * Instant.secondsPerDay))
    private static let maximumBlocked = Limit<RehearsedRotation>(
        "--max-blocked",
        summary:
            "Exit with 4 when a rotation blocks more devices, or a larger share; those that trust a thief do not count."
    ) { LimitedFigure(count: $0.requests.blockedDevices, all: $0.devices, unit: "devices") }
    private static let formatOption = Options.format(RotationReport.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard call.operands.count == 1, let path = call.operands.first else {
            throw .usage("one scenario is tried at a time")
        }
        let (rotations, habits) = (try rotations(call), try habits(call))
        let (scenario, account) = try call.reading { read(path, call.arguments, &$0) }
        if let group = habits.groups.first(where: { !scenario.groupNames.contains($0) }) {
            let isTorn = scenario.groupNames.contains { $0.contains("=") && $0.contains(",") }
            throw .usage(
                "the scenario has no group \(group.quoted)",
                hint: isTorn
                    ? "a group with `=TIME,` in its name needs another name here"
                    : Suggestion.hint(for: group, among: scenario.groupNames))
        }
        var rehearsal = RotationRehearsal(scenario, account: account, habits: habits)
        (rehearsal.rotations, rehearsal.seed) = (rotations, call[Options.seed])
        for domain in rehearsal.unknownDomains {
            call.console.show(
                Diagnostic(
                    severity: .warning, file: path, message: "no backend says which chain \(domain.quoted) presents",
                    hint: "`backends: {\(domain): {chain: [LEAF, INTERMEDIATE, ROOT]}}`"))
        }
        if let excess = rehearsal.excess {
            throw .usage(
                "`\(requestsOption.name)`, `\(launchesOption.name)` and `\(durationOption.name)` make \(excess.grouped) launches, "
                    + "fetches and requests, which take longer than a minute",
                hint:
                    "a longer `\(requestsOption.name)`, a shorter `\(durationOption.name)`, or fewer `\(rotationsOption.name)`"
            )
        }
        var diagnostics = Diagnostics()
        let found = call.following { rehearsal.run(jobs: call.arguments.jobs, progress: $0, &diagnostics) }
        try call.require(diagnostics)
        guard let worst = found.max(by: { $0.requests.blockedDevices < $1.requests.blockedDevices }) else {
            let reason =
                rehearsal.unknownDomains.count == account.apiDomains.count { !$0.holdsManagedRoots }
                ? "no API domain of the account has a known chain" : "no chain has certificates that would change so"
            throw call.failure("nothing was tried: \(reason)", .nothingRan)
        }
        let limits = [maximumBlocked.check(worst, call.arguments)].compactMap(\.self)
        let report = RotationReport(
            found, leftOut: rehearsal.leftOut, account: account.name, limits: limits.map(\.result))
        try call.write { _ in report }
        return call.end(limits: limits)
    }

    // The scenario, and the account that is tried with it.
    private static func read(
        _ path: String, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> (Scenario, Account)? {
        var review = FilterReview()
        let scenario = ScenarioLoader.load(
            path: path, isChecked: false, within: arguments.boundary(), diagnostics: &diagnostics)
        guard let scenario, let own = scenario.onlyAccount(toBe: "tried", &diagnostics),
            let changed = AccountOptions.changed(
                arguments, besides: own, presenting: scenario.presentedChains(), review: &review,
                diagnostics: &diagnostics)
        else { return nil }
        return (scenario, changed.after)
    }

    private static func habits(_ call: CommandCall) throws(CommandFailure) -> RotationHabits {
        var habits = RotationHabits()
        for (group, seconds) in try times(requestsOption, call) { habits.requests[group] = seconds }
        for (group, seconds) in try times(launchesOption, call) { habits.launches[group] = seconds }
        habits.reaction = call[beforeOption].map { -$0 } ?? call[afterOption]
        habits.duration = call[durationOption]
        return habits
    }

    private static func rotations(_ call: CommandCall) throws(CommandFailure) -> [Rotation] {
        guard let text = call[rotationsOption] else { return Rotation.allCases }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let unknown = words.first(where: { Rotation(rawValue: $0) == nil }) {
            let known = Rotation.allCases.map(\.rawValue)
            throw .usage(
                "\(unknown.quoted) is not a rotation",
                hint: Suggestion.hint(for: unknown, among: known) ?? "there are \(known.joined(separator: ", "))")
        }
        return Rotation.allCases.filter { words.contains($0.rawValue) }
    }

    // The seconds between two requests or launches, and the group that has this interval; `nil` for all other groups.
    private typealias Interval = (group: String?, seconds: Int)

    // Reads the value of an option such as `1d,tablets=30d`: one interval at most for a group, and one for all other groups. A name may
    // have commas and equals signs: what ends with no time is its beginning, and its time is behind the last of these signs.
    private static func times(
        _ option: Option<String?>, _ call: CommandCall
    ) throws(CommandFailure) -> [Interval] {
        guard let text = call[option] else { return [] }
        var (times, begun): ([Interval], String) = ([], "")
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let words = (begun + part).split(separator: "=", omittingEmptySubsequences: false)
            let group = words.count > 1 ? words.dropLast().joined(separator: "=") : nil
            let seconds = words.last.flatMap { try? DurationText.parse(String($0)) }
            if seconds == nil, index + 1 < parts.count {
                begun += part + ","
                continue
            }
            guard let seconds, RotationHabits.intervals.contains(seconds), !times.contains(where: { $0.group == group })
            else {
                throw .usage(
                    "`\(option.name)` takes a time, and others for groups, not \((begun + part).asTyped)",
                    hint: "such as `1d,tablets=30d`; at least one second")
            }
            times.append((group, seconds))
            begun = ""
        }
        return times
    }
}
