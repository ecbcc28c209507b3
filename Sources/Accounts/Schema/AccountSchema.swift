package import Documents

/// The schema of account files, from the declarations by which they are read.
package enum AccountSchema {
    /// The schema of an account, which is a document of its own or part of one.
    ///
    /// It has the form of each value. Rules about several values are checked only where accounts are loaded and by lint.
    package static var schema: JSONSchema { AccountFields.all.schema() }

    /// The text of the schema, as a document of its own.
    package static var document: String { schema.document(title: "An account") }
}

/// The schema of key files, from the declarations by which they are read.
package enum KeyFileSchema {
    /// The text of the schema, as a document of its own.
    package static var document: String { schema.document(title: "The keys of an account") }

    /// The schema of the keys of an account.
    package static var schema: JSONSchema { KeyFields.all.schema() }
}
