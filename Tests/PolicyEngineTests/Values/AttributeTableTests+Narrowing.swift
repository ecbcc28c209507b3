import Testing

@testable import PolicyEngine
@testable import TestSupport

extension AttributeTableTests {
    @Suite("Attributes of which few values matter") struct Narrowing {
        private let wanted = [Array("arm64".utf8), Array("x86".utf8), Array("".utf8)]

        @Test("values that matter have numbers, the others are one and the same") func othersAreOne() {
            var table = AttributeTable(capacity: 100)
            let key = table.key(named: "archid")
            table.narrow(key, to: wanted)
            #expect(table.intern("arm64", for: key).offset == 0)
            #expect(table.intern("x86", for: key).offset == 1)
            #expect(table.intern("", for: key).offset == 2)
            for text in ["x87", "x8", "x866", "arm65", "é"] { #expect(table.intern(text, for: key) == .other) }
            #expect(table.text(of: .other, for: key).isEmpty)
        }

        @Test("what others need stays whole, whoever asks first") func wideStaysWide() {
            var table = AttributeTable(capacity: 100)
            let first = table.key(named: "appid", keepingAll: true)
            table.narrow(first, to: wanted)
            let second = table.key(named: "device")
            table.narrow(second, to: wanted)
            table.widen(second)
            table.narrow(second, to: wanted)
            for key in [first, second] {
                let number = table.intern("Android 8", for: key)
                #expect(table.text(of: number, for: key) == "Android 8")
            }
        }

        @Test("a table that keeps all values is never narrowed") func populationsKeepAll() {
            var table = AttributeTable()
            let key = table.key(named: "archid")
            table.narrow(key, to: wanted)
            let number = table.intern("mips", for: key)
            #expect(table.text(of: number, for: key) == "mips")
        }

        @Test("R7.2 exact filters match alike on narrow, wide and kept values", arguments: [0, 1, .max])
        func filtersMatchAlike(capacity: Int) throws {
            var account = Account(name: "narrow")
            try account.append(Filter(name: "exact", test: .exact(key: "archid", value: "x86")))
            try account.append(Filter(name: "other", test: .exact(key: "archid", value: "arm64")))
            var symbols = SymbolTable(catalogue: account.catalogue, keptValues: capacity)
            var engine = Engine(account: account, symbols: &symbols)
            let key = symbols.attributes.key(named: "archid")
            let device = try #require(DeviceID("h4gubfCFzJu81j/U2BJsdg=="))
            var attestation = Attestation(
                time: Instant(secondsSinceEpoch: 0), device: symbols.devices.intern(device))
            for (text, names) in [
                ("x86", ["exact"]), ("x8", []), ("arm64", ["other"]), ("mips", []), ("x86", ["exact"]),
            ] {
                attestation.set(symbols.attributes.intern(text, for: key), for: key)
                let decision = engine.attest(attestation, symbols: symbols)
                #expect(engine.filterNames(decision.filters, of: decision) == names)
            }
        }
    }
}
