// What assistive technology and keyboards need, and mdBook's page lacks.

// mdBook opens its menu with the label of a hidden checkbox. A button does it here, which keyboards reach.
const label = document.getElementById("mdbook-sidebar-toggle");
const checkbox = document.getElementById("mdbook-sidebar-toggle-anchor");
if (label && checkbox) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = label.className;
  button.title = label.title;
  button.setAttribute("aria-label", label.title);
  button.setAttribute("aria-controls", "mdbook-sidebar");
  button.append(...label.childNodes);
  const tell = () => button.setAttribute("aria-expanded", String(checkbox.checked));
  button.addEventListener("click", () => checkbox.click());
  checkbox.addEventListener("change", tell);
  label.replaceWith(button);
  tell();
}
// The bar above the text is a landmark.
document.getElementById("mdbook-menu-bar")?.setAttribute("role", "banner");

// Code and tables that are wider than the page scroll by keyboard.
for (const wide of document.querySelectorAll("pre > code, .table-wrapper")) wide.tabIndex = 0;
