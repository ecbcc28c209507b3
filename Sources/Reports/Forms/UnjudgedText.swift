/// What captures do not tell, in words that all forms of reports share.
enum UnjudgedText {
    /// Why what hangs on new devices is not judged.
    static let noNewDevices = "no record has `new-did`, so nobody knows which devices were new"
}
