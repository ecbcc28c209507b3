internal import PolicyEngine

/// The rest of what is counted of a record.
struct RecordOrigin: Mixed {
    let app: AppNumbers
    let system: OperatingSystem
    /// The service's verdict, where the capture has it.
    let capturedVerdict: Bool?

    init(app: AppNumbers, system: OperatingSystem, capturedVerdict: Bool?) {
        (self.app, self.system, self.capturedVerdict) = (app, system, capturedVerdict)
    }

    /// - Parameters:
    ///   - head: The head of the record.
    ///   - app: Its app.
    @inline(__always)
    init(_ head: RecordHead, app: AppNumbers) {
        self.init(app: app, system: head.system, capturedVerdict: head.capturedVerdict)
    }

    var mixedBits: UInt64 {
        let verdict: UInt64 = capturedVerdict.map { $0 ? 1 : 2 } ?? 0
        return UInt64(UInt32(truncatingIfNeeded: app.version ?? -1)) << 4 ^ UInt64(system.rawValue) << 2 ^ verdict
    }
}
