// The page is built into this file.
document.body.textContent = "The page is not built.";
