import Storage
import Testing

@Suite struct MarkerFolderTests {
    let scratch = try! Scratch()
    let one = [UInt8]("one")

    private func folder() throws -> MarkerFolder { try MarkerFolder([UInt8]("above/m"), in: scratch.root) }

    @Test("A marker is made once, whoever makes it")
    func once() throws {
        let (mine, others) = (try folder(), try folder())
        #expect(try mine.create(one))
        #expect(try !mine.create(one) && !others.create(one))
        #expect(try others.contains(one))
        #expect(try others.remove(one))
        #expect(try !mine.remove(one) && !mine.contains(one))
        #expect(try mine.create(one, isDurable: false))
        #expect(try mine.names() == [one])
        #expect(try scratch.names(in: "above") == ["m", "m.mark"])
    }

    @Test("Markers go on when somebody removes the file they are names of")
    func markIsGone() throws {
        let folder = try folder()
        #expect(try folder.create(one))
        try scratch.root.remove([UInt8]("above/m.mark"))
        #expect(try folder.create([UInt8]("two")))
        #expect(try folder.contains(one))
    }

    @Test("More markers than a file may have names are files of their own")
    func many() throws {
        let folder = try folder()
        // ext4 gives a file 65,000 names.
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
