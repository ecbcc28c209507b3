internal import Documents
internal import PolicyEngine

/// The recipients of mails about an account, in its file (R25.1).
enum MonitoringFields {
    /// The keys of the mapping, in their usual order.
    enum Key: String, CaseIterable {
        case emails, summary
        case emergencyContact = "emergency-contact"
    }

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> MonitoringSettings? {
        guard var mapping = reader.mapping(node, "`monitoring`") else { return nil }
        var settings = MonitoringSettings()
        if let list = mapping.take(Key.emails) {
            for (text, position) in reader.texts(list, Key.emails.rawValue.quoted) ?? [] {
                reader.attempt(at: position) { () throws(MonitoringError) in try settings.add(text) }
            }
        }
        settings.frequency = mapping.word(Key.summary, &reader) ?? settings.frequency
        settings.emergencyContact = mapping.text(Key.emergencyContact, &reader)
        mapping.finish(&reader)
        return settings
    }

    /// The fields of the settings in a file.
    static func fields(of settings: MonitoringSettings) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .emails:
                DocumentField(
                    key.rawValue, settings.recipients.isEmpty ? nil : DocumentValue.texts(settings.recipients))
            case .summary:
                DocumentField(key.rawValue, settings.frequency.rawValue, isNeeded: settings.frequency != .monthly)
            case .emergencyContact: DocumentField(key.rawValue, settings.emergencyContact)
            }
        }
    }
}
