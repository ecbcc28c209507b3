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
                let baseline = made(image, request, progress)
                return request.isLate ? nil : Kept(account: request.account, baseline: baseline)
            })
        return kept?.baseline
    }

    // Also that there is none, so that it is tried once.
    private struct Kept {
        let account: Account
        let baseline: Baseline?
    }

    /// Keeps the baseline of an account with an image of the same captures.
    static func keep(_ evaluated: EvaluatedRecords, of account: Account, in image: CaptureImage) {
        let kept = Kept(account: account, baseline: Baseline(evaluated, of: account, image))
        _ = image.memory.value(isUsable: { $0.account == account }, orMaking: { kept })
    }

    private static func made(_ image: CaptureImage, _ request: ReplayRequest, _ progress: Progress) -> Baseline? {
        var plain = ReplayRequest(captures: request.captures, account: request.account)
        (plain.image, plain.jobs) = (image, request.jobs)
        guard let evaluated = EvaluatedRecords.reading(plain, progress: progress).records,
            evaluated.figures.attestations == image.records
        else { return nil }
        return Baseline(evaluated, of: request.account, image)
    }

    private init(_ evaluated: EvaluatedRecords, of account: Account, _ image: CaptureImage) {
        self.account = account
        (figures, shards) = (evaluated.figures, evaluated.result.shards)
        (disagreements, span) = (evaluated.result.disagreements, evaluated.result.span)
        (apps, attributes, diagnostics) = (evaluated.apps, evaluated.attributes, evaluated.diagnostics)
        catalogue = shards.map(\.catalogue).max { $0.flags.count < $1.flags.count } ?? account.catalogue
        columns = ImageColumns(image, counts: evaluated.presences)
        namesNewDevices = shards.contains(where: \.records.namesNewDevices)
    }

    /// The attributes that an account asks for and some record has, with others that records have.
    func attributes(askedBy account: Account) -> Set<ExactText> {
        let known = Set(AttributePresences.names([self.account]))
        return known.isSuperset(of: AttributePresences.names([account])) ? attributes : attributes.union(columns.keys)
    }
}
