package import LibraryTables
package import Telemetry

extension JSONFields {
    package init(_ adjustment: Adjustment) {
        self = [
            "formatIdentifier": adjustment.formatIdentifier, "formatVersion": adjustment.formatVersion,
            "data": adjustment.data,
        ]
    }
}
