extension Int {
    /// The word that agrees with this number of things: `is` or `are`.
    package func agreeing(_ one: String, _ many: String) -> String { self == 1 ? one : many }
}
