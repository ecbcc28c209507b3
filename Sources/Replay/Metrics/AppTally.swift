/// Counts by app, in memory that one window after another uses.
struct AppTally {
    // By number of the app.
    private var counts: [VerdictCounts] = []
    // The apps that were counted.
    private var touched: [Int] = []

    mutating func count(passed: Bool, app: Int) {
        if app >= counts.count {
            counts.append(contentsOf: repeatElement(VerdictCounts(), count: app + 1 - counts.count))
        }
        if counts[app].total == 0 { touched.append(app) }
        counts[app].count(passed: passed)
    }

    /// The apps that were counted, and their counts.
    var all: [(app: Int, counts: VerdictCounts)] { touched.map { ($0, counts[$0]) } }

    /// Starts anew.
    mutating func clear() {
        for app in touched { counts[app] = VerdictCounts() }
        touched.removeAll(keepingCapacity: true)
    }
}
