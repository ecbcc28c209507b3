internal import PolicyEngine
internal import Replay

extension KeptRecord {
    /// The record as an attestation, with all its attributes.
    ///
    /// - Parameter symbols: Numbers the device, the flags and the values.
    func attestation(_ symbols: inout SymbolTable) -> Attestation {
        var attestation = Attestation(time: time, device: symbols.devices.intern(device))
        for name in flags {
            if let flag = try? symbols.catalogue.intern(observed: name) { attestation.flags.insert(flag) }
        }
        for attribute in attributes + [Attribute(key: "device-id", value: device.description)] {
            let key = symbols.attributes.key(named: attribute.key, keepingAll: true)
            attestation.set(symbols.attributes.intern(attribute.value, for: key), for: key)
        }
        return attestation
    }
}
