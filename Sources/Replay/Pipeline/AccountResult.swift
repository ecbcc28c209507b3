/// What a replay through one account came to.
package struct AccountResult: ReplayResult {
    package var figures: Figures
    /// The figures without what hangs on new devices; `nil` where nothing does, or a record told which are new.
    var doubtful: Figures?

    package mutating func merge(_ other: AccountResult) {
        figures.add(other.figures)
        if let more = other.doubtful { doubtful?.add(more) } else { doubtful = nil }
    }

    package mutating func settle() {
        if let doubtful { figures.settle(doubtful) }
    }
}
