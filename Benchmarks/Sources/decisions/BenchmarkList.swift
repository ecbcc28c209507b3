internal import PolicyEngine

/// Every benchmark, in the order of the table.
enum BenchmarkList {
    /// As many filters as an account may have: 12 exact ones and 10 regexes, each with an input of the 3 conjunctions.
    private static let full = BenchmarkAccount(exact: 11, regexes: 9, conjunctions: 3)
    private static let fullName = "25 filters: 12 exact, 10 regexes, 3 conjunctions"

    /// All of them. The devices that pass follow from ``AttestationStream`` and ``BenchmarkAccount``.
    static var all: [any Benchmark] {
        get throws { try filters + flags + sampling + devices }
    }

    private static var filters: [any Benchmark] {
        get throws {
            [
                try KnownDevices("no filter", account: BenchmarkAccount(), passed: 1000),
                try KnownDevices("1 exact filter", account: BenchmarkAccount(exact: 1), passed: 900),
                try KnownDevices("1 regex", account: BenchmarkAccount(regexes: 1), passed: 950),
                try KnownDevices("1 conjunction of 2", account: BenchmarkAccount(conjunctions: 1), passed: 900),
                try KnownDevices(
                    "5 filters of all kinds",
                    account: BenchmarkAccount(exact: 1, regexes: 1, conjunctions: 1), passed: 750),
                try KnownDevices("25 exact filters", account: BenchmarkAccount(exact: 25), passed: 900),
                try KnownDevices("25 regexes", account: BenchmarkAccount(regexes: 25), passed: 950),
                try KnownDevices("23 conjunctions of 2", account: BenchmarkAccount(conjunctions: 23), passed: 900),
                try KnownDevices(fullName, account: full, passed: 750),
            ]
        }
    }

    private static var flags: [any Benchmark] {
        get throws {
            let filtered = BenchmarkAccount(hasFlagFilter: true)
            return [
                try KnownDevices(
                    "no filter, 1 flag at most", account: BenchmarkAccount(), flags: .few, passed: 750),
                try KnownDevices("no filter, all flags", account: BenchmarkAccount(), flags: .many, passed: 0),
                try KnownDevices("a regex on the flags, 1 at most", account: filtered, flags: .few, passed: 750),
                try KnownDevices("a regex on the flags, all of them", account: filtered, flags: .many, passed: 0),
            ]
        }
    }

    private static var sampling: [any Benchmark] {
        get throws {
            [
                try KnownDevices(
                    "a filtered policy, no sampling", account: BenchmarkAccount(sampling: .zero), passed: 1000),
                try KnownDevices(
                    "sampling, after each device's first of a day",
                    account: BenchmarkAccount(sampling: .hundred), passed: 1000, annotated: 1000),
                try KnownDevices(
                    "sampling, each device's first of a day",
                    account: BenchmarkAccount(sampling: .hundred),
                    secondsBetweenRounds: Instant.secondsPerDay, passed: 1000, annotated: 1000),
            ]
        }
    }

    private static var devices: [any Benchmark] {
        get throws {
            [
                try KnownDevices("\(fullName), 200 000 devices in turn", account: full, devices: 200_000, passed: 750),
                try NewDevices("no filter, a new device each", account: BenchmarkAccount()),
            ]
        }
    }
}
