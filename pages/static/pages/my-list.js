// One address for my programme: the service keeps a list of the stars, which this browser alone changes.
// What the browser has is what counts. It sends differences, which may be repeated and sent late, so that neither
// two tabs nor a time without network lose a star.

import { attempt, read, write } from "./storage.js";

const STORED = "my-list";
const PATH = "/my-list";
// What stands for the secret in addresses, which only the browser knows.
const PLACEHOLDER = "ADDRESS";
// Milliseconds: changes are gathered before they are sent, and sent again.
const GATHERING = 1000;
const AGAIN = 30000;
// Changes while others are being sent are sent after them; so many times, lest it goes on for ever.
const TURNS = 3;
const GONE = 410;
const TOO_MANY = 422;

const section = document.getElementById("following");
const within = (selector) => [...(section?.querySelectorAll(selector) ?? [])];
const later = { timer: 0, isDue: false };
let page = null;
let problem = "";

// --- The list: its secrets, and the IDs that the service is known to have

const readList = () => read(STORED);

function storeList(list) {
    const isStored = list ? write(STORED, list) : attempt(() => localStorage.removeItem(STORED));
    show();
    return isStored;
}

const starred = () => [...page.readStars()].filter((id) => Number.isSafeInteger(id) && id > 0);

function compare({ sent }) {
    const [now, before] = [new Set(starred()), new Set(sent)];
    return {
        add: [...now].filter((id) => !before.has(id)),
        remove: [...before].filter((id) => !now.has(id)),
    };
}

// --- Requests, one at a time in all tabs

const locked = (run) => (navigator.locks ? navigator.locks.request(STORED, run) : run());

async function send(method, secret, body) {
    const headers = { "X-Starred-List": secret, "Content-Type": "application/json" };
    const text = body && JSON.stringify(body);
    return fetch(PATH, { method, headers, body: text, keepalive: true }).catch(() => null);
}

async function sendChanges(isCheck) {
    for (let turn = 0; turn < TURNS; turn++) {
        const list = readList();
        if (!list?.secret) return;
        const changes = compare(list);
        if (!changes.add.length && !changes.remove.length && (!isCheck || turn)) break;
        const response = await send("PATCH", list.secret, changes);
        if (response?.status === GONE) {
            storeList({ gone: true });
            return;
        }
        if (!response?.ok) {
            problem = response?.status === TOO_MANY ? "many" : "waiting";
            if (problem === "waiting") schedule(AGAIN);
            show();
            return;
        }
        storeList({ ...list, sent: (await response.json()).occasions });
    }
    problem = "";
    show();
}

function schedule(delay) {
    clearTimeout(later.timer);
    later.isDue = true;
    later.timer = setTimeout(sendNow, delay);
}

function sendNow() {
    clearTimeout(later.timer);
    later.isDue = false;
    return locked(() => sendChanges(false));
}

// --- What visitors ask for

async function createList() {
    if (!write(STORED, readList() ?? {})) {
        // A private window: the list would be nobody's.
        page.announce(section.dataset.refused);
        return;
    }
    const occasions = starred();
    const response = await send("POST", "new", { occasions });
    if (!response?.ok) {
        page.announce(section.dataset[response?.status === TOO_MANY ? "many" : "failed"]);
        return;
    }
    const isStored = storeList({ ...(await response.json()), sent: occasions });
    page.announce(section.dataset[isStored ? "created" : "refused"]);
    const [button] = within("[data-when=kept] a");
    button.focus();
    button.click();
}

async function deleteList() {
    const response = await send("DELETE", readList().secret);
    const isDeleted = response?.ok || response?.status === GONE;
    page.announce(section.dataset[isDeleted ? "deleted" : "failed"]);
    if (!isDeleted) return;
    storeList(null);
    within("[data-when=offered] button")[0].focus();
}

function show() {
    const list = readList();
    const own = list?.secret ? "kept" : list?.gone ? "gone" : "offered";
    const state = page.isOwn ? own : "shared";
    for (const each of within("[data-when]")) each.hidden = each.dataset.when !== state;
    for (const each of within("[data-problem]")) each.hidden = each.dataset.problem !== problem;
    // Where nothing is starred yet, it is not offered.
    if (section && "shy" in section.dataset) section.hidden = state === "offered";
    if (state !== "kept") return;
    for (const each of within("a, input")) {
        const name = each.href ? "href" : "value";
        each.dataset.made ??= each.getAttribute(name);
        each[name] = each.dataset.made.replace(PLACEHOLDER, list.address);
    }
}

// Android opens no webcal: there it is the file, with how to follow it.
if (/Android/.test(navigator.userAgent)) {
    for (const each of within("[data-file]")) each.href = each.dataset.file;
    for (const each of within("[data-android]")) each.open = true;
}

// --- Called by pages.js: when a page is opened, and with `isChanged` when its stars have changed

export function follow(ofPage, isChanged) {
    if (page) show();
    else {
        page = ofPage;
        show();
        addEventListener("storage", show);
        addEventListener("online", sendNow);
        document.addEventListener("visibilitychange", () => document.hidden && later.isDue && sendNow());
        section?.addEventListener("click", async ({ target }) => {
            const button = target.closest("[data-list]");
            if (!button || button.disabled) return;
            button.disabled = true;
            await locked(button.dataset.list === "create" ? createList : deleteList);
            button.disabled = false;
        });
    }
    if (isChanged) schedule(GATHERING);
    else locked(() => sendChanges(section !== null));
}
