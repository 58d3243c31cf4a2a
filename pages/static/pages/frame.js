// Tells the page around the embedded list how tall the list is, in the messages of WordPress's embeds, which its
// wp-embed.js understands; and has WordPress open links, because its sandbox lets no frame do so. It is no module:
// in a sandbox a module would have to be sent with a permission for every website.

// WordPress names each frame by a secret in its address, and puts only those into a sandbox.
const secret = new URLSearchParams(location.hash.replace(/^#\??/, "")).get("secret") ?? "";

const tell = (message, value) => parent.postMessage({ message, value, secret }, "*");

function tellHeight() {
    tell("height", Math.ceil(document.body.getBoundingClientRect().height));
}

if (parent !== window) {
    // WordPress hides a frame until this arrives, and browsers observe no sizes in hidden frames.
    tellHeight();
    addEventListener("load", tellHeight);
    new ResizeObserver(tellHeight).observe(document.body);
    addEventListener("message", ({ source, data }) => {
        if (source === parent && data?.message === "ready") tellHeight();
    });
}

if (secret)
    document.addEventListener("click", (event) => {
        const link = event.target.closest("a[href]");
        if (!link) return;
        event.preventDefault();
        tell("link", link.href);
    });
