import { readChoices, writeChoices, type TableChoices } from './table-choices.ts'

// How people want tables, kept by this browser for each account: two who share it do not share these.

const NAME = 'tollgate.tables.'
/** Of what needs no sign-in. */
const SIGNED_OUT = 'signed-out'
/** Where the browser keeps nothing: as long as the page is open. */
const unkept = new Map<string, string | null>()
const listeners = new Set<() => void>()

/** As it stands there; null: nothing. */
export function keptText(accountId: string | null): string | null {
  const name = nameOf(accountId)
  const here = unkept.get(name)
  if (here !== undefined) return here
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Changes what is kept by now, which another tab may have changed. */
export function changeKept(accountId: string | null, change: (choices: TableChoices) => TableChoices): void {
  const name = nameOf(accountId)
  const text = writeChoices(change(readChoices(keptText(accountId))))
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    unkept.delete(name)
  } catch {
    unkept.set(name, text)
  }
  for (const listener of listeners) listener()
}

export function onKeptChange(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function nameOf(accountId: string | null): string {
  return NAME + (accountId ?? SIGNED_OUT)
}
