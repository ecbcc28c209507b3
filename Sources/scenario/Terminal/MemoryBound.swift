internal import CLibrary
internal import Documents

/// The memory that the attestations of an exploration may take.
struct MemoryBound: Sendable {
    /// In bytes.
    let bytes: Int

    /// The bytes that an attestation takes, beside the values of dictionaries.
    static let bytesByAttestation = 100

    /// Half of the memory of the machine.
    static var usual: MemoryBound {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return MemoryBound(bytes: pages > 0 && size > 0 ? pages * size / 2 : .max)
    }

    /// The number of attestations that fit.
    var attestations: Int { bytes / Self.bytesByAttestation }

    /// Why captures are refused.
    ///
    /// - Parameters:
    ///   - position: The place in them at which it was noticed.
    ///   - captures: Their paths.
    ///   - account: The path of the account.
    func refusal(_ position: Progress.Position, of captures: [String], account: String) -> Diagnostic {
        let all = position.share.map { $0 > 0 ? Double(position.records) / $0 : 0 } ?? 0
        let parts = max(2, Int((max(all, Double(position.records)) / Double(max(1, attestations))).rounded(.up)))
        let paths = captures.map(ShellText.word).joined(separator: " ")
        return Diagnostic(
            file: captures.first ?? "",
            message: "there are more attestations than fit into memory, which are \(attestations.grouped)",
            hint: "explore a sample of the devices: `scenario split \(paths) --shards \(parts) --output sample`, then "
                + "`scenario explore sample/shard-1.arrow --account \(ShellText.word(account))`")
    }
}

/// Reading that ends once there are more attestations than fit.
final class BoundedReading: Sendable {
    private let bound: MemoryBound
    private let found = Lock<Progress.Position?>(nil)
    /// Asked for once there are too many.
    let cancellation = Cancellation()

    init(_ bound: MemoryBound) { self.bound = bound }

    /// The place at which there were too many; `nil` if they fit.
    var excess: Progress.Position? { found.withLock { $0 } }

    /// A progress that notices that, and is shown as another one.
    func progress(shown: Progress) -> Progress {
        Progress { [self] position in
            note(position)
            shown.show(position)
        }
    }

    /// Notes a place.
    func note(_ position: Progress.Position) {
        guard position.records > bound.attestations else { return }
        found.withLock { if $0 == nil { $0 = position } }
        cancellation.request()
    }
}
