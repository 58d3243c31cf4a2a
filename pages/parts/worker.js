"use strict";

// Keeps for reading offline what the server wrote: visited pages; and for whom it is asked, all that is to come as one
// document, with each day as its page and its timetable. Of the API and the back office nothing. SETTINGS is defined
// before it by the server: the static files of this version, addresses and words.

const PAGES = "pages-2";
const PARTS = "parts-1";
const STARRED = "starred-1";
const PICTURES = "pictures-1";
// A phone's share: the oldest go first. Stylesheets of earlier versions stay for the pages that name them.
const MAX_PAGES = 80;
const MAX_PARTS = 24;
const MAX_STARRED = 60;
// Bytes: of a picture, and of the document as it is sent, compressed.
const MAX_PICTURE = 1e6;
const MAX_DOCUMENT = 1e6;
// Milliseconds until a stored page is shown instead of one that the network does not send, and one that says so.
const TIMEOUT = 4000;
const LATE = 15000;
// A page stored within this time is not prefetched again.
const FRESH = 15 * 60 * 1000;
const FRESH_STARRED = 6 * 60 * 60 * 1000;
const STORED_AT = "x-kept-at";
const NOT_STORED = /^\/(admin|api|media|my-list|sw\.js)(\/|$)/;
const OCCASION = /^\/(tillfalle|en\/occasion)\/\d+$/;
const EMBEDDED = /^\/(lista|en\/list)$/;
const SPARED = [...Object.values(SETTINGS.offline), ...Object.values(SETTINGS.everything)];

self.addEventListener("install", (event) => {
    const pages = Object.values(SETTINGS.offline);
    event.waitUntil(
        Promise.all([
            caches
                .open(PARTS)
                .then((cache) =>
                    cache.addAll(SETTINGS.parts.map((url) => new Request(url, { cache: "no-cache" }))),
                ),
            ...pages.map((url) => askForPage(url).then((response) => store(url, response))),
        ]).then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        (async () => {
            for (const name of await caches.keys())
                if (![PAGES, PARTS, STARRED, PICTURES].includes(name)) await caches.delete(name);
            await trim(PARTS, MAX_PARTS);
            await self.clients.claim();
        })(),
    );
});

self.addEventListener("fetch", (event) => {
    const { request } = event,
        url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (url.pathname.startsWith("/media/"))
        event.respondWith(
            ask(request).catch(async () => (await find(PICTURES, request)) ?? Response.error()),
        );
    if (NOT_STORED.test(url.pathname)) return;
    if (request.mode === "navigate" && !EMBEDDED.test(url.pathname))
        event.respondWith(respondWithPage(event, url));
    else if (url.pathname.startsWith("/static/pages/")) event.respondWith(respondWithPart(event));
});

// One after the other, so that the last request is what stays.
let prefetching = Promise.resolve();
self.addEventListener("message", (event) => {
    const { keep = [], starred, language, everything } = event.data ?? {};
    const pages = keep.map((path) => new URL(path, location.origin)).filter(isPage);
    prefetching = prefetching
        .then(() => prefetch(pages.slice(0, MAX_PAGES / 2).map(key), FRESH))
        .then(() => starred && keepStarred(starred, language))
        .then(() => everything && keepEverything(SETTINGS.everything[language]))
        .then(() => "")
        .catch(() => SETTINGS.notices[language].full);
    // Who asks for all of it is told where there is no room.
    event.waitUntil(prefetching.then((said) => everything && event.source?.postMessage(said)));
});

const isHtml = ({ headers }) => /^text\/html/.test(headers.get("Content-Type"));
const isPage = (url) => url.origin === location.origin && !NOT_STORED.test(url.pathname);
const key = (url) => url.pathname + url.search;

/** Return what is there; fails where the service does not answer, as a proxy does for it. */
async function ask(request, options) {
    const response = await fetch(request, options);
    if (!response.ok) throw new Error(`${response.status} ${response.url}`);
    return response;
}

// A page of the service has its policy: what a proxy or the portal of a network says instead has not. Where it leads
// elsewhere nobody sees from here.
async function askForPage(request) {
    const response = await fetch(request);
    const { headers, ok, status, type, url } = response;
    const isOurs = headers.get("Content-Security-Policy")?.includes("worker-src 'self'");
    const isFile = (ok || type === "opaqueredirect") && !isHtml(response);
    if (status >= 500 || !(isOurs || isFile)) throw new Error(`${status} ${url}`);
    return response;
}

// A storage that cannot be opened holds nothing.
const find = async (name, request, options) =>
    (await caches.open(name).catch(() => null))?.match(request, options).catch(() => null);

const wait = (time) => new Promise((_, late) => setTimeout(late, time));

// Pages come from the network, or from the cache where the network is silent for too long.
async function respondWithPage(event, url) {
    // Trackers change no occasion's page.
    const ignoreSearch = OCCASION.test(url.pathname);
    const fetched = askForPage(event.request);
    const starred = await find(STARRED, key(url), { ignoreSearch });
    const stored = starred ?? (await find(PAGES, key(url), { ignoreSearch }));
    const copied = fetched.then((response) => response.clone());
    event.waitUntil(copied.then((copy) => store(key(url), copy, starred ? STARRED : PAGES)).catch(() => {}));
    try {
        const response = await Promise.race([fetched, wait(stored ? TIMEOUT : LATE)]);
        if (response.type !== "opaqueredirect" || !stored) return response;
    } catch {
        // What is stored is shown.
    }
    const language = url.pathname.startsWith("/en/") ? "en" : "sv";
    if (stored) return markAsStored(stored, language);
    return (await find(PAGES, SETTINGS.offline[language])) ?? (await fetch(event.request));
}

// A stored page says so, and of when it is.
async function markAsStored(stored, language) {
    const style = { dateStyle: "full", timeStyle: "short", timeZone: SETTINGS.zone };
    const when = new Date(+stored.headers.get(STORED_AT)).toLocaleString(SETTINGS.locale[language], style);
    const notice = `<p class="notice offline" role="status">${SETTINGS.notices[language].kept.replace("{}", when)}</p>`;
    // Of a picture's sizes one is stored.
    const text = (await stored.text())
        .replace(/<main[^>]*>/, (main) => main + notice)
        .replace(/\ssrcset="[^"]*"/g, "");
    return new Response(text, { headers: stored.headers });
}

async function store(path, response, name = PAGES) {
    if (response.status !== 200 || response.redirected || !isHtml(response)) return;
    const headers = new Headers(response.headers);
    headers.set(STORED_AT, Date.now());
    for (const each of ["Content-Encoding", "Content-Length"]) headers.delete(each);
    const cache = await caches.open(name);
    const body = await response.blob();
    // The newest page comes last, and there is one of my programme.
    const pathname = path.split("?")[0];
    if (SETTINGS.mine.includes(pathname)) await cache.delete(pathname, { ignoreSearch: true });
    await cache.delete(path);
    await cache.put(path, new Response(body, { headers }));
    if (name === STARRED || SETTINGS.practical.includes(path)) await keepPictures(await body.text());
    if (name === PAGES) await trim(PAGES, MAX_PAGES, SPARED);
}

const isFresh = (stored, time) => stored && Date.now() - stored.headers.get(STORED_AT) < time;

// One after the other, so that what somebody waits for comes first.
async function prefetch(paths, time, name = PAGES) {
    const cache = await caches.open(name);
    for (const path of paths)
        if (!isFresh(await cache.match(path), time)) await store(path, await askForPage(path), name);
}

async function keepStarred(ids, language) {
    const paths = ids
        .slice(-MAX_STARRED)
        .map((id) => (language === "en" ? "/en/occasion/" : "/tillfalle/") + id);
    const cache = await caches.open(STARRED);
    for (const { url } of await cache.keys())
        if (!paths.includes(new URL(url).pathname)) await cache.delete(url);
    await prefetch(paths, FRESH_STARRED, STARRED);
}

async function keepPictures(page) {
    const cache = await caches.open(PICTURES);
    for (const [, src] of page.matchAll(/<img[^>]*\ssrc="([^"]+)"/g)) {
        const url = new URL(src.replaceAll("&amp;", "&"), location.origin);
        if (url.origin !== location.origin || !url.pathname.startsWith("/media/")) continue;
        if (await cache.match(url)) continue;
        const response = await ask(url).catch(() => null);
        if (response?.headers.get("Content-Length") < MAX_PICTURE) await cache.put(url, response);
    }
    await trim(PICTURES, MAX_STARRED);
}

// With the pages that the document names; without a document that is too large, only what is visited is kept.
async function keepEverything(path) {
    if (isFresh(await find(PAGES, path), FRESH)) return;
    const response = await askForPage(path);
    if (+response.headers.get("Content-Length") > MAX_DOCUMENT) throw new Error(`${path} is too large`);
    const text = await response.clone().text();
    await store(path, response);
    const [, kept = ""] = text.match(/data-days="([^"]*)"/) ?? [];
    const paths = kept.replaceAll("&amp;", "&").split(" ").filter(Boolean);
    await prefetch(paths.slice(0, MAX_PAGES / 2), FRESH);
}

// Named by their content, parts never change; under plain names (in development) the network goes first.
async function respondWithPart(event) {
    const { request } = event;
    const stored = await find(PARTS, request);
    if (stored && SETTINGS.named_by_content) return stored;
    try {
        const response = await ask(request);
        // Where there is no room, the network's answer is shown all the same.
        const [copy, cache] = [response.clone(), caches.open(PARTS)];
        event.waitUntil(cache.then((parts) => parts.put(request, copy)).catch(() => {}));
        return response;
    } catch {
        return stored ?? Response.error();
    }
}

async function trim(name, most, spared = []) {
    const cache = await caches.open(name);
    const keys = (await cache.keys()).filter((each) => !spared.includes(new URL(each.url).pathname));
    for (const each of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(each);
}
