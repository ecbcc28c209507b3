/// How often the devices of a group attest, and when (formats: Scenario, `activity`).
///
/// Only generated captures follow it: the steps of a scenario say themselves who does what.
struct Activity: Hashable, Sendable {
    /// How the attestations of the group are spread over its devices.
    var zipf = ZipfExponent.zero
    /// How they are spread over the hours of a day.
    var rhythm = Rhythm.even
    /// How often a device attests on the average, compared with the devices of other groups.
    var weight = 1

    /// The greatest weight of a group.
    static let weightLimit = 1_000_000
}
