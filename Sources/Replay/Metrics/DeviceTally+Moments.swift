internal import Figures

extension DeviceTally {
    /// The number that stands for an attestation that passes or fails, where verdicts are counted.
    static func number(passed: Bool) -> Int { passed ? 0 : 1 }

    /// Sums over devices whose verdicts were counted.
    ///
    /// - Parameter unevaluated: The devices that could not be evaluated.
    func moments(besides unevaluated: DeviceSet) -> DeviceMoments {
        var moments = DeviceMoments()
        for device in indices {
            var (failed, total) = (0, 0)
            forEachNumber(of: device) { number, count in
                total += count
                if number == Self.number(passed: false) { failed += count }
            }
            if total > 0 { moments.add(failed: failed, of: total, isKnown: !unevaluated.contains(device)) }
        }
        return moments
    }
}
