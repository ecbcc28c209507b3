package import PolicyEngine

/// How two rejection policies differ, exactly, from their tables.
package struct PolicyDifference: Hashable, Sendable {
    /// The flags about which they do something else, in catalogue order.
    package var flags: [FlagDifference] = []
    /// What else is different, in words: lifetimes, filters, rejecting everything.
    package var others: [String] = []

    /// A flag that changes sides.
    package struct FlagDifference: Hashable, Sendable {
        package var name: String
        package var before: RejectionStatus
        package var after: RejectionStatus
    }

    /// Compares two policies.
    ///
    /// - Parameters:
    ///   - before: The one.
    ///   - after: The other.
    ///   - catalogue: The flags that they may name.
    package init(_ before: RejectionPolicy, _ after: RejectionPolicy, catalogue: FlagCatalogue) {
        for name in catalogue.declaredNames {
            guard let flag = catalogue.namedFlag(name) else { continue }
            let (old, new) = (before.status(of: flag), after.status(of: flag))
            if old != new { flags.append(FlagDifference(name: name, before: old, after: new)) }
        }
        if before.rejectsEverything != after.rejectsEverything {
            others.append(after.rejectsEverything ? "everything is rejected" : "not everything is rejected any more")
        }
        if before.ignoresFilters != after.ignoresFilters {
            others.append(after.ignoresFilters ? "rejecting filters do not count" : "rejecting filters count")
        }
        if before.fixedLifetime != after.fixedLifetime {
            let (old, new) = (Self.text(before.fixedLifetime), Self.text(after.fixedLifetime))
            others.append("tokens live \(old) before and \(new) after")
        }
    }

    /// How much differs.
    package var size: Int { flags.count + others.count }

    /// Whether there is none.
    package var isEmpty: Bool { flags.isEmpty && others.isEmpty }

    private static func text(_ lifetime: Int?) -> String { lifetime.map { "\($0) s" } ?? "300 or 120 s" }
}
