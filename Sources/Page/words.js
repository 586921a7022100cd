// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat("en");
const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function count(number) {
    return whole.format(Math.round(number ?? 0));
}

export function rate(number) {
    return number >= 100 ? count(number) : tenths.format(number ?? 0);
}

// counted(1, "photo") is "1 photo", counted(3, "photo") "3 photos".
export function counted(number, noun, plural = `${noun}s`) {
    return `${count(number)} ${number === 1 ? noun : plural}`;
}

export function bytes(number) {
    if (number === null || number === undefined) return "–";
    const units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let at = 0;
    let left = number;
    while (left >= 999.5 && at < units.length - 1) {
        left /= 1000;
        at += 1;
    }
    return `${at === 0 || left >= 99.5 ? count(left) : tenths.format(left)} ${units[at]}`;
}

export function duration(seconds) {
    if (seconds === null || seconds === undefined) return "–";
    const total = Math.max(0, Math.round(seconds));
    if (total < 60) return `${total} s`;
    if (total < 3600) return `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, "0")} s`;
    if (total < 172_800) return `${Math.floor(total / 3600)} h ${String(Math.floor((total % 3600) / 60)).padStart(2, "0")} min`;
    return `${Math.floor(total / 86_400)} days ${Math.floor((total % 86_400) / 3600)} h`;
}

export function milliseconds(value) {
    if (value === null || value === undefined) return "–";
    if (value >= 10_000) return `${tenths.format(value / 1000)} s`;
    return `${value >= 100 ? count(value) : tenths.format(value)} ms`;
}

const two = (number) => String(number).padStart(2, "0");

export function clock(time) {
    const date = new Date(time);
    return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

// A moment in the reader's zone, in the form of a photo's own time: 2026-11-29 14:36.
export function moment(text) {
    if (!text) return "–";
    const date = new Date(text);
    if (Number.isNaN(date.getTime())) return text;
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(date)}`;
}

// A photo's own time has no zone: it is shown as the camera wrote it.
export function captured(text) {
    return text ? text.slice(0, 16).replace("T", " ") : "no date";
}

export function ago(text) {
    if (!text) return "never";
    const seconds = Math.max(0, (Date.now() - new Date(text).getTime()) / 1000);
    return seconds < 2 ? "just now" : `${duration(seconds)} ago`;
}

// velvet@1 is "velvet" for reading.
export function lookName(reference) {
    return (reference ?? "").replace(/@\d+$/, "");
}

export function megapixels(photo) {
    return tenths.format((photo.width * photo.height) / 1e6);
}

// Stars of a rating; a cross for a rejected photo, nothing where there are none.
export function stars(rating) {
    return rating === -1 ? "✗" : "★".repeat(Math.max(0, rating ?? 0));
}

export function ratingName(rating) {
    return rating === -1 ? "rejected" : rating > 0 ? counted(rating, "star") : "";
}
