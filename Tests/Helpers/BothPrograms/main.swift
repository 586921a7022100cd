// SwiftPM builds one product or target at a time. This empty program depends on both programs, so that one run builds
// both.
