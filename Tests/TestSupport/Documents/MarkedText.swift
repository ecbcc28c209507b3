import Documents

/// A text in which the positions of interest carry markers, ① to ⑳; the markers are not part of the text.
struct MarkedText {
    /// The text without its markers.
    let text: String
    /// The position of each marker.
    let positions: [Character: SourcePosition]

    init(_ marked: String) {
        var text = String.UnicodeScalarView()
        var positions: [Character: SourcePosition] = [:]
        var (line, column) = (1, 1)
        for scalar in marked.unicodeScalars {
            if "①"..."⑳" ~= scalar {
                positions[Character(scalar)] = SourcePosition(line: line, column: column)
                continue
            }
            let isSecondHalf = scalar == "\n" && text.last == "\r"
            text.append(scalar)
            if isSecondHalf { continue }
            let isBreak = scalar == "\n" || scalar == "\r"
            (line, column) = isBreak ? (line + 1, 1) : (line, column + 1)
        }
        self.text = String(text)
        self.positions = positions
    }

    /// The text as a file that is called `file.yaml`.
    var source: SourceFile { SourceFile(path: "file.yaml", text: text) }

    /// The problems that should be found, written as `found` writes them.
    func expected(_ problems: [Problem]) -> [String] {
        problems.map { problem in
            let position = positions[problem.marker].map { "\($0)" } ?? "no such marker"
            return "\(position): \(problem.text)"
        }
    }

    /// The problems that were found, a line each.
    static func found(_ diagnostics: Diagnostics) -> [String] {
        diagnostics.all.map { diagnostic in
            let position = diagnostic.position.map { "\($0)" } ?? "nowhere"
            let hint = diagnostic.hint.map { "; hint: \($0)" } ?? ""
            return "\(position): \(diagnostic.message)\(hint)"
        }
    }
}

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
