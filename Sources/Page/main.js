// Starts the page, and shows the screen that the address names.

import { get, whenAsked } from "./api.js";
import { counted } from "./words.js";
import { element, errorState, replace } from "./elements.js";
import { followEdits } from "./edits.js";
import { connect, listen } from "./events.js";
import { listenToKeys, setKeys } from "./keys.js";
import { askForToken, mayChange, openSession, session } from "./session.js";
import { queueState, whenQueueChanges } from "./upload-queue.js";
import { showAlbums } from "./albums.js";
import { showBatches } from "./batches.js";
import { acceptDropsAnywhere, showDrop } from "./drop.js";
import { showFailures } from "./failures.js";
import { showGallery } from "./gallery.js";
import { showLooks } from "./looks.js";
import { showNow } from "./now.js";
import { showPhoto } from "./photo.js";
import { showWorkers } from "./workers.js";

// Each shows itself in `place`, and returns { close(), follow?(route) }: follow takes a change of address on the same screen.
const screens = {
    now: showNow, batches: showBatches, failures: showFailures, workers: showWorkers, gallery: showGallery,
    photo: showPhoto, looks: showLooks, drop: showDrop, albums: showAlbums,
};

const place = document.getElementById("screen");
let shown = null;

// #/photo/ID?x=1 → { name: "photo", argument: "ID", values: { x: "1" } }
function readRoute() {
    const [path, rest = ""] = location.hash.replace(/^#\/?/, "").split("?");
    const [name, ...argument] = path.split("/");
    let decoded = argument.join("/");
    try {
        decoded = decodeURIComponent(decoded);
    } catch {
        // A broken address names what it names.
    }
    return { name: screens[name] ? name : "now", argument: decoded, values: Object.fromEntries(new URLSearchParams(rest)) };
}

// For an address without a screen: the work while there is some, else the photos, and of an empty library where to drop some.
async function firstScreen() {
    try {
        if ((await get("/v1/now")).state !== "idle") return "now";
        if ((await get("/v1/photos?offset=0&limit=1")).photos.length > 0) return "gallery";
        return mayChange() && session().canConvert ? "drop" : "now";
    } catch {
        return "now";
    }
}

async function follow() {
    if (location.hash === "#screen") return;
    const route = readRoute();
    if (shown?.route.name === route.name && shown.screen?.follow?.(route) === true) {
        shown.route = route;
        return;
    }
    const first = shown === null;
    shown?.screen?.close?.();
    shown = { route, screen: null };
    const mine = shown;
    setKeys("", []);
    document.body.dataset.screen = route.name;
    markScreen(route.name);
    const box = element("div", { class: `screen screen-${route.name}` });
    replace(place, box);
    try {
        const screen = await screens[route.name](box, route);
        if (shown === mine) mine.screen = screen;
        else screen?.close?.();
    } catch (error) {
        if (error?.status === undefined) console.error(error);
        if (shown === mine) replace(box, errorState(error, restart));
    }
    if (!first && shown === mine && !place.contains(document.activeElement)) place.focus({ preventScroll: true });
}

function restart() {
    shown?.screen?.close?.();
    shown = null;
    follow();
}

function markScreen(name) {
    const at = { photo: "gallery" }[name] ?? name;
    for (const link of document.querySelectorAll("#screens a")) {
        if (link.getAttribute("href") === `#/${at}`) {
            link.setAttribute("aria-current", "page");
            // In a narrow window the current screen's name is to be seen.
            link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.offsetLeft - 40;
        } else link.removeAttribute("aria-current");
    }
    const title = { drop: "import" }[name] ?? name;
    document.title = `${title[0].toUpperCase()}${title.slice(1)} · Rawmill`;
}

function showConnection() {
    const strip = document.getElementById("connection");
    let timer = null;
    listen("connection", (there) => {
        if (there) {
            clearTimeout(timer);
            timer = null;
            strip.hidden = true;
        } else {
            // Each try that fails tells again: the first counts.
            timer ??= setTimeout(() => {
                strip.textContent = "Rawmill does not respond. Check that rawmill serve is running; this page reconnects automatically.";
                strip.hidden = false;
            }, 2500);
        }
    });
}

function showQueue() {
    const pill = document.getElementById("uploading");
    whenQueueChanges(() => {
        const { total, finished, waiting } = queueState();
        pill.hidden = total === finished;
        pill.textContent = waiting ? "Waiting for Rawmill…" : `Uploading ${finished} of ${counted(total, "file")}`;
    });
}

async function start() {
    listenToKeys();
    showQueue();
    try {
        await openSession();
    } catch (error) {
        replace(place, errorState(error, () => location.reload()));
        return;
    }
    document.getElementById("library").textContent = session().library;
    document.body.dataset.role = session().role;
    whenAsked(async () => {
        await askForToken();
        location.reload();
    });
    showConnection();
    acceptDropsAnywhere();
    if (!location.hash) history.replaceState(null, "", `#/${await firstScreen()}`);
    window.addEventListener("hashchange", follow);
    follow();
    followEdits();
    connect();
}

start();
