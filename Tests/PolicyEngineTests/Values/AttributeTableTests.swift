import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The table of attributes") struct AttributeTableTests {
    @Test("keys have places in the order in which they were asked for") func keysHavePlaces() {
        var table = AttributeTable()
        #expect(table.existingKey(named: "ip") == nil)
        #expect(table.key(named: "ip").index == 0)
        #expect(table.key(named: "device").index == 1)
        #expect(table.key(named: "ip").index == 0)
        #expect(table.existingKey(named: "device")?.index == 1)
        #expect(table.keyCount == 2)
        #expect(table.keys.map(\.name) == ["ip", "device"])
        #expect(table.keys.map(\.key.index) == [0, 1])
    }

    @Test("values are numbered for each key apart") func valuesByKey() {
        var table = AttributeTable()
        let (ip, device) = (table.key(named: "ip"), table.key(named: "device"))
        #expect(table.intern("a", for: ip).offset == 0)
        #expect(table.intern("b", for: ip).offset == 1)
        #expect(table.intern("b", for: device).offset == 0)
        #expect(table.text(of: ValueNumber(offset: 1), for: ip) == "b")
        #expect(table.text(of: ValueNumber(offset: 0), for: device) == "b")
    }

    @Test("a key may keep everything, whatever the capacity") func keepingAll() {
        var table = AttributeTable(capacity: 1)
        let (short, long) = (table.key(named: "short"), table.key(named: "long", keepingAll: true))
        let numbers = (0..<3).map { (table.intern("\($0)", for: short), table.intern("\($0)", for: long)) }
        #expect(numbers.map(\.0) == [ValueNumber(offset: 0), .transient, .transient])
        #expect(numbers.map(\.1.offset) == [0, 1, 2])
        // Asking again does not take it back.
        _ = table.key(named: "long")
        #expect(table.intern("3", for: long).offset == 3)
        _ = table.key(named: "short", keepingAll: true)
        #expect(table.intern("1", for: short).offset == 1)
    }

    @Test("passing values of two keys do not disturb each other") func transientByKey() {
        var table = AttributeTable(capacity: 0)
        let (ip, device) = (table.key(named: "ip"), table.key(named: "device"))
        let (first, second) = (table.intern("1.2.3.4", for: ip), table.intern("Android", for: device))
        #expect(table.text(of: first, for: ip) == "1.2.3.4")
        #expect(table.text(of: second, for: device) == "Android")
    }

    @Test("an attestation has the values that were set") func attestationValues() throws {
        var table = AttributeTable()
        let keys = ["a", "b", "c"].map { table.key(named: $0) }
        var devices = DeviceTable()
        let device = devices.intern(try #require(DeviceID(Sample.device)))
        var attestation = Attestation(time: Sample.time, device: device)
        #expect(attestation.value(of: keys[2]) == .absent)
        attestation.set(table.intern("x", for: keys[2]), for: keys[2])
        #expect(attestation.value(of: keys[0]) == .absent)
        #expect(attestation.value(of: keys[2]).offset == 0)
        attestation.removeAttributes()
        #expect(attestation.value(of: keys[2]) == .absent)
        #expect(attestation.flags.isEmpty)
    }

    @Test("filters that come later find the values of attestations to come") func laterFilters() throws {
        let account = try Account.sample()
        var service = Service(account)
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == [])
        service.change(to: try account.changed { try $0.set(.exact("myip", "ip", "1.2.3.4")) })
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == ["myip"])
        service.change(to: try account.changed { try $0.set(.exact("myip", "ip", "5.6.7.8")) })
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == [])
        #expect(try service.attest(with: ["ip": "5.6.7.8"]).filters == ["myip"])
    }
}
