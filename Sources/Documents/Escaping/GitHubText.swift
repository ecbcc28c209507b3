/// Text in workflow commands of GitHub Actions, by the rules of the runner: characters that it would read as the end of a value
/// are written as `%` and two digits. Characters that a terminal would act on are made visible.
package enum GitHubText {
    /// Text behind the second `::`.
    package static func data(_ text: String) -> String { escaped(text, isProperty: false) }

    /// The value of a property, such as a title.
    package static func property(_ text: String) -> String { escaped(text, isProperty: true) }

    // By scalars: to a string, CR LF is one character, and so is a colon with a combining mark.
    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25".unicodeScalars
            case "\r": result += "%0D".unicodeScalars
            case "\n": result += "%0A".unicodeScalars
            case ":" where isProperty: result += "%3A".unicodeScalars
            case "," where isProperty: result += "%2C".unicodeScalars
            default: result.appendVisible(scalar)
            }
        }
        return String(result)
    }
}
