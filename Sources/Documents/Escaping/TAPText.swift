/// Text in the Test Anything Protocol.
package enum TAPText {
    /// The description of a test point. `#` would begin a directive such as SKIP, with which a failure would not count.
    package static func description(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "#" { result.append("\\") }
            result.appendVisible(scalar)
        }
        return String(result)
    }
}
