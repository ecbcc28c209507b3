package import Documents
package import PolicyEngine

/// The narrowing of a question about captures: a span of time, and devices of which some records are selected.
///
/// A device stays if for each expression at least one of its records in the span is selected; all of its records in the span
/// count then.
package struct CaptureNarrowing: Sendable {
    /// The first time; `nil` for none.
    package let from: Instant?
    /// The time behind the last; `nil` for none.
    package let to: Instant?
    private let expressions: [RecordExpression]
    // The option that gives the expressions, as messages name it.
    private let option: String

    /// - Parameters:
    ///   - from: The first time; `nil` for none.
    ///   - to: The time behind the last; `nil` for none.
    ///   - expressions: The expressions.
    ///   - option: The option that gives them, as messages name it.
    package init(from: Instant?, to: Instant?, expressions: [RecordExpression], option: String) {
        (self.from, self.to, self.expressions, self.option) = (from, to, expressions, option)
    }

    /// The records that are left, for which the captures are read once if there are expressions, and once more if these name
    /// labels.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account that declares flags.
    ///   - labels: The labels that the expressions may name.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The records, unless the captures or the expressions were refused; and what is wrong with them. Warnings about the
    ///   captures are left to whoever reads them next.
    package func choice(
        for request: ReplayRequest, labels: Labels?, progress: Progress = Progress()
    ) -> (choice: RecordChoice?, diagnostics: Diagnostics) {
        var choice = RecordChoice(from: from, to: to)
        guard !expressions.isEmpty else { return (choice, Diagnostics()) }
        var reading = request
        reading.choice = choice
        var (selected, diagnostics) = SelectedDevices.reading(
            expressions, reading, labels: labels, option: option, progress: progress)
        guard let selected else { return (nil, diagnostics) }
        for expression in expressions {
            diagnostics.add(expression.unknownNames(in: option, flags: selected.flags, keys: selected.keys))
        }
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        choice.devices = selected.devices.dropFirst().reduce(selected.devices[0]) { $0.intersection($1) }
        return (choice, diagnostics)
    }
}

extension RecordExpression {
    /// Flags in it that neither the account nor a record has, and attributes that no record has: other captures may have these.
    ///
    /// - Parameters:
    ///   - option: The option that gives it, as messages name it.
    ///   - flags: The flags of the account and of the records.
    ///   - keys: The attributes that are known, and those of the records.
    package func unknownNames(in option: String, flags: Set<String>, keys: Set<String>) -> [Diagnostic] {
        func unknown(
            _ names: [String], but known: Set<String>, _ severity: Diagnostic.Severity, _ problem: String
        ) -> [Diagnostic] {
            Set(names).subtracting(known).sorted().map { name in
                Diagnostic(
                    severity: severity, file: option, message: "\(problem) \(name.quoted)",
                    hint: Suggestion.hint(for: name, among: known.sorted()))
            }
        }
        return unknown(self.flags, but: flags, .error, "neither the account nor a record has the flag")
            + unknown(self.keys, but: keys, .warning, "no record has a value for")
    }
}
