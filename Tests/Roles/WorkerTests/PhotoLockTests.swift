import Digest
import Jobs
import Manifests
import PictureFormat
import RenderJobs
import Samples
import Storage
import Testing

@testable import Worker

@Suite("Locks of jobs that write the same photo") struct PhotoLockTests {
    private func photo(_ number: UInt8) -> RenditionKey {
        RenditionKey(digest: SHA256Value(of: [number]), format: .jpeg)
    }

    @Test("One job has a photo's lock until it ends or is forgotten; other photos' jobs do not wait for it")
    func locks() {
        let locks = PhotoLocks()
        let first = PhotoLock(locks)
        var second: PhotoLock? = PhotoLock(locks)
        #expect(first.take(photo(1)) && first.take(photo(1)))
        #expect(second?.take(photo(1)) == false)
        #expect(PhotoLock(locks).take(photo(2)))
        first.end()
        #expect(second?.take(photo(1)) == true)
        #expect(!first.take(photo(1)))
        // Ended once, it releases no lock that another has by now.
        first.end()
        #expect(!first.take(photo(1)))
        second = nil
        #expect(first.take(photo(1)))
    }
}

extension ProcessTests {
    @Suite struct CopiesTests {
        @Test(
            "Of copies of one RAW that a worker has at the same time, one is developed, and its photo names the first of them"
        )
        func copies() async throws {
            let fixture = try await WorkerFixture()
            let bytes = Sample.dng(index: 1, size: Sample.size(megapixels: 0.1))
            let names = ["IMG_1.dng", "IMG_1 copy.dng", "IMG_1 (2).dng", "b/IMG_1.dng", "IMG_1 (3).dng", "a/IMG_1.dng"]
            try await fixture.submit(try names.map { try fixture.job(try fixture.put(bytes, at: $0)) })
            var settings = fixture.settings
            settings.render.reusesPhotos = true
            try await fixture.work(settings, until: hasEnded(names.count))
            let renditions = try await fixture.manifests().flatMap { manifest -> [Rendition] in
                #expect(manifest.attempts == 1)
                guard case .completed(let frames) = manifest.outcome else { return [] }
                return frames.renditions
            }
            #expect(renditions.count == names.count && Set(renditions.map(\.key)).count == 1)
            #expect(renditions.count { $0.reused == nil } == 1)
            let path = try #require(renditions.first).photo.path.bytes
            let digest = try fixture.library.digest(of: path).digest
            let shown = try #require(renditions.first { $0.photo.digest == digest })
            #expect(shown.original.file.path.description == "IMG_1 (2).dng")
        }
    }
}
