// Server-sent events, with one connection for the whole page.

const hub = new EventTarget();
const kinds = ["now", "photo", "failed", "batches", "drop", "edit", "library"];
let source = null;
let pause = 1000;
let timer = null;
let lost = false;

// Listens to a kind of event until the returned function is called. "connection" tells true or
// false, "again" that the connection is back.
export function listen(kind, callback) {
    const heard = (event) => callback(event.detail);
    hub.addEventListener(kind, heard);
    return () => hub.removeEventListener(kind, heard);
}

function tell(kind, detail) {
    hub.dispatchEvent(new CustomEvent(kind, { detail }));
}

// A browser has six connections to a server, for all tabs together, and those of pages that were left but may come back count, too.
// So this page has its own only while it is seen; what happened meanwhile is read then.
export function connect() {
    document.addEventListener("visibilitychange", () => (document.hidden ? rest() : open()));
    window.addEventListener("pagehide", rest);
    window.addEventListener("pageshow", (event) => event.persisted && open());
    if (!document.hidden) open();
}

function rest() {
    clearTimeout(timer);
    source?.close();
    source = null;
    lost = true;
}

function open() {
    clearTimeout(timer);
    source?.close();
    const mine = source = new EventSource("/v1/events");
    source.addEventListener("open", () => {
        pause = 1000;
        tell("connection", true);
        // What happened meanwhile is read again.
        if (lost) for (const kind of ["batches", "library", "again"]) tell(kind, {});
        lost = false;
    });
    source.addEventListener("error", () => {
        if (mine !== source) return;
        lost = true;
        tell("connection", false);
        // The browser reconnects automatically unless the server refused.
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(open, pause);
        pause = Math.min(pause * 2, 15_000);
    });
    for (const kind of kinds) {
        source.addEventListener(kind, (event) => {
            let detail;
            try {
                detail = JSON.parse(event.data || "{}");
            } catch {
                return;
            }
            tell(kind, detail);
        });
    }
}

// Calls `work` at most once every `wait` milliseconds (a number, or a function that tells it), however often it is asked, and never
// beside itself.
export function calmly(work, wait) {
    let due = null;
    let busy = false;
    let again = false;
    const run = async () => {
        due = null;
        busy = true;
        try {
            await work();
        } catch (error) {
            if (error?.name !== "AbortError" && error?.status === undefined) console.error(error);
        } finally {
            busy = false;
            if (again) {
                again = false;
                ask();
            }
        }
    };
    const ask = () => {
        if (busy) again = true;
        else due ??= setTimeout(run, typeof wait === "function" ? wait() : wait);
    };
    ask.stop = () => {
        clearTimeout(due);
        due = null;
        again = false;
    };
    return ask;
}
