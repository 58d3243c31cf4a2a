// What pages do beyond HTML; none needs it: stars, sharing, copying, clean addresses, the present, offline.

import { attempt, read, write } from "./storage.js";

const STORED = "my-programme";
const LIST = "my-list";
// Cloned, because a day may have six hundred.
const STAR = document.createElement("button");
STAR.type = "button";
STAR.className = "star";
STAR.innerHTML =
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m12 3.2 2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1-4.4-4.3 6.1-.9z"/></svg>';

const words = document.querySelector("script[data-mine]").dataset;
const here = location.pathname + location.search;
const all = (selector) => [...document.querySelectorAll(selector)];
const mine = document.querySelector("main [data-mine]");
const shown = mine ? mine.dataset.mine.split(".").filter(Boolean).map(Number) : [];

// --- Stars: the IDs of occasions, stored in this browser

const readStars = () => new Set(read(STORED));

const addressOf = (ids) =>
    words.mine + (ids.size ? `?occation=${[...ids].sort((a, b) => a - b).join(".")}` : "");

const isOwn = mine !== null && here === addressOf(readStars());

function storeStars(ids) {
    write(STORED, [...ids]);
    // What is told from now on is new (my-news.js).
    attempt(() => (localStorage["news-seen"] ??= new Date().toISOString()));
    showStars();
    keepOffline([addressOf(ids)]);
    navigator.storage?.persist?.();
    followStars(true);
}

function addStar(element) {
    if (element.querySelector(":scope > .star")) return;
    const link = element.matches(".o") ? element.querySelector("a") : null;
    const button = STAR.cloneNode(true);
    button.dataset.star = element.dataset.o;
    if (link) button.setAttribute("aria-label", words.titled.replace("{}", link.textContent));
    else button.append(words.star);
    element.append(button);
}

function showStars() {
    const ids = readStars();
    const hasAll = shown.every((id) => ids.has(id));
    for (const star of all(".star")) {
        const isStarred = ids.has(Number(star.dataset.star));
        const { starred } = star.parentElement.dataset;
        star.setAttribute("aria-pressed", isStarred);
        if (starred) star.lastChild.data = isStarred ? starred : words.star;
    }
    for (const link of all(`header nav a[href="${words.mine}"]`)) {
        link.dataset.count = ids.size || "";
        link.setAttribute("aria-label", link.textContent + (ids.size ? ` (${ids.size})` : ""));
    }
    for (const each of all("[data-others]")) each.hidden = isOwn || hasAll;
    for (const each of all("[data-stale]")) each.hidden = !isOwn || here === addressOf(ids);
    for (const each of all("[data-drop]")) each.hidden = !isOwn;
}

// --- The list that the service keeps for those who have asked for it (my-list.js)

let list = null;

async function followStars(isChanged) {
    try {
        if (!document.getElementById("following") && !read(LIST)) return;
        list ??= import(words.list);
        (await list).follow({ readStars, announce, isOwn }, isChanged);
    } catch {
        // It could not be fetched: the next page sends what has changed.
        list = null;
    }
}

// --- Copying and sharing

const toast = document.createElement("p");
toast.setAttribute("role", "status");
toast.className = "toast";
let toastTimer = 0;

function announce(text) {
    toast.textContent = text;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => toast.replaceChildren(), 4000);
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        prompt("", text);
    }
}

async function share(url) {
    if (navigator.share) await navigator.share({ title: document.title, url }).catch(() => {});
    else await copy(url).then(() => announce(words.shared));
}

document.addEventListener("click", async ({ target }) => {
    const data = target.closest("button")?.dataset;
    if (!data) return;
    const ids = readStars();
    if (data.star) {
        if (!ids.delete(Number(data.star))) ids.add(Number(data.star));
        storeStars(ids);
    } else if (data.copy) {
        await copy(document.getElementById(data.copy).value);
        announce(words.copied);
    } else if ("share" in data) {
        share(new URL(data.share || here, location).href);
    } else if (data.offline) {
        write(VISITS, 2);
        worker.onmessage = (answer) => announce(answer.data || data.offline);
        keepOffline([here, addressOf(ids)]);
    } else if ("take" in data) {
        storeStars(new Set([...ids, ...shown]));
        announce(words.taken);
    } else if ("drop" in data) {
        storeStars(new Set(shown));
        location.replace(addressOf(new Set(shown)));
    }
});
addEventListener("storage", showStars);
document.addEventListener("rows", () => enhance());

// --- Forms: nothing empty in addresses; parts of the page follow each change of a form with [data-live], and the
// address, unless another one is asked with [data-also]

document.addEventListener("formdata", ({ formData }) => {
    for (const name of new Set(formData.keys())) {
        const values = formData.getAll(name).filter(Boolean);
        formData.delete(name);
        for (const value of values) formData.append(name, value);
    }
});

let latest = null;

function showResults(form, page, url) {
    const { name, value } = document.activeElement;
    for (const id of form.dataset.live.split(" ")) {
        document.getElementById(id).replaceWith(page.getElementById(id));
    }
    // Who was in a list that is replaced stays in it.
    if (document.activeElement === document.body)
        [...form].find((each) => each.name === name && each.value === value)?.focus();
    if (form.dataset.also) return;
    history.replaceState(null, "", url);
    for (const link of all(".twin")) link.href = page.querySelector(".twin").getAttribute("href");
    enhance();
    announce(document.querySelector(".total").textContent);
}

document.addEventListener("change", async ({ target: { form } }) => {
    if (!form?.dataset.live) return;
    const query = new URLSearchParams(new FormData(form)) + (form.dataset.also ?? "");
    const url = form.action + (query && `?${query}`);
    latest = url;
    const response = await fetch(url).catch(() => null);
    const text = response?.ok && (await response.text().catch(() => ""));
    if (text && latest === url) {
        showResults(form, new DOMParser().parseFromString(text, "text/html"), url);
    } else if (response && latest === url && !form.dataset.also) location.assign(url);
});

// --- The chosen day is scrolled to

const tabs = document.querySelector("nav.days");
const day = tabs?.querySelector("[aria-current]");
if (day) tabs.scrollLeft = day.offsetLeft - (tabs.clientWidth - day.clientWidth) / 2;

// --- A page that lies open stays true: it is loaded again when the clock has changed it, and on coming back to it

const opened = Date.now();
const until = Date.parse(words.until) + Math.random() * 20000;
let left = opened;

function reload() {
    const isTyping = document.activeElement.matches("input, select, textarea, .filters :is(summary, button)");
    if (!document.hidden && navigator.onLine && !isTyping) location.reload();
}

// If it has passed, the device's clock is fast.
if (until > opened) setInterval(() => Date.now() > until && reload(), 5000);
document.addEventListener("visibilitychange", () => {
    if (document.hidden) left = Date.now();
    else if (Date.now() - left > 60000) reload();
});
addEventListener("pageshow", (event) => event.persisted && reload());

// --- Offline once visited

const worker = navigator.serviceWorker;
const isSaving = navigator.connection?.saveData;
const VISITS = "visits";

async function keepOffline(keep) {
    const starred = [...readStars()];
    const { lang: language } = document.documentElement;
    const everything = !isSaving && read(VISITS) > 1;
    (await worker?.ready)?.active.postMessage({ keep, starred, language, everything });
}

if (!read(VISITS, "sessionStorage")) write(VISITS, read(VISITS) + 1);
write(VISITS, 1, "sessionStorage");
for (const each of all("[data-offline]")) each.hidden = !worker;

addEventListener("load", () => {
    worker?.register("/sw.js").catch(() => {});
    keepOffline([here, ...all(isSaving ? "x" : "[data-keep]").map((each) => each.pathname)]);
});

function enhance() {
    // What is over in another edition is not planned any more.
    all("body:not(.past) [data-o]").forEach(addStar);
    for (const each of all("[data-share], [data-copy]")) each.hidden = false;
    showStars();
}

// --- A dead address of a picture shows nothing of itself

const drop = (img) => (img.closest("figure") ?? img).replaceWith(img.closest(".brand") ? img.alt : "");
addEventListener("error", ({ target }) => target.matches?.("img") && drop(target), true);
for (const each of all("img")) if (each.complete && !each.naturalWidth) drop(each);

// --- A map is the device's own

const [system] = navigator.userAgent.match(/Android|Mac OS|$/);
const app = { Android: "geo:$1,$2?q=$1,$2", "Mac OS": "https://maps.apple.com/?ll=$1,$2&q=$1,$2" }[system];
for (const each of app ? all('a[href*="?mlat="]') : [])
    each.href = each.href.replace(/.*mlat=(.*)&mlon=(.*)#.*/, app);

if (mine && !shown.length && !location.search && readStars().size) location.replace(addressOf(readStars()));
document.body.append(toast);
enhance();
followStars(false);
