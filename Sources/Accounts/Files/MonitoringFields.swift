internal import Documents
internal import PolicyEngine

/// The recipients of mails about an account, in its file (R25.1).
enum MonitoringFields {
    private static let all = RecordFields<MonitoringSettings>([
        RecordField("emails", addresses) { node, settings, reader in
            for (text, position) in reader.texts(node, "`emails`") ?? [] {
                reader.attempt(at: position) { () throws(MonitoringError) in try settings.add(text) }
            }
        } write: {
            DocumentField("emails", $0.recipients.isEmpty ? nil : DocumentValue.texts($0.recipients))
        },
        .value("summary", \.frequency, .word, usually: MonitoringSettings.Frequency.monthly),
        .optional("emergency-contact", \.emergencyContact, .text),
    ])

    private static let addresses = JSONSchema.list(of: address, atMost: AccountLimits.monitoringRecipients).unique

    /// The form of an address of mail.
    static let address = JSONSchema.text(matching: "[!-~]+@[!-~]+")

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> MonitoringSettings? {
        all.read(node, "`monitoring`", from: MonitoringSettings(), &reader)
    }

    /// The fields of the settings in a file.
    static func fields(of settings: MonitoringSettings) -> [DocumentField] { all.values(of: settings) }

    static var schema: JSONSchema { all.schema() }
}
