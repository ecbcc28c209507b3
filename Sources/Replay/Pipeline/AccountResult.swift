/// What a replay through one account came to.
package struct AccountResult: ReplayResult {
    package var figures: Figures

    package mutating func merge(_ other: AccountResult) { figures.add(other.figures) }
}
