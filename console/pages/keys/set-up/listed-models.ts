import { useSyncExternalStore } from 'react'
import type { SetupListed } from '../../../../src/contract/setup.ts'

let chosen: SetupListed | null = null
const listeners = new Set<() => void>()

/** The models that the files of setups list, as chosen since the console was opened; null: as many as suit. */
export function useListedModels(): SetupListed | null {
  return useSyncExternalStore(subscribe, () => chosen)
}

export function chooseListedModels(listed: SetupListed): void {
  chosen = listed
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
