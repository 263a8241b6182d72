let name = ''
let mark = ''

/** Names the browser's tab after the page. */
export function namePage(title: string): void {
  name = title
  write()
}

/** What stands before the page's name, like `(3)`; empty: nothing. */
export function markTitle(next: string): void {
  mark = next
  write()
}

function write(): void {
  document.title = `${mark === '' ? '' : `${mark} `}${name} · Tollgate`
}
