/// Hears what each step of an attestation came to.
///
/// The engine is compiled anew for each kind of recorder, so that the usual one, which hears nothing, costs nothing:
/// what explains a verdict is the code that made it.
public protocol AttestationRecorder {
    /// Hears of a step; steps come in the order of R10.
    mutating func record(_ step: AttestationStep)
}

/// Hears nothing.
struct SilentRecorder: AttestationRecorder {
    @inline(__always)
    mutating func record(_ step: AttestationStep) {}
}
