package import Documents

/// The schema of account files, from the declarations by which they are read.
package enum AccountSchema {
    /// An account that is a document of its own, or part of one.
    ///
    /// It knows the form of each value by itself, and not what loading and lint find by looking at several.
    package static var schema: JSONSchema { AccountFields.all.schema().explained(by: sentences, under: "account") }

    /// The whole document.
    package static var document: String { schema.document(title: "An account") }
}

/// The schema of key files, from the declarations by which they are read.
package enum KeyFileSchema {
    /// The whole document.
    package static var document: String { schema.document(title: "The keys of an account") }

    /// The keys of an account.
    package static var schema: JSONSchema { KeyFields.all.schema().explained(by: sentences, under: "keys") }
}
