import { useSyncExternalStore } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'

/** The last change that was made on this page, until it is left or undone. */
interface LastEdit {
  readonly name: SettingName
  readonly before: unknown
  /** The version of the settings once the edit was saved: an undo takes nothing else back. */
  readonly version: string
}

let last: LastEdit | null = null
const listeners = new Set<() => void>()

export function rememberEdit(edit: LastEdit): void {
  last = edit
  for (const listener of listeners) listener()
}

export function forgetEdit(): void {
  last = null
  for (const listener of listeners) listener()
}

export function useLastEdit(): LastEdit | null {
  return useSyncExternalStore(subscribe, () => last)
}

/** One function for all: another at each render would subscribe anew each time. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // The page is left: what was before is not kept, it may be a template's text.
    if (listeners.size === 0) last = null
  }
}
