/** The list is drawn anew, and the dialog that asked is closed, within so many frames after the data came. */
const MOST_FRAMES = 120

/**
 * Remembers the neighbours of a row that is about to go, and returns what gives the focus to the menu of the row after
 * it, else of the one before it, else to the page's heading. To be called when the list's data are new. It does nothing
 * where the focus is on something that stayed.
 */
export function focusBeside(rowId: string): () => void {
  const ids = [...rows().keys()]
  const at = ids.indexOf(rowId)
  const beside = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at)).toReversed()]
  return () => {
    let frames = 0
    const look = (): void => {
      frames += 1
      const now = rows()
      if ((now.has(rowId) || isInDialog()) && frames < MOST_FRAMES) requestAnimationFrame(look)
      else if (document.activeElement === document.body) focusFirstOf(beside, now)
    }
    requestAnimationFrame(look)
  }
}

/** A dialog that closes keeps the focus until it is gone. */
function isInDialog(): boolean {
  return document.activeElement?.closest('[role="alertdialog"], [role="dialog"]') != null
}

function focusFirstOf(ids: readonly (string | undefined)[], now: ReadonlyMap<string | undefined, HTMLElement>): void {
  const row = ids.flatMap((id) => now.get(id) ?? [])[0]
  const home = row?.querySelector('button[aria-haspopup="menu"]') ?? document.querySelector('main h1')
  if (home instanceof HTMLElement) home.focus()
}

/** The rows by their ids, from the top down. */
function rows(): ReadonlyMap<string | undefined, HTMLElement> {
  return new Map([...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [row.dataset['row'], row]))
}
