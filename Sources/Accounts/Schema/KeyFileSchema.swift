internal import Documents

/// The schema of key files, from the declarations by which they are read.
package enum KeyFileSchema {
    /// The whole document.
    package static var document: String { KeyFields.all.schema().document(title: "The keys of an account") }
}
