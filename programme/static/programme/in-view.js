// The message is in view when a page opens, also below the high head of a phone's page.

window.addEventListener("load", () => {
    if (!window.location.hash) {
        document.querySelector(".messagelist")?.scrollIntoView({ block: "nearest" });
    }
});
