internal import Documents
internal import PolicyEngine
internal import Reports

/// The devices, or tokens, that a caller allows: a number of them, or a share of all.
enum DeviceLimit: Sendable {
    case devices(Int)
    case share(Percentage)

    /// Reads `12`, `0` or `0.1%`.
    ///
    /// - Returns: `nil` for another form.
    init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = Percentage(text.dropLast()) else { return nil }
            self = .share(share)
        } else {
            guard text.utf8.allSatisfy(\.isDigit), let count = Int(text) else { return nil }
            self = .devices(count)
        }
    }

    /// The limit that an option sets; `nil` where it was not given.
    init?(_ option: OptionDefinition, _ arguments: ParsedArguments) throws(UsageError) {
        guard let text = arguments.value(of: option) else { return nil }
        guard let limit = DeviceLimit(text) else {
            throw UsageError(
                "`\(option.name)` takes a number or a share, not \(UsageError.quote(text))",
                hint: "such as `12` or `0.1%`")
        }
        self = limit
    }

    /// True if a count of all devices is within the limit.
    func allows(_ count: Int, of all: Int) -> Bool {
        switch self {
        case .devices(let limit): count <= limit
        case .share(let share): share.isAtLeast(count, of: all)
        }
    }
}

/// A limit that was asked for, with what was found.
struct CheckedLimit {
    let result: LimitResult
    // The words for standard error.
    private let message: String

    /// The count that a limit is compared with.
    struct Found {
        /// The number found.
        var count: Int
        /// The number of all.
        let all: Int
        /// The noun for what is counted: `devices`.
        let unit: String
        /// The number that could not be evaluated; each counts besides.
        let unevaluated: Int
        /// The reasons why they could not.
        let reasons: [String]
        /// The number that an earlier comparison has; they do not count.
        var known = 0

        init(_ count: Int = 0, all: Int, unit: String, unevaluated: Int = 0, reasons: [String] = []) {
            (self.count, self.all, self.unit) = (count, all, unit)
            (self.unevaluated, self.reasons) = (unevaluated, reasons)
        }

        /// The same of another count.
        func counting(_ count: Int) -> Found {
            var found = self
            found.count = count
            return found
        }

        /// The greatest number that may count.
        var worst: Int { min(count - known + unevaluated, all) }

        /// The finding in words.
        var text: String {
            guard unevaluated > 0 else { return "\(worst.grouped) of \(all.grouped) \(unit)" }
            let why = reasons.map(\.quoted).joined(separator: ", ")
            return
                "up to \(worst.grouped) of \(all.grouped) \(unit), with \(unevaluated.grouped) that could not be evaluated (\(why))"
        }
    }

    /// Checks a limit; `nil` where none was set.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - option: The option that set it.
    ///   - arguments: The typed arguments.
    ///   - found: The count that was found.
    init?(_ limit: DeviceLimit?, _ option: OptionDefinition, _ arguments: ParsedArguments, _ found: Found) {
        guard let limit else { return nil }
        message = "\(found.text) are more than `\(option.name)` allows"
        result = LimitResult(
            name: "\(option.name) \(arguments.value(of: option) ?? "")", finding: found.text,
            isExceeded: !limit.allows(found.worst, of: found.all), allowance: arguments.value(of: .allowExcess),
            known: found.known)
    }

    /// The changes of the account that no capture shows, which no limit allows; `nil` where there are none.
    init?(beyondCaptures changes: [String], _ arguments: ParsedArguments) {
        guard !changes.isEmpty else { return nil }
        result = LimitResult(unseen: changes, allowance: arguments.value(of: .allowExcess))
        message = result.excess
    }

    /// Shows that the limit is exceeded, if it is, and how many devices do not count.
    ///
    /// - Returns: True if it is exceeded, and may not be.
    func show(_ console: Console) -> Bool {
        if result.known > 0 {
            console.show(
                warning: "`\(result.name)` does not count \(result.known.grouped) devices, which the baseline has")
        }
        if result.isFailure {
            console.show(exceededLimit: message)
        } else if result.isExceeded, let reason = result.allowance {
            console.show(warning: "\(message); allowed: \(reason)")
        }
        return result.isFailure
    }
}

extension OptionDefinition {
    /// Lets limits be exceeded this time.
    static let allowExcess = OptionDefinition(
        name: "--allow",
        value: .text(placeholder: "REASON"),
        summary: "Exit with 0 although a limit is exceeded; the report says so, and REASON."
    )

    /// Limits how much is not known.
    static let maximumUnevaluated = OptionDefinition(
        name: "--max-unjudged",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, could not be evaluated."
    )
}
