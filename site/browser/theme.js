// Light or dark as the reader chose it; before anything is drawn.
{
  let chosen = "";
  try {
    chosen = localStorage.getItem("dpcheck-theme") ?? "";
  } catch {
    // A browser may keep nothing: then the system decides.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.style.colorScheme = chosen;
}
