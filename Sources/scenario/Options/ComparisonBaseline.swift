internal import Documents
internal import Figures
internal import PolicyEngine
internal import Reports

/// The result of an earlier comparison of the same captures with the same account: its changes do not count against a
/// limit.
struct ComparisonBaseline {
    private let identity: ComparisonIdentity
    // Names of devices.
    private let rejected, accepted: Set<String>

    /// The name of the option.
    static let name = "--baseline"

    /// Names the earlier comparison.
    static let option = Option(
        name, "Let limits count only devices that the comparison in FILE has not, which `--format json` wrote.",
        .file(.reads), in: .limits, relations: [ChangeLimits.needed])

    /// Reads the file that the option names.
    ///
    /// - Parameter identity: The identity of the comparison now; `nil` if it is unknown.
    /// - Returns: `nil` after noting an error, and where the option was not given.
    static func read(
        _ arguments: ParsedArguments, against identity: ComparisonIdentity?, _ diagnostics: inout Diagnostics
    ) -> ComparisonBaseline? {
        guard let path = arguments[option] else { return nil }
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes = read else { return nil }
        return diagnostics.attempt(in: path) { () throws(Refusal) in
            guard let identity else { throw .unknownInputs }
            guard let report = try? JSONParser.parse(bytes, maximumNesting: DocumentLimits.maximumNesting),
                let changes = report["changes"]
            else { throw .noComparison }
            return try ComparisonBaseline(changes, identity)
        }
    }

    private init(_ changes: JSONContent, _ identity: ComparisonIdentity) throws(Refusal) {
        guard let compared = changes["compared"], let inputs = compared["inputs"]?.texts,
            let account = compared["account"]?.text, let names = compared["names"]?.text
        else { throw .withoutIdentity }
        guard inputs == identity.inputs else { throw .otherInputs }
        guard account == identity.account else { throw .otherAccount }
        guard names == identity.keyName else { throw .otherKey }
        self.identity = identity
        rejected = try Self.names(changes["newly-rejected"])
        accepted = try Self.names(changes["newly-accepted"])
    }

    private static func names(_ side: JSONContent?) throws(Refusal) -> Set<String> {
        guard let names = side?["device-names"]?.texts else { throw .withoutDevices }
        return Set(names)
    }

    /// The number of newly rejected devices that were newly rejected in the earlier comparison, too.
    func knownRejected(_ changes: ChangeFigures) -> Int { count(changes, knownIn: rejected) }

    /// The number of newly accepted devices that were newly accepted in the earlier comparison, too.
    func knownAccepted(_ changes: ChangeFigures) -> Int { count(changes, knownIn: accepted) }

    // If there are too many devices to be named, none is known.
    private func count(_ changes: ChangeFigures, knownIn names: Set<String>) -> Int {
        guard !names.isEmpty else { return 0 }
        return changes.known.all?.count { names.contains(identity.name(of: $0)) } ?? 0
    }

    /// Why a file is no baseline of a comparison.
    private enum Refusal: DescribedError {
        case unknownInputs, noComparison, withoutIdentity, otherInputs, otherAccount, otherKey, withoutDevices

        var description: String {
            switch self {
            case .unknownInputs: "what is read once only cannot be known from a baseline"
            case .noComparison: "this is not a comparison"
            case .withoutIdentity: "this comparison does not say what was compared"
            case .otherInputs: "this compares other captures, or a scenario otherwise"
            case .otherAccount: "this compares with another account before the change"
            case .otherKey: "its devices are named with another `\(RedactionOptions.key.name)`"
            case .withoutDevices:
                "it names no devices: more than \(ChangeFigures.KnownDevices.limit.grouped) of them change"
            }
        }

        var hint: String? {
            switch self {
            case .unknownInputs, .withoutDevices: nil
            case .noComparison: "`scenario diff … --format json --output FILE` writes one"
            case .withoutIdentity: "one that was made of files, by this version, does"
            case .otherInputs, .otherAccount, .otherKey:
                "a baseline is of the same captures and the same account before; only the change may be another one"
            }
        }
    }
}

extension JSONContent {
    // The items of an array of texts; `nil` for anything else.
    fileprivate var texts: [String]? {
        guard case .array(let items) = self else { return nil }
        let texts = items.compactMap(\.text)
        return texts.count == items.count ? texts : nil
    }
}
