internal import Documents
package import PolicyEngine

/// A step of a rollout as it is typed: a share of the devices, and the time for which it stays.
package struct RolloutStage: Hashable, Sendable {
    /// The share, above 0.
    package let share: Percentage
    /// The share as it was typed, without its sign: `0.1`.
    package let percent: String
    /// The duration, at least 1; `nil` for the last step, which stays.
    package let seconds: Int?

    /// True if all devices are in it.
    package var isComplete: Bool { share == .hundred }

    /// The share as a number from 0 to 1.
    package var fraction: Double { Double(share.billionths) / Double(Percentage.hundred.billionths) }

    /// Reads the steps of a rollout, such as `1%:6h,10%:1d,100%`.
    ///
    /// - Throws: ``RolloutStageError``: the first thing that is wrong.
    package static func list(_ text: String) throws(RolloutStageError) -> [RolloutStage] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var stages: [RolloutStage] = []
        for (index, word) in words.enumerated() {
            let stage = try RolloutStage(word, isLast: index == words.count - 1)
            if let former = stages.last, stage.share <= former.share {
                throw RolloutStageError("the share of \(word.quoted) is not larger than that of the step before")
            }
            stages.append(stage)
        }
        return stages
    }

    private init(_ word: String, isLast: Bool) throws(RolloutStageError) {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, parts.count <= 2, first.hasSuffix("%"),
            let share = Percentage(first.dropLast())
        else {
            throw RolloutStageError("\(word.quoted) is not a step; write a share and a duration, such as `1%:6h`")
        }
        guard share > .zero else { throw RolloutStageError("no device is in the step \(word.quoted)") }
        (self.share, percent) = (share, String(first.dropLast()))
        guard !isLast else {
            guard parts.count == 1 else {
                throw RolloutStageError("the last step stays, so \(word.quoted) takes no duration")
            }
            seconds = nil
            return
        }
        guard parts.count == 2 else {
            throw RolloutStageError("\(word.quoted) is not the last step, so it needs a duration, such as `1%:6h`")
        }
        guard let seconds = try? DurationText.parse(parts[1]), seconds > 0 else {
            throw RolloutStageError("\(parts[1].quoted) is not a duration, such as `6h` or `1d`")
        }
        self.seconds = seconds
    }
}

/// Why a text is not the steps of a rollout.
package struct RolloutStageError: DescribedError, Hashable {
    /// The error: lower case, no final period.
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}
