internal import Documents
package import PolicyEngine

/// The topic `monitoring`: the watched API domains, and the recipients of mails (R25.1; manual, Service Monitoring).
package enum MonitoringTopic: ManagementTopic {
    case addAPI(String, port: Int)
    case removeAPI(String)
    case resumeNotifications
    case add(String)
    case remove(String)
    case get
    case select(MonitoringSettings.Frequency)
    case setEmergencyContact(String)
    case getHealthCheckURL

    static let name = "monitoring"

    static let actions: [CommandAction] = [
        action("-addAPI", "domain", for: .admins, changes: true, options: [CommandOption("-port", .text)]) {
            call throws(CommandError) in
            let port = try call.value("-port").map(DomainTopic.port) ?? Account.usualMonitorPort
            return .addAPI(call.operand, port: port)
        },
        action("-removeAPI", "domain", for: .admins, changes: true) { .removeAPI($0.operand) },
        action("-resumeAPINotifications", for: .developers) { _ in .resumeNotifications },
        action("-add", "email address", for: .developers, changes: true) { call throws(CommandError) in
            guard MailAddress.isAddress(call.operand) else {
                throw CommandError(MonitoringError.invalidEmail(call.operand))
            }
            return .add(call.operand)
        },
        action("-get", for: .developers) { _ in .get },
        action("-remove", "email address", for: .developers, changes: true) { .remove($0.operand) },
        action("-selectDailySummary", for: .developers, changes: true) { _ in .select(.daily) },
        action("-selectMonthlySummary", for: .developers, changes: true) { _ in .select(.monthly) },
        action("-setEmergencyContact", "contact", for: .developers, changes: true) { .setEmergencyContact($0.operand) },
        action("-getHealthCheckURL", for: .developers) { _ in .getHealthCheckURL },
    ]

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .addAPI(let domain, let port):
            try change(&account) { account throws(MonitoringError) in
                try account.monitorDomain(named: domain, port: port)
            }
            effect.warn(Self.warning(about: account))
            effect.warn(Self.warning(about: domain, account))
            effect.reported = [Self.updated]
        case .removeAPI(let domain):
            try change(&account) { account throws(MonitoringError) in
                try account.stopMonitoringDomain(named: domain)
            }
            effect.reported = [Self.updated]
        case .resumeNotifications:
            effect.resumesNotifications = true
            effect.reported = ["API monitoring notifications resumed"]
        case .add(let address):
            try change(&account) { account throws(MonitoringError) in try account.monitoring.add(address) }
        case .remove(let address):
            try change(&account) { account throws(MonitoringError) in try account.monitoring.remove(address) }
        case .get: effect.printed = MonitoringText.lines(of: account.monitoring)
        case .select(let frequency): account.monitoring.frequency = frequency
        case .setEmergencyContact(let text): account.monitoring.emergencyContact = text.isEmpty ? nil : text
        case .getHealthCheckURL:
            effect.printed = ["\(context.healthCheckAddress)/healthcheck/\(account.healthName)"]
        }
    }

    private static let updated = "API monitoring updated successfully"

    private func change(
        _ account: inout Account, _ step: (inout Account) throws(MonitoringError) -> Void
    ) throws(CommandError) {
        try CommandError.wrapping { () throws(MonitoringError) in try step(&account) }
    }

    // R25.2: there would be nothing to compare.
    private static func warning(about name: String, _ account: Account) -> String? {
        let pinned = account.apiDomains.filter { !$0.pins.isEmpty }
        return pinned.contains { $0.isNamed(name) || $0.holdsManagedRoots }
            ? nil : "API domain \(name.quoted) has no pins, so no certificate is ever reported"
    }

    // Manual, API Monitoring.
    private static func warning(about account: Account) -> String? {
        account.monitoring.recipients.isEmpty
            ? "no mail about problems is sent until `monitoring -add` adds a recipient" : nil
    }
}

/// Monitoring in the words of the manual (Managing Email Recipients).
private enum MonitoringText {
    /// The output of `monitoring -get`.
    static func lines(of settings: MonitoringSettings) -> [String] {
        let recipients = settings.recipients.map { "  \($0)" }
        return
            (recipients.isEmpty
            ? ["monitoring emails will be sent to nobody"] : ["monitoring emails will be sent to:"] + recipients)
            + [
                "summary frequency: \(settings.frequency.rawValue)",
                settings.emergencyContact.map { "emergency contact: \($0)" } ?? "emergency contact has not been set",
            ]
    }
}
