import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceTests {
    @Suite("R6.3, R6.4 Bans") struct Bans {
        /// A step in a story of one device.
        enum Step: Sendable {
            /// The entry's ban mode from now on; `nil` removes the entry.
            case entry(BanMode?)
            /// True if a filter that bans everything is there from now on.
            case banningFilter(Bool)
            /// An attestation: what is observed, which of the ban flags it carries, and what is then persisted.
            case attests(observing: [String] = [], carries: [String], keeps: [String])
            /// All device state is cleared.
            case clear
            /// The persisted flags, without an attestation.
            case state([String]?)
        }

        struct Story: LabelledRow {
            let label: String
            let steps: [Step]
        }

        static let stories = [
            Story(
                label: "R6.3 a ban waits for the next attestation, which carries it already",
                steps: [
                    .entry(.ban), .state(nil), .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R6.3 so it does for a device that is known",
                steps: [
                    .attests(carries: [], keeps: []), .entry(.ban), .state([]),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R6.3 a ban that is taken back before the next attestation never was",
                steps: [.entry(.ban), .entry(nil), .attests(carries: [], keeps: [])]),
            Story(
                label: "R6.3 the ban stays when the entry is removed",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .entry(nil),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R6.3 an unban is persisted beside the ban, which no longer counts",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .entry(.unban),
                    .state(["did-ban"]),
                    .attests(carries: ["did-unban"], keeps: ["did-ban", "did-unban"]), .entry(nil),
                    .attests(carries: ["did-unban"], keeps: ["did-ban", "did-unban"]),
                ]),
            Story(
                label: "R6.3 an unban of a device without a ban",
                steps: [.entry(.unban), .attests(carries: ["did-unban"], keeps: ["did-unban"])]),
            Story(
                label: "R6.4 a device once unbanned cannot be banned again by entry",
                steps: [
                    .entry(.unban), .attests(carries: ["did-unban"], keeps: ["did-unban"]), .entry(.ban),
                    .attests(carries: ["did-unban"], keeps: ["did-unban"]),
                ]),
            Story(
                label: "R6.4 banned, unbanned, banned again",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .entry(.unban),
                    .attests(carries: ["did-unban"], keeps: ["did-ban", "did-unban"]), .entry(.ban),
                    .attests(carries: ["did-unban"], keeps: ["did-ban", "did-unban"]),
                ]),
            Story(
                label: "R6.4 a device once unbanned cannot be banned again by filter",
                steps: [
                    .entry(.unban), .attests(carries: ["did-unban"], keeps: ["did-unban"]), .entry(nil),
                    .banningFilter(true), .attests(carries: ["did-unban"], keeps: ["did-unban"]),
                ]),
            Story(
                label: "R6.4 an unban on this attestation keeps off the filter",
                steps: [.entry(.unban), .banningFilter(true), .attests(carries: ["did-unban"], keeps: ["did-unban"])]),
            Story(
                label: "R6.4 after a clearing it can be banned again",
                steps: [
                    .entry(.unban), .attests(carries: ["did-unban"], keeps: ["did-unban"]), .entry(.ban), .clear,
                    .state(nil), .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R7.5 a ban by filter stays when the filter is removed",
                steps: [
                    .banningFilter(true), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .banningFilter(false),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R7.5 a ban by filter is undone by an unban, though the filter still matches",
                steps: [
                    .banningFilter(true), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .entry(.unban),
                    .attests(carries: ["did-unban"], keeps: ["did-ban", "did-unban"]),
                ]),
            Story(
                label: "R6.4 an observed unban keeps off filter and entry, for its record",
                steps: [
                    .banningFilter(true), .entry(.ban),
                    .attests(observing: ["did-unban"], carries: ["did-unban"], keeps: []),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R10 an observed unban keeps off a persisted ban, for its record",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                    .attests(observing: ["did-unban"], carries: ["did-unban"], keeps: ["did-ban"]),
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
            Story(
                label: "R10 an observed ban holds for its record",
                steps: [
                    .attests(observing: ["did-ban"], carries: ["did-ban"], keeps: []), .attests(carries: [], keeps: []),
                ]),
            Story(
                label: "R10 an observed unban removes an observed ban",
                steps: [.attests(observing: ["did-ban", "did-unban"], carries: ["did-unban"], keeps: [])]),
            Story(
                label: "R6.4 a persisted unban removes an observed ban",
                steps: [
                    .entry(.unban), .attests(carries: ["did-unban"], keeps: ["did-unban"]), .entry(nil),
                    .attests(observing: ["did-ban"], carries: ["did-unban"], keeps: ["did-unban"]),
                ]),
            Story(
                label: "R6.5 a clearing ends a ban",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .entry(nil), .clear, .state(nil),
                    .attests(carries: [], keeps: []),
                ]),
            Story(
                label: "R6.5 an entry that still bans does so again after a clearing",
                steps: [
                    .entry(.ban), .attests(carries: ["did-ban"], keeps: ["did-ban"]), .clear,
                    .attests(carries: ["did-ban"], keeps: ["did-ban"]),
                ]),
        ]

        @Test("R6.3, R6.4 bans and unbans", arguments: stories) func story(_ row: Story) throws {
            var account = try Account.sample()
            var service = Service(account)
            for (number, step) in row.steps.enumerated() {
                switch step {
                case .entry(let mode): try Self.setEntry(mode, of: &account)
                case .banningFilter(let isThere): try Self.setFilter(isThere, of: &account)
                case .clear: service.clearDeviceState()
                case .state(let flags): #expect(try service.state() == flags, "step \(number)")
                case .attests(let observed, let carried, let kept):
                    service.change(to: account)
                    let outcome = try service.attest(observed)
                    let bans = outcome.flags.filter { ["did-ban", "did-unban"].contains($0) }
                    #expect(bans == carried, "step \(number)")
                    #expect(outcome.rejections == bans.filter { $0 == "did-ban" }, "step \(number)")
                    #expect(try service.state() == kept, "step \(number)")
                }
            }
        }

        struct Banned: LabelledRow {
            let preset: String
            var rejections: [String] {
                preset == "blacklist" ? ["policy:blacklist"] : preset == "whitelist" ? [] : ["did-ban"]
            }
        }

        static let banned = PresetFacts.names.map(Banned.init)

        @Test("R6.3 the attestation that bans fails where its policy rejects on it", arguments: banned)
        func banFailsByPolicy(_ row: Banned) throws {
            var account = try Account.sample()
            try account.append(account.entry(Sample.device, "default,\(row.preset),all", banMode: .ban))
            var service = Service(account)
            let outcome = try service.attest()
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.annotations == ["did-ban", "new-did"])
            #expect(try service.state() == ["did-ban"])
        }

        @Test("R6.3 a ban is of one device ID") func banIsOfOneDevice() throws {
            var account = try Account.sample()
            try account.append(account.entry(banMode: .ban))
            var service = Service(account)
            #expect(try !service.attest().passed)
            #expect(try service.attest(by: Sample.otherDevice).passed)
            #expect(service.engine.bannedDeviceCount == 1)
        }

        @Test("R6.4 banned devices are counted without those unbanned") func unbannedDoNotCount() throws {
            var account = try Account.sample()
            for number in 0..<4 { try account.append(account.entry(Sample.device(number), banMode: .ban)) }
            var service = Service(account)
            for number in 0..<4 { _ = try service.attest(by: Sample.device(number)) }
            #expect(service.engine.bannedDeviceCount == 4)
            service.change(to: try account.changed { try $0.set($0.entry(Sample.device(2), banMode: .unban)) })
            #expect(service.engine.bannedDeviceCount == 4)
            _ = try service.attest(by: Sample.device(2))
            #expect(service.engine.bannedDeviceCount == 3)
        }

        private static func setEntry(_ mode: BanMode?, of account: inout Account) throws {
            if let mode { return try account.set(account.entry(banMode: mode)) }
            try account.removeDevice(#require(DeviceID(Sample.device)))
        }

        private static func setFilter(_ isThere: Bool, of account: inout Account) throws {
            if isThere { return try account.set(.regex("ban-all", "flags-all", "", .ban)) }
            try account.removeFilter(named: "ban-all")
        }
    }
}
