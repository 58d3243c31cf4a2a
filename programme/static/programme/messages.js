// After saving the message is in view, also below the high head of a phone's page.

window.addEventListener("load", () => {
    if (!window.location.hash) {
        document.querySelector(".messagelist")?.scrollIntoView({ block: "nearest" });
    }
});
