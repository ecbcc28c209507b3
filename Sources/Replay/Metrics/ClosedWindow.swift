internal import PolicyEngine

/// The counts of one window, by numbers.
struct ClosedWindow {
    let startHour: Int
    let devices: VerdictCounts
    let apps: [(app: Int, counts: VerdictCounts)]
    let flags: [(place: Int, count: Int)]

    /// The same with names.
    func figures(apps labels: AppLabels, catalogue: FlagCatalogue) -> Figures.Window {
        var counts = NamedCounts()
        for (app, verdicts) in apps {
            let name = labels.apps[app]
            if verdicts.passed > 0 { counts["pass-app-\(name)"] = verdicts.passed }
            if verdicts.failed > 0 { counts["fail-app-\(name)"] = verdicts.failed }
        }
        for (place, count) in flags { counts["fail-flag-\(catalogue.flags[place].name)"] = count }
        return Figures.Window(
            start: Instant(secondsSinceEpoch: startHour * 3600), passed: devices.passed, failed: devices.failed,
            counts: counts)
    }
}
