// The timetable: it shows the places that are chosen, says how many are beyond its edge, opens at what is next, and
// its line for now moves on.

import { read, write } from "./storage.js";

const STORED = "places";
const PLACE = `timetable ${location.pathname}${location.search}`;
const grid = document.querySelector(".grid");
const size = document.querySelector(".dayhead .size");
const written = size.textContent;
const places = [...grid.querySelectorAll("[data-place]")];
const areas = [...grid.querySelectorAll(":scope > section")];
const number = (element, name) => Number(getComputedStyle(element).getPropertyValue(name));

// --- Places are chosen, and stay so on this device

// Whether those that are marked are shown, after all were hidden; otherwise they are hidden, and all others shown.
let [isChosen = false, ...stored] = read(STORED) ?? [];
const marked = new Set(stored);
const boxes = [];
const picking = document.querySelector(".picking ul");
const summary = document.querySelector(".picking summary");
const closed = summary.textContent;
const writePart = (left, all) =>
    [left, all].reduce((text, each) => text.replace("{}", each), picking.dataset.part);

function offer(list, text, offered) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    box.addEventListener("change", () => {
        if (offered === places) {
            isChosen = !box.checked;
            marked.clear();
        } else {
            for (const each of offered)
                marked[box.checked === isChosen ? "add" : "delete"](each.dataset.place);
        }
        write(STORED, [isChosen, ...marked]);
        show();
    });
    label.append(box, text);
    const item = document.createElement("li");
    item.append(label);
    list.append(item);
    boxes.push([box, offered]);
    return item;
}

function show() {
    for (const each of places) each.hidden = marked.has(each.dataset.place) !== isChosen;
    for (const each of areas) each.hidden = !each.querySelector("[data-place]:not([hidden])");
    for (const [box, offered] of boxes) {
        box.checked = offered.some((each) => !each.hidden);
        box.indeterminate = box.checked && offered.some((each) => each.hidden);
    }
    const all = document.querySelectorAll(".timetable .o").length;
    const left = all - grid.querySelectorAll("[data-place][hidden] .o").length;
    size.textContent = left < all ? writePart(left, written) : written;
    const shown = places.filter((each) => !each.hidden).length;
    summary.textContent = shown < places.length ? `${closed} (${writePart(shown, places.length)})` : closed;
    announce();
}

function offerPlaces() {
    offer(picking, picking.dataset.all, places);
    for (const area of areas) {
        const own = [...area.querySelectorAll("[data-place]")];
        const item = offer(picking, area.querySelector("h3").textContent, own);
        if (own.length === 1) continue;
        const inner = document.createElement("ul");
        for (const place of own) offer(inner, place.querySelector("h4").textContent, [place]);
        item.append(inner);
    }
}

// --- Beyond the edge

const further = grid.querySelector(".further");

/** Say how many places are to the right of those that are in sight. */
function announce() {
    const edge = grid.getBoundingClientRect().right;
    const isBeyond = (box) => box.width && box.left + box.width / 2 > edge;
    const count = places.filter((each) => isBeyond(each.getBoundingClientRect())).length;
    further.hidden = !count;
    further.textContent = further.dataset.more.replace("{}", count);
}

further.addEventListener("click", () => {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    grid.scrollBy({ left: grid.clientWidth / 2, behavior });
});
grid.addEventListener("scroll", announce);
new ResizeObserver(announce).observe(grid);

// --- Now

const blocks = [...grid.querySelectorAll(".o")];
const begins = new Map(blocks.map((each) => [each, Date.parse(each.querySelector("time").dateTime)]));
// Minutes after the first hour, as all of the timetable.
const origin = begins.get(blocks[0]) - number(blocks[0], "--t") * 60000;

function moveLine() {
    const now = Math.floor((Date.now() - origin) / 60000);
    if (now >= 0 && now < number(grid, "--m")) grid.style.setProperty("--now", now);
}

function open() {
    const [past, ...kept] = read(PLACE, "sessionStorage") ?? [];
    const { type } = performance.getEntriesByType("navigation")[0] ?? {};
    if (past === "left" && type !== "navigate") {
        grid.scrollTo(...kept);
        return;
    }
    const hours = [...grid.querySelectorAll(".hours li")];
    const linked = hours.findIndex((each) => location.hash === `#${each.id}`);
    const from = linked < 0 ? Date.now() : origin + linked * 3600000;
    const seen = blocks.filter((each) => !each.closest("[hidden]"));
    const starts = seen.map((each) => begins.get(each));
    const next = Math.min(...starts.filter((each) => each >= from));
    // On a day that is over, as on those to come, the first one.
    const isOn = Math.min(...starts) < from && Number.isFinite(next);
    const target = seen[starts.indexOf(isOn ? next : Math.min(...starts))];
    if (!target) return;
    const ends = (each) => begins.get(each) + number(each, "--d") * 60000;
    const isRunning = isOn && seen.some((each) => begins.get(each) <= from && from < ends(each));
    const minutes = Math.min(number(target, "--t"), isRunning ? (from - origin) / 60000 : Infinity);
    // Never sideways: the first place is where it begins.
    grid.scrollTop = (minutes / 60) * hours[0].offsetHeight - 24;
}

addEventListener("pagehide", () => write(PLACE, ["left", grid.scrollLeft, grid.scrollTop], "sessionStorage"));
offerPlaces();
show();
moveLine();
open();
setInterval(moveLine, 60000);
