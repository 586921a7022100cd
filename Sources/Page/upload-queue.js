// The files that are on their way to Rawmill, three at a time and in order. They continue on every screen.

import { isAbort, post, request } from "./api.js";
import { notice } from "./dialogs.js";
import { upload } from "./tus.js";

const atOnce = 3;
const tasks = [];
const drops = new Map();
const listeners = new Set();
let running = 0;
let waitingFor = 0;
let telling = null;

// Listeners are called at most five times a second.
function tell() {
    telling ??= setTimeout(() => {
        telling = null;
        for (const listener of listeners) listener();
    }, 200);
}

export function whenQueueChanges(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

export function queueState() {
    let total = 0;
    let finished = 0;
    for (const drop of drops.values()) {
        total += drop.files.length;
        finished += drop.finished;
    }
    return { total, finished, waiting: waitingFor > 0 && waitingFor >= running };
}

export function localDrop(id) {
    return drops.get(id);
}

// The server shows placeholders by them, also to those who look from elsewhere, and after this page was left.
function namesOf(files) {
    if (files.length > 10_000) return {};
    const names = files.map(({ file, path, name }) => [path, name ?? file?.name ?? "?"].filter(Boolean).join("/"));
    return names.some((name) => name.length > 255) || names.join("").length > 1_000_000 ? {} : { names };
}

// files: [{ file, path, name, companions }]; a file that could not be read is null. Resolves to the drop's id.
export async function startDrop(files, { look, title }) {
    const { drop: id } = await post("/v1/drops", { files: files.length, look, title, ...namesOf(files) });
    const drop = {
        id, title, look, finished: 0, stopper: new AbortController(),
        files: files.map(({ file, path, name, companions }, index) => ({
            index, file, path, companions, name: name ?? file?.name ?? "?", size: file?.size ?? 0, sent: 0, state: "queued", message: null, upload: null,
        })),
    };
    drops.set(id, drop);
    for (const file of drop.files) tasks.push({ drop, file });
    tell();
    next();
    return id;
}

export function stopDrop(id) {
    const drop = drops.get(id);
    if (!drop) return;
    drop.stopper.abort();
    for (let at = tasks.length - 1; at >= 0; at -= 1) {
        if (tasks[at].drop !== drop) continue;
        finish(tasks[at], "stopped", "Not uploaded: you stopped the upload.");
        tasks.splice(at, 1);
    }
    // Uploads in progress stop; the server learns of the rest by this request.
    setTimeout(() => post(`/v1/drops/${encodeURIComponent(id)}/close`).catch(() => {}), 500);
}

function next() {
    while (running < atOnce && tasks.length > 0) {
        running += 1;
        run(tasks.shift()).finally(() => {
            running -= 1;
            next();
        });
    }
}

function finish({ drop, file }, state, message = null) {
    Object.assign(file, { state, message });
    // Of what is done nothing is held on to, so that thousands of files need no memory.
    file.file = null;
    file.companions = [];
    drop.finished += 1;
    tell();
}

async function run(task) {
    const { drop, file } = task;
    if (!file.file) {
        finish(task, "refused", "The file cannot be read. Check that the card or folder is connected and readable, then import it again.");
        return;
    }
    file.state = "uploading";
    let isWaiting = false;
    const waiting = (yes) => {
        if (yes !== isWaiting) waitingFor += yes ? 1 : -1;
        isWaiting = yes;
        file.waits = yes;
        tell();
    };
    try {
        for (const companion of file.companions) await sendCompanion(companion, file, drop, waiting);
        await upload(file.file, { filename: file.name, path: file.path, drop: drop.id, index: file.index }, {
            created: (id) => { file.upload = id; },
            progress: (bytes) => { file.sent = bytes; tell(); },
            waiting, signal: drop.stopper.signal,
        });
        file.sent = file.size;
        finish(task, "sent");
    } catch (error) {
        if (isAbort(error)) finish(task, "stopped", "Not uploaded: you stopped the upload.");
        else finish(task, "refused", [error.message, error.remedy].filter(Boolean).join(" "));
        if (file.upload) giveUp(file.upload);
    } finally {
        waiting(false);
    }
}

// What belongs to a RAW comes before it, so that it is there when the RAW is developed. The RAW goes on without what will not pass.
async function sendCompanion(companion, file, drop, waiting) {
    let id = null;
    try {
        await upload(companion, { filename: companion.name, path: file.path, drop: drop.id, index: file.index, companion: "yes" }, {
            created: (given) => { id = given; }, progress: () => {}, waiting, signal: drop.stopper.signal,
        });
    } catch (error) {
        if (id) giveUp(id);
        if (isAbort(error)) throw error;
        notice(`${companion.name} was not added to ${file.name}: ${error.message}`, { remedy: error.remedy });
    }
}

function giveUp(id) {
    request(`/v1/uploads/${id}`, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(() => {});
}

// Leaving while files are on their way asks first.
window.addEventListener("beforeunload", (event) => {
    const { total, finished } = queueState();
    if (finished < total) event.preventDefault();
});
