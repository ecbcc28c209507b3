internal import Documents
internal import Figures
internal import PolicyEngine

/// The records of captures as numbers, so that other accounts can decide on them without reading the captures again.
final class Baseline: Sendable {
    /// The account whose filters were matched in the records.
    let account: Account
    let shards: [BaselineShard]
    let apps: AppRegistry
    /// The flags that are known behind the last record.
    let catalogue: FlagCatalogue
    /// True if some record has `new-did`.
    let namesNewDevices: Bool
    let columns: ImageColumns
    /// The errors and warnings about the records.
    let diagnostics: Diagnostics
    /// The figures of the account.
    let counted: DoubtedFigures<Figures>
    let span: ClosedRange<Instant>?
    // Those that the account asks for and some record has.
    private let attributes: Set<ExactText>

    /// Reads captures.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The baseline, unless the captures were refused or cannot be kept; and what is wrong with them.
    static func reading(
        _ request: ReplayRequest, progress: Progress
    ) -> (baseline: Baseline?, diagnostics: Diagnostics) {
        let apps = AppRegistry()
        var replay = CaptureReplay<BaselineResult>(
            request, .baseline(request.account, apps: apps), progress: progress)
        let summary = replay.run()
        guard !replay.isSplit, let result = replay.unfinished else { return (nil, summary.diagnostics) }
        return (Baseline(result, summary, apps, of: request.account), summary.diagnostics)
    }

    // Not where a record was left out, or a search was given up (R7.2).
    private init?(_ result: BaselineResult, _ summary: ReplaySummary, _ apps: AppRegistry, of account: Account) {
        let figures = result.counted.value
        guard summary.figures?.malformed == 0, figures.unevaluated.devices == 0,
            !figures.filters.contains(where: { $0.limitHits > 0 }), !result.shards.contains(where: \.hasLimitHits)
        else { return nil }
        (self.account, shards, self.apps) = (account, result.shards, apps)
        catalogue = shards.map(\.catalogue).max { $0.flags.count < $1.flags.count } ?? account.catalogue
        namesNewDevices = shards.contains(where: \.records.namesNewDevices)
        let names = AttributePresences.names([account]).map { ExactText($0) }
        columns = ImageColumns(counts: Dictionary(uniqueKeysWithValues: zip(names, result.presences)))
        (attributes, diagnostics) = (summary.attributes, summary.diagnostics)
        (counted, span) = (result.counted, result.span)
    }

    // With an image, also that its records cannot be kept, so that it is tried once.
    private struct Kept {
        let account: Account
        let baseline: Baseline?
    }

    /// The baseline of the account of a request; it is made when somebody asks first, and kept with the image.
    ///
    /// - Parameter isOfAny: True if that of another account will do, where that was asked for before.
    /// - Returns: `nil` where there is no image, or its records cannot be kept.
    static func kept(for request: ReplayRequest, isOfAny: Bool = false, progress: Progress) -> Baseline? {
        guard let image = request.image else { return nil }
        let kept: Kept? = image.memory.value(
            isUsable: { isOfAny || $0.account == request.account },
            orMaking: {
                var plain = ReplayRequest(captures: request.captures, account: request.account)
                (plain.image, plain.jobs) = (image, request.jobs)
                let baseline = reading(plain, progress: progress).baseline
                let isWhole = baseline?.counted.value.attestations == image.records
                return request.isLate ? nil : Kept(account: request.account, baseline: isWhole ? baseline : nil)
            })
        return kept?.baseline
    }

    /// Keeps the baseline with an image of the same captures.
    func keep(in image: CaptureImage) {
        let kept = Kept(account: account, baseline: self)
        _ = image.memory.value(isUsable: { $0.account == kept.account }, orMaking: { kept })
    }

    /// The attributes that an account asks for and some record has, with others that records have.
    func attributes(askedBy account: Account, in image: CaptureImage?) -> Set<ExactText> {
        let known = Set(AttributePresences.names([self.account]))
        guard let image, !known.isSuperset(of: AttributePresences.names([account])) else { return attributes }
        return attributes.union(ImageColumns.keys(of: image))
    }
}
