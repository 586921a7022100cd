@main
struct RawmillProgram {
    static func main() {}
}
