@testable import PolicyEngine

/// The numbering that all branches of a walk share; it only ever grows.
final class WalkNumbering {
    var symbols: SymbolTable
    /// The devices, by install.
    let devices: [DeviceIndex]

    /// Numbers the devices of as many installs.
    ///
    /// - Parameter first: The number of the first one's device ID; that of every later install is higher by 1.
    init(of account: Account, first: Int = 0, installs: Int) {
        var symbols = SymbolTable(catalogue: account.catalogue)
        devices = (0..<installs).map { symbols.devices.intern(DeviceID(first: 0, second: UInt64(first + $0))) }
        self.symbols = symbols
    }

    /// The ID of an install's device.
    func id(ofInstall install: Int) -> DeviceID { symbols.devices[devices[install]] }

    /// The names of some flags.
    func names(of flags: FlagSet) -> Set<String> { Set(symbols.catalogue.names(of: flags)) }

    /// Compares sets of flags.
    ///
    /// - Returns: In what they differ; `nil` where they are equal.
    func difference(in subject: String, _ flags: FlagSet?, from expected: Set<String>?) -> String? {
        let names = flags.map(names)
        if names == expected { return nil }
        return "\(subject) \(Self.words(names)) instead of \(Self.words(expected))"
    }

    private static func words(_ flags: Set<String>?) -> String {
        flags.map { "[\($0.sorted().joined(separator: ","))]" } ?? "not set"
    }
}
