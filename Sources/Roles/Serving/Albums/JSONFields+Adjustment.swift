package import Library
package import Telemetry

extension JSONFields {
    /// What made a photo, as its XMP has it.
    package init(_ adjustment: Adjustment) {
        self = [
            "formatIdentifier": adjustment.formatIdentifier, "formatVersion": adjustment.formatVersion,
            "data": adjustment.data,
        ]
    }
}
