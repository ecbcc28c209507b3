internal import Documents

/// Something that happens in a scenario, once or again and again.
package struct Step: Sendable {
    /// Seconds from the scenario's start to the first time.
    let at: Int
    /// Where the step stands in the file.
    let position: SourcePosition
    let action: StepAction
    var repetition: Repetition?
    /// What must hold of the fetches that the step makes.
    package var expectations: [FetchExpectation] = []

    struct Repetition: Hashable, Sendable {
        /// Seconds from one time to the next, at least 1.
        let every: Int
        /// Seconds from the scenario's start up to which it is repeated, that second included.
        let until: Int
    }

    /// Seconds from the scenario's start to the last time.
    var lastTime: Int {
        guard let repetition else { return at }
        return at + (repetition.until - at) / repetition.every * repetition.every
    }
}
