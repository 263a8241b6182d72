/** A text as it is compared in a search: SQLite knows the cases of ASCII alone. */
export function searchForm(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
