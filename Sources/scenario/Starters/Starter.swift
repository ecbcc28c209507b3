/// The files of a new project: commented, and valid as they are.
struct Starter {
    /// The files by their paths in the folder of the project, in the order in which somebody reads them.
    let files: [(path: String, text: String)]
    /// The lines that say what to try first.
    let next: [String]

    /// A purpose of a project.
    enum Purpose: String, CaseIterable {
        /// A policy in production, with captured devices.
        case bank
        /// Tests of a backend against the simulated service.
        case backend
    }

    /// The files for a purpose.
    init(_ purpose: Purpose) {
        switch purpose {
        case .bank: self = .bank
        case .backend: self = .backend
        }
    }

    init(_ files: [(path: String, text: String)], next: [String]) {
        (self.files, self.next) = (files, next)
    }
}

extension Starter {
    /// The path of the capture in every project.
    static let capturePath = "captures/day.jsonl"

    /// Eight attestations of seven devices, two of which the service rejected.
    static let capture = #"""
        {"time":"2026-01-12T08:00:03Z","device-id":"LmJXHZguVccYLjDqrRmo+A==","public-flags":"new-did","rejection-flags":"","device":"Android 13, Pixel 7","ip":"198.51.100.7","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:00:41Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:01:10Z","device-id":"z2/Un8dBKOqX2xLPc4BSBw==","public-flags":"rooted","rejection-flags":"rooted","device":"Android 11, SM-G973F","ip":"203.0.113.9","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:27Z","device-id":"+vAXbZZ8MWERcbeMQGpewQ==","public-flags":"new-did","rejection-flags":"","device":"iOS 16.5, iPhone14,5","ip":"198.51.100.80","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:58Z","device-id":"Pbtu/BYeL61PN5R5KpmTng==","public-flags":"safetynet-unavailable","rejection-flags":"","device":"Android 10, Mi A3","ip":"198.51.100.91","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:04:15Z","device-id":"DGM2tk1C4JNRyGNZTKPM/g==","public-flags":"frida,rooted","rejection-flags":"frida,rooted","device":"Android 9, Nexus 5X","ip":"203.0.113.66","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:00Z","device-id":"G54t7NgjbBHXrd+TaMF/sA==","public-flags":"","rejection-flags":"","device":"iOS 15.7, iPhone12,1","ip":"198.51.100.112","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:03Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}

        """#

    /// The defaults of a project.
    ///
    /// - Parameter account: The path of its account.
    static func settings(account: String) -> String {
        """
        # Defaults of the commands that are run in this folder or below it. A value that is typed wins over its default, and a
        # report says the defaults that it used.
        account = "\(account)"
        captures = ["\(capturePath)"]

        [diff]
        # A change may shut out at most this share of the captured devices; `scenario diff` exits with 4 beyond it.
        max-newly-rejected = "1%"

        """
    }
}
