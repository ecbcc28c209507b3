internal import Documents
internal import Explore
internal import Figures
internal import HTTP
internal import PolicyEngine
internal import Replay

/// The captures that an exploration read, and what stays the same in all its questions.
final class ExploreSession: Sendable {
    /// The arguments that the exploration began with.
    let arguments: ParsedArguments
    /// The records of its captures.
    let image: CaptureImage
    /// The progress of the evaluation that is made now.
    let progress = EvaluationProgress()
    /// The names that its reports gave devices.
    let names = KeptDeviceNames()
    /// Hides devices and people; `nil` shows them.
    let redactor: Redactor?
    // The name of the account at the start.
    private let accountName: String
    // The values of a key, once a pattern was typed for it.
    private let values = Lock<[String: KeyValues]>([:])

    // The records of a part of the captures, once somebody asked about it.
    private let parts = Lock<[Part]>([])

    private struct Part {
        let narrowing: Narrowing
        // The account before, if the devices are those that filters of it match.
        let account: Account?
        let image: CaptureImage
    }

    // Parts of the captures that are kept; a page asks about one after another, each with its good and its bad devices.
    private static let keptParts = 4
    // Keys whose values are kept; a page asks about one after another.
    private static let keptKeys = 4

    /// - Parameters:
    ///   - arguments: The arguments of `explore`.
    ///   - image: The records of its captures.
    ///   - account: The account before the changes.
    ///   - redactor: Hides devices and people; `nil` shows them.
    init(_ arguments: ParsedArguments, _ image: CaptureImage, account: Account, redactor: Redactor?) {
        (self.arguments, self.image, self.redactor) = (arguments, image, redactor)
        accountName = account.name
    }

    /// The path of the account.
    var accountPath: String { arguments[Options.account] ?? AccountOptions.newAccount }

    /// The captures, the account and the options, as JSON.
    var json: JSONValue {
        func text(_ option: any CommandOption) -> JSONValue {
            arguments.word(of: option).map(JSONValue.string) ?? .null
        }
        return .ordered([
            ("version", .integer(1)), ("account", .string(accountName)), ("account-file", .string(accountPath)),
            ("captures", .array(image.captures.map { .string($0.path) })), ("attestations", .integer(image.records)),
            ("devices", .integer(image.devices)),
            ("first", image.times.map { .string($0.lowerBound.description) } ?? .null),
            ("last", image.times.map { .string($0.upperBound.description) } ?? .null),
            ("confidence", text(ConfidenceOption.option)), ("labels", text(LabelOptions.labels)),
            ("redacts", .boolean(redactor != nil)),
        ])
    }

    /// The values that devices showed for a key; they are read when somebody asks first.
    ///
    /// - Throws: ``Refusal`` where the reading was interrupted.
    func values(of key: RecordKey, _ request: ReplayRequest) throws(Refusal) -> KeyValues {
        if let known = values.withLock({ $0[key.text] }) { return known }
        let (read, problems) = KeyValues.reading(key, request)
        guard let read else { throw Refusal(problems) }
        values.withLock { values in
            if values.count >= Self.keptKeys { values.removeAll() }
            values[key.text] = read
        }
        return read
    }

    /// The records of a part of the captures.
    ///
    /// - Parameters:
    ///   - narrowing: The part.
    ///   - request: The request to read the captures, by the account before.
    ///   - labels: The labels of devices; `nil` for none.
    /// - Throws: ``Refusal`` where there are none, or the reading was interrupted.
    func image(_ narrowing: Narrowing, _ request: ReplayRequest, labels: Labels?) throws(Refusal) -> CaptureImage {
        if narrowing.isEmpty { return image }
        let account = narrowing.asksForFilters ? request.account : nil
        let known = parts.withLock { $0.first { $0.narrowing == narrowing && $0.account == account } }
        if let known { return known.image }
        var choice = RecordChoice(from: narrowing.from, to: narrowing.to)
        if !narrowing.shown.isEmpty {
            // A value counts that was shown in the span, as with the options.
            var spanned = request
            spanned.choice = choice
            choice.devices = try devices(showing: narrowing.shown, spanned, labels)
        }
        let (read, problems) = CaptureImage.reading(request, choice, progress: progress.noting)
        guard let read else { throw Refusal(problems) }
        guard read.records > 0 else { throw Refusal(422, "there is no attestation in this part of the captures") }
        let part = Part(narrowing: narrowing, account: account, image: read)
        parts.withLock { $0 = $0.suffix(Self.keptParts - 1) + [part] }
        return read
    }

    private func devices(
        showing shown: [Narrowing.Shown], _ request: ReplayRequest, _ labels: Labels?
    ) throws(Refusal) -> Set<DeviceID> {
        let labelled = try shown.filter { $0.key == Narrowing.label }.map { item throws(Refusal) in
            try devices(labelled: item.value, request, labels)
        }
        let others = shown.filter { $0.key != Narrowing.label }
        let sets = others.isEmpty ? labelled : labelled + [try devices(showingValues: others, request)]
        return sets.dropFirst().reduce(sets[0]) { $0.intersection($1) }
    }

    private func devices(
        labelled name: String, _ request: ReplayRequest, _ labels: Labels?
    ) throws(Refusal) -> Set<DeviceID> {
        guard let label = DeviceLabel(rawValue: name), let labels else {
            throw .badField("narrow", "there is no such label", hint: "good or bad, where labels were given")
        }
        let narrowing = CaptureNarrowing(from: nil, to: nil, expressions: [.label(label)], option: "narrow")
        let (choice, problems) = narrowing.choice(for: request, labels: labels, progress: progress.noting)
        guard let devices = choice?.devices else { throw Refusal(problems) }
        return devices
    }

    private func devices(
        showingValues shown: [Narrowing.Shown], _ request: ReplayRequest
    ) throws(Refusal) -> Set<DeviceID> {
        var keys: [ProfileKey] = []
        var values: [DeviceProfiles.Value] = []
        for item in shown {
            let key = try Self.profileKey(item.key)
            let index = keys.firstIndex(of: key) ?? keys.endIndex
            if index == keys.endIndex { keys.append(key) }
            values.append(DeviceProfiles.Value(key: index, text: item.value))
        }
        let profile = CaptureProfile(request, keys: keys, progress: progress.noting)
        guard let profiles = profile.profiles else { throw Refusal(profile.diagnostics) }
        return profiles.devices(showing: values)
    }

    private static func profileKey(_ name: String) throws(Refusal) -> ProfileKey {
        switch name {
        case "flags": return .flags
        case Narrowing.filters: return .filters
        default:
            do throws(RecordKeyError) {
                return ProfileKey(try RecordKey(name))
            } catch {
                throw .badField("narrow", error.description, hint: error.hint)
            }
        }
    }
}

/// The progress of an evaluation, for a page that asks while it waits.
final class EvaluationProgress: Sendable {
    private let latest = Lock<Progress.Position?>(nil)

    /// Forgets the evaluation before.
    func begin() { latest.withLock { $0 = nil } }

    /// The progress that notes it.
    var noting: Progress { Progress { position in self.latest.withLock { $0 = position } } }

    /// The share that is done of the reading that is made now, from 0 to 1, as JSON; null where it is not known.
    var json: JSONValue {
        let share = latest.withLock { $0?.share }
        return .ordered([
            ("version", .integer(1)), ("share", share.map { .number($0.text(decimals: 3)) } ?? .null),
        ])
    }
}

extension Refusal {
    /// The first error among the messages of a command.
    init(_ diagnostics: Diagnostics) {
        let first = diagnostics.all.first { $0.severity == .error }
        self.init(422, first?.message ?? "there is no answer", hint: first?.hint)
    }
}
