// What the list of a day does beyond HTML; it needs no JavaScript to be read.

const all = (selector) => [...document.querySelectorAll(selector)];

const stored = document.getElementById("stored");
if (stored) {
    const { showStored } = await import(stored.dataset.script);
    await showStored(stored).catch(() => {});
}

// --- What is near is asked for by a button

const near = document.querySelector("[data-near]");
if (near) {
    near.hidden = !navigator.geolocation;
    near.addEventListener("click", async () => (await import(near.dataset.near)).showNear(near));
}

// --- The filters on a phone are a sheet, which Escape closes, and whatever is focused beside it

const sheet = document.querySelector(".filters > details");
// Wherever the focus is: browsers differ in what a click on a summary focuses.
document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !sheet?.open) return;
    sheet.firstElementChild.focus();
    sheet.open = false;
});
document.addEventListener("focusin", ({ target }) => {
    if (sheet?.open && getComputedStyle(sheet).position === "fixed") sheet.open = sheet.contains(target);
});

// --- The hour that is read is marked among the links to the hours; long events are open where they stand beside

function followHours(nav) {
    const slots = [...nav.nextElementSibling.children];
    const links = new Map();
    for (const slot of slots) {
        const link = slot.id
            ? nav.querySelector(`[href="#${slot.id}"]`)
            : links.get(slot.previousElementSibling);
        links.set(slot, link);
    }
    const seen = new Set();
    const observer = new IntersectionObserver(
        (entries) => {
            for (const each of entries) seen[each.isIntersecting ? "add" : "delete"](each.target);
            const now = links.get(slots.find((each) => seen.has(each)));
            for (const link of nav.querySelectorAll("a")) link.removeAttribute("aria-current");
            if (!now) return;
            now.setAttribute("aria-current", "true");
            nav.scrollLeft = now.offsetLeft - (nav.clientWidth - now.clientWidth) / 2;
        },
        // From below the links.
        { rootMargin: "-60px 0px -75% 0px" },
    );
    for (const slot of slots) observer.observe(slot);
}

all("nav.hours").forEach(followHours);

const isWide = matchMedia("(min-width: 56rem)");
const openLong = () => all("details.long").forEach((each) => each.toggleAttribute("open", isWide.matches));
isWide.addEventListener("change", openLong);
openLong();

// --- On paper all of it

addEventListener("beforeprint", () => all("details.earlier").forEach((each) => (each.open = true)));
