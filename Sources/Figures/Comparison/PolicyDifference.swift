package import PolicyEngine

/// The exact difference between two rejection policies, from their tables.
package struct PolicyDifference: Figure, Hashable {
    /// The flags about which they do something else, in catalogue order.
    package var flags: [FlagDifference] = []
    /// The other differences, in words: lifetimes, filters, rejecting everything.
    package var others: [String] = []

    /// A flag that changes sides.
    package struct FlagDifference: Figure, Hashable {
        package var name = ""
        package var before = RejectionStatus.accepts
        package var after = RejectionStatus.accepts

        package static let fields: [FigureField<FlagDifference>] = [
            .value("name", \.name, "The name of the flag.", as: .named("flag")),
            .value("before", \.before, "The effect of the flag before."),
            .value("after", \.after, "The effect of the flag after."),
        ]

        package init() {}
    }

    package static let fields: [FigureField<PolicyDifference>] = [
        .value("flags", \.flags, "The flags with another effect."),
        .value("others", \.others, "The other differences, in sentences."),
    ]

    package init() {}

    /// Compares two policies.
    ///
    /// - Parameters:
    ///   - before: The one.
    ///   - catalogue: The flags that it may name.
    ///   - after: The other.
    ///   - otherCatalogue: The flags that the other may name; those that only it knows come last.
    package init(
        _ before: RejectionPolicy, of catalogue: FlagCatalogue, _ after: RejectionPolicy,
        of otherCatalogue: FlagCatalogue
    ) {
        let names = catalogue.declaredNames + otherCatalogue.declaredNames.filter { catalogue.namedFlag($0) == nil }
        for name in names {
            let (old, new) = (before.status(of: name, in: catalogue), after.status(of: name, in: otherCatalogue))
            if old != new { flags.append(FlagDifference { ($0.name, $0.before, $0.after) = (name, old, new) }) }
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

    /// The number of differences.
    package var size: Int { flags.count + others.count }

    /// True if there is no difference.
    package var isEmpty: Bool { flags.isEmpty && others.isEmpty }

    private static func text(_ lifetime: Int?) -> String { lifetime.map { "\($0) s" } ?? "300 or 120 s" }
}

extension RejectionPolicy {
    // A flag that the account does not declare rejects only where everything does.
    fileprivate func status(of name: String, in catalogue: FlagCatalogue) -> RejectionStatus {
        if let flag = catalogue.namedFlag(name) { return status(of: flag) }
        return rejectsEverything ? .rejects : .accepts
    }
}
