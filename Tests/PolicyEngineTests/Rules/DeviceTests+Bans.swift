import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceTests {
    @Suite("R6.3, R6.4 Bans") struct Bans {
        static let stories = PhoneStory.table(
            """
            == R6.3 a ban waits for the next attestation, which carries it already
            ban; keeps unset; attests did-ban!; keeps did-ban; attests did-ban!; keeps did-ban
            == R6.3 so it does for a device that is known
            attests; keeps; ban; keeps; attests did-ban!; keeps did-ban
            == R6.3 a ban that is taken back before the next attestation never was
            ban; remove; attests; keeps
            == R6.3 the ban stays when the entry is removed
            ban; attests did-ban!; keeps did-ban; remove; attests did-ban!; keeps did-ban
            == R6.3 an unban is persisted beside the ban, which no longer counts
            ban; attests did-ban!; keeps did-ban; unban; keeps did-ban; attests did-unban; keeps did-ban did-unban
            remove; attests did-unban; keeps did-ban did-unban
            == R6.3 an unban of a device without a ban
            unban; attests did-unban; keeps did-unban
            == R6.4 a device once unbanned cannot be banned again by entry
            unban; attests did-unban; keeps did-unban; ban; attests did-unban; keeps did-unban
            == R6.4 banned, unbanned, banned again
            ban; attests did-ban!; keeps did-ban; unban; attests did-unban; keeps did-ban did-unban; ban
            attests did-unban; keeps did-ban did-unban
            == R6.4 a device once unbanned cannot be banned again by filter
            unban; attests did-unban; keeps did-unban; remove; filter on; attests did-unban; keeps did-unban
            == R6.4 an unban on this attestation keeps off the filter
            unban; filter on; attests did-unban; keeps did-unban
            == R6.4 after a clearing it can be banned again
            unban; attests did-unban; keeps did-unban; ban; clear; keeps unset; attests did-ban!; keeps did-ban
            == R7.5 a ban by filter stays when the filter is removed
            filter on; attests did-ban!; keeps did-ban; filter off; attests did-ban!; keeps did-ban
            == R7.5 a ban by filter is undone by an unban, though the filter still matches
            filter on; attests did-ban!; keeps did-ban; unban; attests did-unban; keeps did-ban did-unban
            == R6.4 an observed unban keeps off filter and entry, for its record
            filter on; ban; observes did-unban; attests did-unban; keeps; attests did-ban!; keeps did-ban
            == R10 an observed unban keeps off a persisted ban, for its record
            ban; attests did-ban!; keeps did-ban; observes did-unban; attests did-unban; keeps did-ban
            attests did-ban!; keeps did-ban
            == R10 an observed ban holds for its record
            observes did-ban; attests did-ban!; keeps; attests; keeps
            == R10 an observed unban removes an observed ban
            observes did-ban did-unban; attests did-unban; keeps
            == R6.4 a persisted unban removes an observed ban
            unban; attests did-unban; keeps did-unban; remove; observes did-ban; attests did-unban; keeps did-unban
            == R6.5 a clearing ends a ban
            ban; attests did-ban!; keeps did-ban; remove; clear; keeps unset; attests; keeps
            == R6.5 an entry that still bans does so again after a clearing
            ban; attests did-ban!; keeps did-ban; clear; attests did-ban!; keeps did-ban
            """)

        @Test("R6.3, R6.4 bans and unbans", arguments: stories) func story(_ story: PhoneStory) throws {
            var account = try Account.sample()
            var service = Service(account)
            var observed: [String] = []
            for (number, step) in story.steps.enumerated() {
                let words = step.split(separator: " ").dropFirst().map(String.init)
                switch step.prefix(while: { $0 != " " }) {
                case "ban": try account.set(account.entry(banMode: .ban))
                case "unban": try account.set(account.entry(banMode: .unban))
                case "remove": try account.removeDevice(#require(DeviceID(Sample.device)))
                case "filter" where words == ["on"]: try account.set(.regex("ban-all", "flags-all", "", .ban))
                case "filter": try account.removeFilter(named: "ban-all")
                case "clear": service.clearDeviceState()
                case "observes": observed = words
                case "keeps": #expect(try service.state() == (words == ["unset"] ? nil : words), "step \(number)")
                // The flags of bans alone, with an exclamation mark if they reject.
                case "attests":
                    service.change(to: account)
                    let outcome = try service.attest(observed)
                    let bans = outcome.flags.filter { ["did-ban", "did-unban"].contains($0) }
                    #expect(bans.map { $0 == "did-ban" ? "did-ban!" : $0 } == words, "step \(number)")
                    #expect(outcome.rejections == bans.filter { $0 == "did-ban" }, "step \(number)")
                    observed = []
                default: throw TestFailure("unknown step: \(step)")
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
    }
}
