internal import PolicyEngine

/// Registrations in the words of the manual (Listing Registrations, Removing Multiple Registrations).
enum RegistrationText {
    /// What `registration -list` prints; those that ended are no longer there.
    ///
    /// - Parameter time: Now; `nil` lists all.
    static func list(_ registrations: [Registration], at time: Instant?) -> [String] {
        let active = registrations.filter { registration in time.map(registration.isActive) ?? true }
        let rows = active.map { registration in
            let times = [added(registration), registration.expiry.map(expiry)].compactMap(\.self)
            let sdk = registration.sdk.map { ["SDK:\($0)"] } ?? []
            let details = sdk + (times.isEmpty ? [] : [times.joined(separator: " ")])
            return (registration.overallSignature, details.joined(separator: "  "))
        }
        return [ListText.heading(active.count, "app registration", "app registrations")]
            + ListText.columns(rows, gap: 3).map(\.withoutTrailingSpaces)
    }

    /// What `registration -add` prints.
    ///
    /// - Parameters:
    ///   - registration: As it is listed from then on.
    ///   - package: What the package is called.
    static func addition(of registration: Registration, package: String) -> [String] {
        let sdk = registration.sdk.map { "  SDK:\($0)" } ?? ""
        let end = registration.expiry.map { ", expires \($0.dateAndTime)" } ?? ""
        return [
            "registering app \(package)", " \(registration.overallSignature)\(sdk)", "registration successful\(end)",
        ]
    }

    /// What `registration -removeMatching` prints of those that it would remove.
    static func matches(_ registrations: [Registration]) -> [String] {
        [ListText.heading(registrations.count, "matched registration", "matched registrations")]
            + registrations.map { registration in
                " " + registration.overallSignature + (added(registration).map { "  \($0)" } ?? "")
            }
    }

    private static func added(_ registration: Registration) -> String? {
        registration.added.map { "registered:\($0.dateAndTime)" }
    }

    private static func expiry(_ instant: Instant) -> String { "expiry:\(instant.dateAndTime)" }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
