internal import Documents
package import Figures
internal import PolicyEngine

extension Comparison {
    /// The changes of what clients get beside tokens (R19a); nothing if there are none, and for captures.
    var clientSections: [ReportSection] {
        let parts = (changes.clients?.parts ?? []).filter { $0.kind != .token && !$0.differences.isEmpty }
        guard !parts.isEmpty else { return [] }
        let columns: [ReportTable.Column] = [
            .text("what"), .text("before"), .text("after"), .figure("times"), .figure("devices"), .figure("share"),
            .text("first device"),
        ]
        let rows = parts.flatMap { part in
            part.differences.map { difference in
                var row = ReportTable.Row(cells: [
                    .text(part.kind.rawValue), .text(difference.before), .text(difference.after),
                    .number(difference.count.events), .number(difference.count.devices),
                    .share(difference.count.devices, of: part.devices), .code(difference.example.description),
                ])
                row.anchor = "clients \(part.kind.rawValue) \(difference.before) \(difference.after)"
                return row
            }
        }
        return [ReportSection(.title("Differences in what clients get"), table: ReportTable(columns, rows: rows))]
    }

    /// The changes of one kind for the worse, and the number of devices that have them: one sentence, without its end.
    package func sentence(of part: ClientChanges.Part) -> String { "\(part.worse.devices.grouped) \(words(of: part))" }

    /// The same sentence behind the number of devices.
    func words(of part: ClientChanges.Part) -> String {
        let (count, all) = (part.worse.devices, changes.devices)
        let devices = "of \(all.counting("device")) (\(count.share(of: all)))"
        switch part.kind {
        case .token: return "\(devices) would get no valid tokens"
        case .request: return "\(devices) would have requests no longer accepted (\(Self.outcomes(of: part)))"
        case .secureString: return "\(devices) would no longer get secure strings"
        case .customToken: return "\(devices) would no longer get custom JWTs"
        case .proof: return "\(devices) would no longer prove measurements"
        }
    }

    // `blocked: 90, refused: 10`, by devices.
    private static func outcomes(of part: ClientChanges.Part) -> String {
        part.differences.filter { $0.effect == .worse }.map { "\($0.after): \($0.count.devices.grouped)" }
            .joined(separator: ", ")
    }
}
