// Speaks to Rawmill's HTTP interface. Every failure is an APIError with a sentence and a remedy.

export class APIError extends Error {
    constructor(status, { code = "unknown", message = "Rawmill returned no error message.", remedy = "", column = null } = {},
        retryAfter = null) {
        super(message);
        this.name = "APIError";
        Object.assign(this, { status, code, remedy, column, retryAfter });
    }

    // Whether the same request may work later: the server is away, busy, or had a mishap.
    get passes() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

const signIn = new EventTarget();

// Calls back whenever the server asks who we are.
export function whenAsked(callback) {
    signIn.addEventListener("asked", callback);
}

export function isAbort(error) {
    return error?.name === "AbortError";
}

// Sends a request and returns the response, or throws an APIError. An abort is thrown as it is.
export async function request(path, { method = "GET", headers = {}, body, signal } = {}) {
    const all = method === "GET" || method === "HEAD" ? headers : { "X-Rawmill": "1", ...headers };
    let response;
    try {
        response = await fetch(path, { method, headers: all, body, signal, credentials: "same-origin" });
    } catch (error) {
        if (isAbort(error)) throw error;
        throw new APIError(0, {
            code: "no-answer", message: "Rawmill does not respond.",
            remedy: "Check that `rawmill serve` is running. This page reconnects automatically.",
        });
    }
    if (response.ok) return response;
    if (response.status === 401 && path !== "/v1/session") signIn.dispatchEvent(new Event("asked"));
    throw new APIError(response.status, await errorOf(response), Number(response.headers.get("Retry-After")) || null);
}

async function errorOf(response) {
    try {
        return (await response.json()).error ?? {};
    } catch {
        return { code: "unknown", message: `Rawmill answered with status ${response.status}.`, remedy: "Check its log." };
    }
}

export async function get(path, signal) {
    return (await request(path, { signal })).json();
}

export async function post(path, value = {}, signal) {
    const response = await request(path, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value), signal,
    });
    return response.status === 204 ? {} : response.json();
}

// ?a=1&b=2 of what has a value.
export function query(values) {
    const text = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
        if (value !== null && value !== undefined && value !== "") text.set(name, value);
    }
    const joined = text.toString();
    return joined ? `?${joined}` : "";
}

export const object = (photo, kind, values = {}) => `/v1/objects/${encodeURIComponent(photo)}/${kind}${query(values)}`;
