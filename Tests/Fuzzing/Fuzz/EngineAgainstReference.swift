internal import PolicyEngine

@testable import TestSupport

/// A drawn account and drawn attestations, decided by the engine and by the reference evaluator (R1 to R11).
enum EngineAgainstReference {
    private static let attestations = 40

    /// Draws by some bytes, and compares each decision, and at the end the remembered state of each device.
    static func feed(_ bytes: [UInt8]) {
        // Some drawn accounts cannot be made, such as those with two entries for a device.
        guard var run = try? RandomRun(tape: bytes) else { return }
        for _ in 0..<attestations {
            guard let step = try? run.step() else { return }
            DifferentialTarget.compare(
                "\(step.observation) \(step.actual)", "\(step.observation) \(step.expected)", names)
        }
        var service = run.service
        for device in AccountGenerator.devices {
            let state = try? service.state(of: device)
            DifferentialTarget.compare(state, run.reference.state(of: device), names)
        }
        DifferentialTarget.compare(service.engine.bannedDeviceCount, run.reference.bannedDeviceCount, names)
    }

    private static let names = ("engine", "reference")
}
