internal import PolicyEngine

/// The services of Apple and Google, one of each for all accounts of a scenario (R8.10).
///
/// A class, since every account speaks to the same ones.
final class SimulatedPlatforms {
    var services = PlatformServices()
}
