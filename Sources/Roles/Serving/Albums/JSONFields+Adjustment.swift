package import LibraryTables
package import Telemetry

extension JSONFields {
    /// The recipe in a photo's XMP.
    package init(_ adjustment: Adjustment) {
        self = [
            "formatIdentifier": adjustment.formatIdentifier, "formatVersion": adjustment.formatVersion,
            "data": adjustment.data,
        ]
    }
}
