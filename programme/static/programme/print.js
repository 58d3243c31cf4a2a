// The button that prints a page; without this script the browser's own menu does.

const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => window.print());
