/// Text in the exposition format of OpenMetrics.
package enum OpenMetricsText {
    /// Appends the value of a label, without its quotes; characters that a terminal would act on are made visible.
    package static func append(label text: String, to bytes: inout [UInt8]) {
        VisibleText.append(text, to: &bytes) { byte in
            switch byte {
            case UInt8(ascii: "\""): "\\\""
            case UInt8(ascii: "\\"): "\\\\"
            default: nil
            }
        }
    }
}
