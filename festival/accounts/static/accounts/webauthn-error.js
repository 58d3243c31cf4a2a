/* Says so in the page when a passkey could not be used; django-allauth only writes it to the console. */

const note = document.getElementById("webauthn-error");

document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    note.hidden = false;
    note.scrollIntoView({ block: "nearest" });
});
