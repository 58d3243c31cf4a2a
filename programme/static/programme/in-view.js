// What is in view when a page opens: the message, also below the high head of a phone's page, and in the line of
// links the one that leads here.

const here = document.querySelector(".main-nav [aria-current]");
if (here) {
    const nav = here.closest(".main-nav");
    nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
}

window.addEventListener("load", () => {
    if (!window.location.hash) {
        document.querySelector(".messagelist")?.scrollIntoView({ block: "nearest" });
    }
});
