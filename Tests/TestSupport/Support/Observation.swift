/// One attestation in words, for the engine and for the reference evaluator alike.
struct Observation: Hashable, Sendable, CustomStringConvertible {
    var time = Sample.time
    var device = Sample.device
    var flags: [String] = []
    var attributes: [String: String] = [:]

    var description: String {
        let values = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(time) \(device) [\(flags.joined(separator: ","))] {\(values.joined(separator: "; "))}"
    }
}
