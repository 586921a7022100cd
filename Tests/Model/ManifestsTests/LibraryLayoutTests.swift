import Digest
import Jobs
import Manifests
import PictureFormat
import Testing

@Suite("The library's layout") struct LibraryLayoutTests {
    let digest = SHA256Value(of: Array("abc".utf8))

    @Test("A rendition is in folders named by the first two bytes of its key")
    func photo() {
        for format in PhotoFormat.allCases {
            #expect(
                LibraryLayout.photo(RenditionKey(digest: digest, format: format)).description
                    == "objects/ba/78/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad."
                    + format.fileExtension)
        }
    }

    @Test("A RAW keeps its extension if it is a plain one", arguments: ["CR2", "../x", "", "a.b", "é"])
    func original(fileExtension: String) {
        let path = LibraryLayout.original(digest, fileExtension: fileExtension).description
        #expect(path.hasSuffix(fileExtension == "CR2" ? ".CR2" : ".raw"))
    }
}
