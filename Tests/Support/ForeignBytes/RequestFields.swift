#if DEBUG
    import Web
    @testable import WebService

    /// Fields of requests to the web service: of an upload, of a part of a file, of the host, of the user.
    struct RequestFields: ForeignReader {
        let name = "request-fields"

        func read(_ bytes: [UInt8]) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            _ = MachineName.isPrivate(Request(path: "/", headers: [.init("Host", text)]))
            if let range = FileResponse.range(text, of: 1000), let range { precondition(range.upperBound < 1000) }
            let attachment = FileResponse.attachment(text)
            precondition(attachment.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a field is printable ASCII")
            let access = AccessControl(hosts: [text], tokens: [.init(text, name: "somebody", role: .viewer)])
            for field in ["authorization", "cookie", "origin", "sec-fetch-site"] {
                let route = Route(
                    method: "POST", pattern: "/v1/things/{id}", access: .operator,
                    action: .answer(maxBodyBytes: 0) { _ in .text("") })
                let request = Request(
                    method: "POST", path: text, headers: [.init("Host", "a"), .init(field, text)])
                _ = try? access.client(of: request, with: route.access, isChange: route.isChange)
                _ = route.parameters(of: request.path.split(separator: "/"))
            }
            _ = try UploadRoutes.metadata(text)
        }
    }
#endif
