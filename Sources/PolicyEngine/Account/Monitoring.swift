/// The recipients of mail on an account, and its frequency (R25.1).
package struct MonitoringSettings: Hashable, Sendable {
    /// The addresses that get mail, in the order in which they were added.
    @ByteExact package internal(set) var recipients: [String] = []
    /// Which summaries are sent.
    package var frequency = Frequency.monthly
    /// Whom to call in an emergency, as somebody wrote it.
    @ByteExact package var emergencyContact: String?

    /// The frequency of summaries.
    package enum Frequency: String, Hashable, Sendable, CaseIterable {
        case monthly, daily
    }

    /// Makes settings without recipients.
    package init() {}

    /// Adds a recipient.
    package mutating func add(_ address: String) throws(MonitoringError) {
        guard MailAddress.isAddress(address) else { throw .invalidEmail(address) }
        guard !recipients.contains(address) else { throw .duplicateRecipient(address) }
        guard recipients.count < AccountLimits.monitoringRecipients else { throw .recipientLimitReached(address) }
        recipients.append(address)
    }

    /// Removes a recipient.
    ///
    /// - Throws: ``MonitoringError/unknownRecipient(_:known:)``.
    package mutating func remove(_ address: String) throws(MonitoringError) {
        guard let index = recipients.firstIndex(of: address) else {
            throw .unknownRecipient(address, known: recipients)
        }
        recipients.remove(at: index)
    }
}

extension Account {
    /// The name under which the account's health is asked for: the account's behind `att-`, with which it mostly begins
    /// already (R23.3; manual, Healthcheck Endpoint).
    package var healthName: String { name.hasPrefix("att-") ? name : "att-\(name)" }

    /// The port on which an API domain is watched, unless another one is asked for.
    package static let usualMonitorPort = 443

    /// Watches an API domain from now on, or on another port.
    ///
    /// - Throws: ``MonitoringError/unknownDomain(_:known:)``.
    package mutating func monitorDomain(named name: String, port: Int) throws(MonitoringError) {
        let index = try indexOfDomain(named: name)
        apiDomains[index].monitorPort = port
    }

    /// Watches an API domain no more.
    ///
    /// - Throws: ``MonitoringError/unknownDomain(_:known:)``, ``MonitoringError/notMonitored(_:)``.
    package mutating func stopMonitoringDomain(named name: String) throws(MonitoringError) {
        let index = try indexOfDomain(named: name)
        guard apiDomains[index].monitorPort != nil else { throw .notMonitored(apiDomains[index].name) }
        apiDomains[index].monitorPort = nil
    }

    private func indexOfDomain(named name: String) throws(MonitoringError) -> Int {
        let index = apiDomains.firstIndex { $0.isNamed(name) && !$0.holdsManagedRoots }
        guard let index else {
            throw .unknownDomain(name, known: apiDomains.filter { !$0.holdsManagedRoots }.map(\.name))
        }
        return index
    }
}

/// Why the watched domains or the recipients cannot be changed.
package enum MonitoringError: Error, Hashable, Sendable {
    /// A text that cannot be an address.
    case invalidEmail(String)
    /// The address exists already.
    case duplicateRecipient(String)
    /// It would be the 11th address (R25.1).
    case recipientLimitReached(String)
    /// No recipient has that address.
    case unknownRecipient(String, known: [String])
    /// No API domain of that name.
    case unknownDomain(String, known: [String])
    /// The domain is not watched.
    case notMonitored(String)
}

extension MonitoringError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    package var description: String {
        switch self {
        case .invalidEmail(let text): "`\(text)` is not an email address"
        case .duplicateRecipient(let text): "recipient `\(text)` exists already"
        case .recipientLimitReached(let text):
            "recipient `\(text)` is one too many; an account has at most \(AccountLimits.monitoringRecipients)"
        case .unknownRecipient(let text, _): "there is no recipient `\(text)`"
        case .unknownDomain(let name, _): "there is no API domain `\(name)`"
        case .notMonitored(let name): "API domain `\(name)` is not monitored"
        }
    }

    /// The names that there are, where one was given that is not, for suggestions.
    package var choice: (wrong: String, known: [String])? {
        switch self {
        case .unknownRecipient(let wrong, let known), .unknownDomain(let wrong, let known): (wrong, known)
        case .invalidEmail, .duplicateRecipient, .recipientLimitReached, .notMonitored: nil
        }
    }
}
