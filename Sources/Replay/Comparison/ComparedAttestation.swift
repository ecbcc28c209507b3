package import PolicyEngine

/// An attestation that both sides of a comparison judged.
package struct ComparedAttestation {
    /// Its number among all that are compared, which tells what came first.
    let index: Int
    /// Its device, by a number that is the same on both sides.
    let device: DeviceIndex
    let time: Instant
    /// What was observed, in the numbers of the side before.
    let flags: FlagSet
    /// The device's system.
    let system: OperatingSystem
    /// Whether it is an attestation, on one side at least; a fetch of a scenario may be answered from the cache.
    let isAttested: Bool

    package init(
        index: Int, device: DeviceIndex, time: Instant, flags: FlagSet, system: OperatingSystem, isAttested: Bool = true
    ) {
        self.index = index
        self.device = device
        self.time = time
        self.flags = flags
        self.system = system
        self.isAttested = isAttested
    }
}
