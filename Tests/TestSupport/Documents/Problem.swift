/// A problem that should be found at a marker, such as `① unknown flag; hint: did you mean …`.
struct Problem: Sendable, ExpressibleByStringInterpolation {
    let marker: Character
    /// The message, and its hint behind `; hint: `.
    let text: String

    /// The text without its hint.
    var message: Substring { text.prefix(upTo: text.firstRange(of: "; hint: ")?.lowerBound ?? text.endIndex) }

    init(_ marker: Character, _ message: String, hint: String? = nil) {
        (self.marker, text) = (marker, message + (hint.map { "; hint: \($0)" } ?? ""))
    }

    /// Takes a marker, a space, and the message with its hint.
    init(stringLiteral value: String) {
        precondition(value.dropFirst().first == " ", "a marker and a space come before `\(value)`")
        (marker, text) = (value.first ?? " ", String(value.dropFirst(2)))
    }
}
