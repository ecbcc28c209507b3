/// A problem that should be found at a marker.
struct Problem: Sendable {
    let marker: Character
    let message: String
    var hint: String?

    init(_ marker: Character, _ message: String, hint: String? = nil) {
        self.marker = marker
        self.message = message
        self.hint = hint
    }
}
