/// The keys of the information that the service collects of a device: the one table of what filters, populations and
/// captures may name (manual, Getting Specific Device Information and the sections behind it).
///
/// "The exact set of information may vary over time", so that another key is no error, but a probable typing error.
package enum InformationKeys {
    /// The attributes of the manual's samples, in their order.
    package static let samples = [
        "ip", "device-id", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version",
        "appid", "app-id-sig", "app-sig", attestReason,
    ]

    /// The reason of an attestation (R14.2b).
    package static let attestReason = "attest-reason"

    /// The certificates that a device found where a probe URL leads (R18.8).
    package static let probeResult = "probe-result"

    /// The attributes that come for some devices only: R7.8, R15.1, and manual, Certificate Pins From a Device.
    static let others = ["app-cert", probeResult, "user-property"]

    /// The two names of the flags that are set (R7.2).
    package static let flags = ["flags-all", "public-flags"]

    /// The keys that follow from the record and its decision, so that a population cannot give them.
    package static let ofRecord = [
        "device-id", "flags-all", "public-flags", "flags", "captured", "time", "rejection-flags", "matched-filters",
    ]

    /// The attributes that a population may give.
    package static let given = (samples + others).filter { !ofRecord.contains($0) }

    /// The keys that a filter may look at.
    package static let filterable = samples + others + flags

    /// Every key that a record of a capture may have.
    package static let all = ofRecord + given
}
