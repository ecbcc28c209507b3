/// The devices that a change turns, by the values of keys that they showed: key by key, in the order of the keys.
package struct ValueHits: Hashable, Sendable {
    package var rejected: [Key]
    package var accepted: [Key]

    package init(rejected: [Key], accepted: [Key]) { (self.rejected, self.accepted) = (rejected, accepted) }

    /// The devices that are turned one way, by the values of a key.
    package struct Key: Hashable, Sendable {
        /// The key as it was typed.
        package let key: String
        /// The number of values that such devices showed.
        package let different: Int
        /// Those of most such devices first, then by their bytes.
        package var values: [Value]

        package init(key: String, different: Int, values: [Value]) {
            (self.key, self.different, self.values) = (key, different, values)
        }
    }

    /// A value, with the devices that showed it at some time.
    package struct Value: Hashable, Sendable {
        package var text: String
        /// The devices of which it is known what the change does to them.
        package let devices: Int
        /// Those of them that are turned.
        package let turned: Int

        package init(_ text: String, devices: Int, turned: Int) {
            (self.text, self.devices, self.turned) = (text, devices, turned)
        }
    }
}
