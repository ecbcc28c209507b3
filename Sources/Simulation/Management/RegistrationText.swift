internal import PolicyEngine

/// Registrations in the words of the manual (Listing Registrations, Removing Multiple Registrations).
enum RegistrationText {
    /// What `registration -list` prints; those that ended are no longer there.
    ///
    /// - Parameter time: Now; `nil` lists all.
    static func list(_ registrations: [Registration], at time: Instant?) -> [String] {
        let active = registrations.filter { registration in time.map(registration.isActive) ?? true }
        let heading = active.count == 1 ? "1 app registration:" : "\(active.count) app registrations:"
        return [heading]
            + active.map { registration in
                let sdk = registration.sdk.map { "  SDK:\($0)" } ?? ""
                let added = registration.added.map { "  registered:\(Timestamp.text(of: $0))" } ?? ""
                let expiry = registration.expiry.map { " expiry:\(Timestamp.text(of: $0))" } ?? ""
                return " " + registration.overallSignature + sdk + added + expiry
            }
    }

    /// What `registration -removeMatching` prints once it is confirmed.
    static func removal(of registrations: [Registration]) -> [String] {
        let count = registrations.count
        let matched = registrations.map { registration in
            let added = registration.added.map { "  registered:\(Timestamp.text(of: $0))" } ?? ""
            return " " + registration.overallSignature + added
        }
        return ["\(count) matched registration\(count == 1 ? "" : "s"):"] + matched
            + registrations.map { "removing \($0.overallSignature)" }
    }
}
