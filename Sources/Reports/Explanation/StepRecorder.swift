internal import PolicyEngine

/// Keeps what each step of one attestation came to.
struct StepRecorder: AttestationRecorder {
    private(set) var steps: [AttestationStep] = []

    mutating func record(_ step: AttestationStep) { steps.append(step) }
}
