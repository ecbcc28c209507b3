internal import Documents
internal import Figures
internal import PolicyEngine

/// The records of an image as one account decides on them: its figures, and in memory what it takes to decide otherwise.
final class Baseline: Sendable {
    let account: Account
    /// The figures of all records.
    let figures: Figures
    let shards: [BaselineShard]
    let disagreements: [ComparisonFigures.Disagreement]
    let span: ClosedRange<Instant>?
    let apps: AppRegistry
    /// The flags that are known behind the last record.
    let catalogue: FlagCatalogue
    /// The attributes that the account asks for and some record has.
    let attributes: Set<ExactText>
    let diagnostics: Diagnostics
    let columns: ImageColumns
    /// True if some record has `new-did`.
    let namesNewDevices: Bool

    /// The baseline of the account of a request; it is made when somebody asks first, and kept with the image.
    ///
    /// - Parameter isOfAny: True if that of another account will do, where that was asked for before.
    /// - Returns: `nil` where there is no image, or its records cannot be kept.
    static func kept(for request: ReplayRequest, isOfAny: Bool = false, progress: Progress) -> Baseline? {
        guard let image = request.image else { return nil }
        let kept: Kept? = image.memory.value(
            isUsable: { isOfAny || $0.account == request.account },
            orMaking: {
                let baseline = Baseline(image, request, progress)
                return request.isLate ? nil : Kept(account: request.account, baseline: baseline)
            })
        return kept?.baseline
    }

    // Also that there is none, so that it is tried once.
    private struct Kept {
        let account: Account
        let baseline: Baseline?
    }

    private init?(_ image: CaptureImage, _ request: ReplayRequest, _ progress: Progress) {
        let work = BaselineWork(request.account)
        var plain = ReplayRequest(captures: request.captures, account: request.account)
        (plain.image, plain.jobs, plain.cancellation) = (image, request.jobs, request.cancellation)
        var replay = CaptureReplay(plain, work: work, progress: progress)
        let summary = replay.run()
        guard let result = replay.unfinished, let figures = summary.figures, figures.malformed == 0,
            figures.attestations == image.records, result.counted.value.unevaluated.devices == 0,
            !result.counted.value.filters.contains(where: { $0.limitHits > 0 }),
            !result.shards.contains(where: { $0.records.kinds.contains(where: \.matches.hasLimitHits) })
        else { return nil }
        account = request.account
        (self.figures, shards, disagreements) = (result.counted.value, result.shards, result.disagreements)
        (span, apps) = (result.span, work.apps)
        (attributes, diagnostics) = (summary.attributes, summary.diagnostics)
        catalogue =
            shards.map(\.catalogue).max { $0.flags.count < $1.flags.count } ?? request.account.catalogue
        columns = ImageColumns(image)
        namesNewDevices = shards.contains(where: \.records.namesNewDevices)
    }
}
