internal import PolicyEngine

/// A report as a page: its title, the card that says the result, its sections, and its origin.
package struct ReportPage: Sendable {
    /// The subject of the page: `example-bank: default → strict`.
    let title: String
    /// The extent of the data: `23 July 2020, 07–12 UTC` and `2,000 devices`.
    var scope: [String] = []
    /// The result at a glance; `nil` where the sections begin with it.
    var card: ReportCard?
    let sections: [ReportSection]
    let origin: ReportOrigin

    /// The subject and the extent in one line.
    var fullTitle: String { ([title] + scope).joined(separator: " · ") }
}

/// The command and the inputs of a report, so that it can be made again.
package struct ReportOrigin: Sendable {
    /// The command line, as a shell takes it; options without influence on the report are left out.
    package var command = ""
    /// The version of the tool; empty where it does not matter.
    package var version = ""
    package var inputs: [Input] = []
    /// The command that explains a device of the report, up to the device; `nil` where none does.
    package var explanation: String?
    /// The places of the change of a comparison, for forms that point at them.
    package var change: ChangePlaces?

    /// The command that explains a device; `nil` where none does.
    func explanation(of device: DeviceID?) -> String? {
        guard let explanation, let device else { return nil }
        return "\(explanation) \(device)"
    }

    /// A file that was read.
    package struct Input: Sendable {
        /// As it was named.
        let path: String
        /// In bytes; `nil` for what can be read once only.
        let size: Int?
        /// The SHA-256 of its bytes in hexadecimal digits; `nil` where it was not worked out.
        let digest: String?

        package init(path: String, size: Int?, digest: String?) {
            self.path = path
            self.size = size
            self.digest = digest
        }
    }

    package init() {}
}
