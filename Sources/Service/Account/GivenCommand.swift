internal import Accounts
internal import HTTP
internal import PolicyEngine

/// A management command that was read, and what its chance follows from: the same draws the same once more.
struct GivenCommand: Sendable {
    /// The command.
    let command: ManagementCommand
    /// Its words.
    let words: [String]
    /// The seed of all that the command draws at random.
    let seed: String
    /// The source of new keys.
    let chance: KeyChance

    /// Reads a command; a key that it adds to a key set is made here, which may take seconds.
    ///
    /// - Parameter seed: The seed of its chance, if it was given before.
    init(words: [String], seed: String? = nil) throws(Refusal) {
        do throws(CommandError) {
            command = try ManagementCommand(words: words)
        } catch {
            throw .badField("body", error.description, hint: error.hint)
        }
        (self.words, self.seed) = (words, seed ?? Base64.text(of: KeyChance.system.encryptionSecret().bytes))
        // OpenSSL draws RSA keys itself, so the keys of a key set cannot follow from anything. They are kept.
        chance = command.preparedKey.map { .made($0) } ?? .seeded(self.seed)
    }
}
