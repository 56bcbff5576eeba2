// The API reference: search, copy, and links that open what they lead to. The page is complete without it.
"use strict"

const search = document.getElementById("search")
const operations = [...document.querySelectorAll("details.operation")]
const groups = [...document.querySelectorAll("section.group")]

/** Show the operations that hold every word of the search. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let matches = 0
  for (const operation of operations) {
    operation.hidden = !words.every((word) => operation.dataset.search.includes(word))
    if (!operation.hidden) matches += 1
  }
  for (const group of groups) {
    group.hidden = group.querySelector("details.operation:not([hidden])") === null
  }
  document.getElementById("matches").textContent = words.length === 0 ? "" : `${matches} of ${operations.length}`
}

/** Open what the address leads to; a search must not hide it. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  if (target.closest("[hidden]") !== null) {
    search.value = ""
    filter()
  }
  if (target.tagName === "DETAILS") target.open = true
  target.scrollIntoView()
}

/** Copy the text beside a button; where the browser forbids that, select it. */
async function copy(button) {
  const text = button.nextElementSibling
  const words = button.textContent
  try {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = "Copied"
  } catch {
    getSelection().selectAllChildren(text)
    button.textContent = "Selected"
  }
  setTimeout(() => (button.textContent = words), 1500)
}

search.closest(".search").hidden = false
search.addEventListener("input", filter)
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false
  button.addEventListener("click", () => copy(button))
}
addEventListener("hashchange", reveal)
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === search) return
  event.preventDefault()
  search.focus()
})
reveal()
