import Storage
import Testing

@Suite struct MarkerFolderTests {
    let temporary: TemporaryRoot
    let one = [UInt8]("one")

    init() throws { temporary = try TemporaryRoot() }

    private func folder() throws -> MarkerFolder { try MarkerFolder([UInt8]("above/m"), in: temporary.root) }

    @Test("A marker is created once, whichever object creates it")
    func once() throws {
        let (mine, others) = (try folder(), try folder())
        #expect(try mine.create(one))
        #expect(try !mine.create(one) && !others.create(one))
        #expect(try others.contains(one))
        #expect(try others.remove(one))
        #expect(try !mine.remove(one) && !mine.contains(one))
        #expect(try mine.create(one, isDurable: false))
        #expect(try mine.names() == [one])
        #expect(try temporary.names(in: "above") == ["m", "m.mark"])
    }

    @Test("Markers still work after their common file was removed")
    func markIsGone() throws {
        let folder = try folder()
        #expect(try folder.create(one))
        try temporary.root.remove([UInt8]("above/m.mark"))
        #expect(try folder.create([UInt8]("two")))
        #expect(try folder.contains(one))
    }

    @Test("Markers beyond the maximum number of names of a file are separate files")
    func many() throws {
        let folder = try folder()
        // ext4 allows 65,000 names per file.
        let names = (0..<66_000).map { [UInt8]("\($0)") }
        for name in names { #expect(try folder.create(name, isDurable: false)) }
        #expect(try !folder.create(names[65_999], isDurable: false))
        #expect(try folder.names().count == names.count)
    }

    @Test("No name leads out of the folder")
    func namesOfElsewhere() throws {
        let folder = try folder()
        for name in ["", ".", "..", "../out", "a/b", "a\0b"] {
            #expect(kind { _ = try folder.create([UInt8](name)) } == .badPath)
            #expect(kind { _ = try folder.contains([UInt8](name)) } == .badPath)
            #expect(kind { _ = try folder.remove([UInt8](name)) } == .badPath)
        }
        #expect(try folder.names().isEmpty)
    }
}
