internal import Analysis
internal import Documents

/// The options of a comparison for those who have to decide about the change: other edits in its place, and its rollout.
enum CaseOptions {
    private static let needsAll = OptionRelation.excludes(
        [PartialOptions.partial.given, PartialOptions.shard.given], reason: ", because it needs all devices at once")

    /// The option for the number of other edits.
    static let alternatives = Option(
        "--alternatives",
        "Add the N best single edits in place of the change: as many bad devices caught, at no greater cost.",
        .integer("N", in: 1...50), in: .count, relations: [.needs([LabelOptions.labels.given]), needsAll])

    /// The option for the steps of a rollout.
    static let rollout = Option(
        "--rollout", "Add what a rollout of the change in STEPS would show: 1%:6h,10%:1d,100%.", .text("STEPS"),
        in: .count, relations: [needsAll])

    static let all: [any CommandOption] = [alternatives, rollout]

    /// Reads the steps of a rollout.
    ///
    /// - Parameter option: The option whose value they are.
    static func stages(_ text: String, of option: any CommandOption) throws(CommandFailure) -> [RolloutStage] {
        do throws(RolloutStageError) {
            return try RolloutStage.list(text)
        } catch {
            throw .usage("`\(option.name)`: \(error.description)")
        }
    }
}
