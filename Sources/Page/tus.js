// Uploads one file by tus 1.0 (https://tus.io/protocols/resumable-upload): creation, parts, and going on where it stopped.

import { APIError, isAbort, request } from "./api.js";

const partSize = 8 * 1024 * 1024;
const longestPause = 20_000;
// A line that went dead says nothing: who waits longer than this asks again where the upload stands.
const patience = 20_000;
const patienceForPart = 120_000;

function within(milliseconds, signal) {
    return AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
}

// base64 of a text's UTF-8 bytes.
export function base64(text) {
    return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

// metadata: { filename, path, drop, index, companion }. created(id), progress(bytes) and waiting(yes) tell how it goes.
// Resolves when the file is on the server's disk. Waits as long as the server is away; throws what will not pass.
export async function upload(file, metadata, { created, progress, waiting, signal }) {
    let address = null;
    let offset = 0;
    let pause = 500;
    let known = true;
    for (;;) {
        try {
            if (!address) {
                address = await create(file, metadata, signal);
                created(address.split("/").pop());
                offset = 0;
                known = true;
            } else if (!known) {
                offset = await offsetOf(address, signal);
                known = true;
            }
            waiting(false);
            if (file.size > 0 && offset >= file.size) return;
            do {
                offset = await sendPart(address, file, offset, signal);
                pause = 500;
                progress(offset);
            } while (offset < file.size);
            return;
        } catch (error) {
            if (isAbort(error)) throw error;
            // The upload is not known any more: it begins anew.
            if (address && (error.status === 404 || error.status === 410)) {
                address = null;
                continue;
            }
            const conflict = error.status === 409 || error.status === 423;
            if (!conflict && !(error instanceof APIError && error.passes)) throw error;
            known = address === null;
            if (!conflict || pause > 500) waiting(true);
            await rest(error.retryAfter ? error.retryAfter * 1000 : pause * (0.75 + Math.random() / 2), signal);
            pause = Math.min(pause * 2, longestPause);
        }
    }
}

async function create(file, metadata, signal) {
    const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${base64(String(value))}`.trim());
    const response = await request("/v1/uploads", {
        method: "POST", signal: within(patience, signal),
        headers: { "Tus-Resumable": "1.0.0", "Upload-Length": String(file.size), "Upload-Metadata": pairs.join(",") },
    });
    const location = response.headers.get("Location");
    if (!location) throw new APIError(502, { code: "no-location", message: "The server accepted the upload but returned no address." });
    return new URL(location, window.location.href).pathname;
}

async function offsetOf(address, signal) {
    const response = await request(address, { method: "HEAD", signal: within(patience, signal), headers: { "Tus-Resumable": "1.0.0" } });
    return Number(response.headers.get("Upload-Offset"));
}

// A part of the file is read from the disk by the browser while it is sent, so memory stays as it is.
async function sendPart(address, file, offset, signal) {
    const body = file.slice(offset, offset + partSize);
    if (body.size > 0) await readable(body);
    const response = await request(address, {
        method: "PATCH", signal: within(patienceForPart, signal), body,
        headers: { "Tus-Resumable": "1.0.0", "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
    });
    const next = Number(response.headers.get("Upload-Offset"));
    return Number.isFinite(next) && next > offset ? next : offset + body.size;
}

// A file that is gone, or may not be read, looks to fetch like a server that is away: so its first byte is read here.
async function readable(part) {
    try {
        await part.slice(0, 1).arrayBuffer();
    } catch {
        throw new APIError(400, {
            code: "unreadable", message: "The file cannot be read any more.", remedy: "Check that the card or folder is connected, then import the file again.",
        });
    }
}

function rest(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(new DOMException("stopped", "AbortError"));
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}
