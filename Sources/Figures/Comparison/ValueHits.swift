/// The devices that a change newly rejects, by the values of a key that they showed.
package struct ValueHits: Hashable, Sendable {
    /// The key as it was typed.
    package var key: String
    /// The number of values that newly rejected devices showed.
    package var different = 0
    /// Those of most newly rejected devices first, then by their bytes.
    package var values: [Value] = []

    package init(key: String) { self.key = key }

    /// A value, with the devices that showed it at some time.
    package struct Value: Hashable, Sendable {
        package var text: String
        /// The devices of which it is known what the change does to them.
        package var devices = 0
        /// The newly rejected ones among them.
        package var rejected = 0

        package init(_ text: String) { self.text = text }
    }
}
