/// What an option takes after its name.
enum OptionValue: Hashable, Sendable {
    /// Nothing: the option is a switch.
    case nothing
    /// Any text but the empty one; the placeholder stands for it in the help.
    case text(placeholder: String)
    /// One of these words.
    case choice([String])
    /// A whole number in plain decimal digits, bounds included.
    case integer(placeholder: String, in: ClosedRange<UInt64>)

    /// One of the words of an enumeration, in the order of its cases.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> OptionValue {
        .choice(type.allCases.map(\.rawValue))
    }

    /// What stands for the value in the help; `nil` for a switch.
    var placeholder: String? {
        switch self {
        case .nothing: nil
        case .text(let placeholder), .integer(let placeholder, _): placeholder
        case .choice(let words): words.joined(separator: "|")
        }
    }
}
