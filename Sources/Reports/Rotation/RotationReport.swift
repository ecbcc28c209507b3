internal import Documents
internal import Figures
package import PolicyEngine
package import Scenarios

/// The rotations of certificates that the pins of an account survive, and the devices that the others block.
package struct RotationReport: SectionedAnswer {
    private let account: String
    private let rotations: [RehearsedRotation]
    private let leftOut: [RotationRehearsal.LeftOut]
    private let limits: [LimitResult]

    package static let forms: [ReportForm] = [.text, .json, .markdown, .html, .csv]
    package static let kind = ReportKind("pins", "Rotations of certificates", columns)

    /// - Parameters:
    ///   - rotations: The rotations; at least one.
    ///   - leftOut: Those that chains cannot have.
    ///   - account: The name of the account.
    ///   - limits: The caller's limits, and which are exceeded.
    package init(
        _ rotations: [RehearsedRotation], leftOut: [RotationRehearsal.LeftOut], account: String,
        limits: [LimitResult] = []
    ) {
        (self.rotations, self.leftOut, self.account, self.limits) = (rotations, leftOut, account, limits)
    }

    package var sections: [ReportSection] {
        [ReportSection(.notice(ReportText(answer, .strong)))] + details
    }

    package func page(in setting: ReportSetting) -> ReportPage {
        ReportPage(
            title: account.isEmpty ? "Pins" : "\(account): pins",
            scope: [(rotations.first?.devices ?? 0).counting("device")],
            head: ReportHead(answer, limits: limits),
            sections: details + setting.origin.sections(), origin: setting.origin)
    }

    package var json: JSONValue { Self.columns.value(of: self) }

    package var csv: [UInt8] { Self.rotation.csv(of: rotations, narrowed: nil) }

    // MARK: Sections

    private var answer: String {
        let blocking = rotations.filter { !$0.survives }
        return blocking.isEmpty
            ? "the pins survive \(rotations.count == 1 ? "the rotation" : "all \(rotations.count) rotations")"
            : "the pins survive \(rotations.count - blocking.count) of \(rotations.count.counting("rotation"))"
    }

    private var details: [ReportSection] {
        let domains = rotations.map(\.domain).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        var sections = domains.map { domain in
            ReportSection(
                .title(domain), table: Self.rotation.table(of: rotations.filter { $0.domain == domain }))
        }
        if !leftOut.isEmpty {
            let sentences = leftOut.map { ReportText("\($0.domain): \($0.rotation.rawValue), since \($0.reason)") }
            sections.append(ReportSection(.title("Left out"), sentences: sentences))
        }
        let thefts = rotations.filter { ($0.trustingThief ?? 0) > 0 }
        if !thefts.isEmpty {
            sections.append(
                ReportSection(
                    .title("After the key was stolen"),
                    sentences: thefts.map { theft in
                        ReportText(
                            "\(theft.domain): \((theft.trustingThief ?? 0).share(of: theft.devices)) of devices still "
                                + "connect to somebody who has the stolen key and its certificate")
                    }))
        }
        let blocked = groups
        if !blocked.isEmpty {
            sections.append(ReportSection(.title("Blocked groups"), table: Self.group.table(of: blocked)))
        }
        let commands = rotations.flatMap(\.commands).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        if !commands.isEmpty {
            sections.append(
                ReportSection(
                    .title("Commands that make the account fit"),
                    table: Self.fitting.table(of: rotations.filter { !$0.commands.isEmpty })))
        }
        return sections
    }

    // MARK: Rows

    private typealias GroupRow = (rotation: RehearsedRotation, group: RehearsedRotation.Group)

    private var groups: [GroupRow] {
        rotations.flatMap { rotation in
            rotation.groups.filter { $0.requests.blockedDevices > 0 }.map { (rotation, $0) }
        }
    }
}

// MARK: Columns

extension RotationReport {
    private static let columns = Columns<RotationReport>(inOrder: [
        .version, .field("account", "The name of the account.", \.account),
        .list("rotations", "The rotations of each domain.", rotation, \.rotations),
        .list(
            "left-out", "Rotations that are left out, because the chain of the domain cannot have them.", missing,
            \.leftOut),
    ])

    private static let missing = Columns<RotationRehearsal.LeftOut>(inOrder: [
        .field("domain", "The API domain.", \.domain),
        .word("rotation", "The change of its certificates.", of: Rotation.allCases.map(\.rawValue)) {
            $0.rotation.rawValue
        },
        .field("reason", "The certificate that its chain lacks.", \.reason),
    ])

    private static let rotation = Columns<RehearsedRotation>(inOrder: [
        .field("domain", "The API domain.", \.domain),
        .word("rotation", "The change of its certificates.", of: Rotation.allCases.map(\.rawValue)) {
            $0.rotation.rawValue
        }.text("rotation"),
        .field("summary", "The change in a sentence.") { $0.rotation.summary },
        .field("chain", "The chain that the backend presents then, the leaf first.", \.chain)
            .text("presents") { .text($0.chain.map(short).joined(separator: " ← ")) },
        .field("survives", "True if the pins of the account accept that chain, or if no pins apply.", \.survives)
            .text("pins") { .text(words($0), $0.survives ? .good : .bad) },
        .field("match", "The key of the chain that a pin of the account names; null if there is none.", \.match),
        .field("pinned", "True if pins apply to the domain.", \.isPinned),
        .field("devices", "All devices.", \.devices),
        .field("blocked-devices", "The devices that were blocked at some time.", \.requests.blockedDevices)
            .figure("blocked", bars: .worse) { .share($0.requests.blockedDevices, of: $0.devices) },
        .field("still-blocked", "The devices that are blocked at the end.", \.requests.stillBlocked)
            .figure("at the end") { .share($0.requests.stillBlocked, of: $0.devices) },
        .field(
            "longest-blocked-seconds",
            "The longest time from the first blocked request of a device to the next accepted one; null where no blocked "
                + "device connected again.", \.requests.longestBlocked
        )
        .figure("longest") { .text(longest($0.requests.longestBlocked)) },
        .field(
            "trusting-thief",
            "The devices that connect to somebody with the stolen key at the end; null for other rotations.",
            \.trustingThief),
        .field("commands", "The management commands that make the account fit; none if it fits.", \.commands),
        .list("groups", "The devices by group.", members, \.groups),
    ])

    private static let members = Columns<RehearsedRotation.Group>(inOrder: [
        .field("group", "The name of the group.", \.requests.group).text("group"),
        .field("devices", "Its devices.", \.devices).figure("devices"),
        .field("blocked-devices", "Its devices that were blocked at some time.", \.requests.blockedDevices)
            .figure("blocked", bars: .worse),
        .field("still-blocked", "Its devices that are blocked at the end.", \.requests.stillBlocked)
            .figure("at the end"),
        .field(
            "longest-blocked-seconds",
            "The longest time from the first blocked request of a device to the next accepted one; null where no blocked "
                + "device connected again.", \.requests.longestBlocked
        )
        .figure("longest") { .text(longest($0.requests.longestBlocked)) },
    ])

    private static let group = Columns<GroupRow>(
        inOrder: [
            .shown("domain", .text("domain")) { .text($0.rotation.domain) },
            .shown("rotation", .text("rotation")) { .text($0.rotation.rotation.rawValue) },
        ] + members.all.map { $0.of(\.group) })

    private static let fitting = Columns<RehearsedRotation>(inOrder: [
        .shown("rotation", .text("rotation")) { .text($0.rotation.rawValue) },
        .shown("commands", .text("commands")) { .code($0.commands.joined(separator: "; ")) },
    ])

    private static func words(_ rotation: RehearsedRotation) -> String {
        guard rotation.isPinned else { return "none" }
        return rotation.match.map { "accept \(short($0))" } ?? "refuse"
    }

    // The beginning of a pin that has no name, by which a reader tells it from others.
    private static func short(_ key: String) -> String { PublicKeyPin.isPin(key) ? "\(key.prefix(8))…" : key }

    private static func longest(_ seconds: Int?) -> String { seconds.map(DurationText.text) ?? "–" }
}
