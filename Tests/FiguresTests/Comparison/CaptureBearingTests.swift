import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

/// Changes of accounts of which a capture shows no effect, or not all of it.
@Suite struct CaptureBearingTests {
    struct Row: LabelledRow {
        let name, before, after: String
        /// The starts of the sentences about what a capture does not show.
        var unseen: [String] = []
    }

    private static let marking = "devicecheck: {team-id: T, key-id: K, bits: bit0}\n"
    private static let bans = "bans change"

    private static func entry(_ fields: String) -> String { "devices: [{id: w4mmGFZkpz5oPz6w6gl1Cw==\(fields)}]\n" }

    // A filter, a conjunction of it, and one that has nothing to do with both.
    private static func filters(_ value: String, conjunction: String, other: String) -> String {
        "filters: [{name: a, key: k, match: \(value)}, {name: c, conjunction: [a]\(conjunction)}, "
            + "{name: o, key: l, match: x\(other)}]\n"
    }

    static let rows = [
        Row(name: "a ban", before: entry(""), after: entry(", ban-mode: ban")),
        Row(
            name: "R8.4 a ban that Apple keeps", before: marking + entry(""), after: marking + entry(", ban-mode: ban"),
            unseen: [bans]),
        Row(
            name: "a ban for which no bit is kept", before: marking.replacing("bit0", with: "none") + entry(""),
            after: marking.replacing("bit0", with: "none") + entry(", ban-mode: ban")),
        Row(
            name: "a ban without a key", before: "devicecheck: {team-id: T, bits: bit0}\n" + entry(""),
            after: "devicecheck: {team-id: T, bits: bit0}\n" + entry(", ban-mode: ban")),
        Row(
            name: "R6.6 a pin mode", before: marking + entry(""), after: marking + entry(", pin-mode: unpin"),
            unseen: ["pin modes of devices change"]),
        Row(
            name: "a label", before: marking + entry(""), after: marking + entry(", label: x"),
            unseen: []),
        Row(
            name: "an entry with a ban that goes", before: marking + entry(", ban-mode: ban"), after: marking,
            unseen: [bans]),
        Row(
            name: "a filter that rejects", before: marking + filters("v", conjunction: "", other: ""),
            after: marking + filters("w", conjunction: "", other: "")),
        Row(
            name: "a filter of a conjunction that bans",
            before: marking + filters("v", conjunction: ", ban: true", other: ""),
            after: marking + filters("w", conjunction: ", ban: true", other: ""), unseen: [bans]),
        Row(
            name: "a filter beside one that bans",
            before: marking + filters("v", conjunction: "", other: ", ban: true"),
            after: marking + filters("w", conjunction: "", other: ", ban: true")),
        Row(
            name: "a filter that bans", before: marking + filters("v", conjunction: "", other: ""),
            after: marking + filters("v", conjunction: "", other: ", ban: true"), unseen: [bans]),
        Row(name: "the bits", before: marking, after: marking.replacing("bit0", with: "bit1"), unseen: ["DeviceCheck"]),
        Row(
            name: "R15.2 a registration that goes",
            before: "registrations: [{app-sig: s, appid: p}, {app-sig: s, appid: q}]\n",
            after: "registrations: [{app-sig: s, appid: p}]\n"),
        Row(
            name: "a registration that comes", before: "registrations: [{app-sig: s, appid: p}]\n",
            after: "registrations: [{app-sig: s, appid: p}, {app-sig: s, appid: q}]\n",
            unseen: ["registrations are added"]),
        Row(
            name: "no registrations at all", before: "registrations: [{app-sig: s, appid: p}]\n", after: "",
            unseen: ["the account after lists no registrations"]),
        Row(
            name: "several", before: "grace: 0s\npropagation: 0s\n", after: "grace: 60s\npropagation: 60s\n",
            unseen: ["the propagation", "the grace"]),
    ]

    @Test(arguments: rows) func unseen(_ row: Row) throws {
        let compared = ComparedAccounts(
            before: try AccountText.account("account: a\n" + row.before),
            after: try AccountText.account("account: a\n" + row.after))
        let sentences = compared.beyondCaptures
        #expect(sentences.count == row.unseen.count, "\(sentences)")
        for (sentence, start) in zip(sentences.sorted(), row.unseen.sorted()) { #expect(sentence.hasPrefix(start)) }
    }
}
