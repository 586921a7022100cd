// SwiftPM builds one product or target at a time. This one does nothing and needs both programs: building it builds
// them in one run.
