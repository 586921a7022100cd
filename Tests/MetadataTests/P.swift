import Testing
struct Placeholder {}
