/// What libyaml says when it cannot go on, in its own words.
struct YAMLFailure: Error {
    enum Place {
        case position(SourcePosition)
        /// A byte, counted from 0.
        case byte(Int)
    }

    let problem: String
    /// Where libyaml gave up.
    let place: Place
    /// What it was doing; empty when unknown.
    var context = ""
    /// Where that began.
    var contextPosition: SourcePosition?
}
