import { invariant } from '../../core/invariant.ts'
import type { Store } from '../../store/store.ts'

/** The entry of the store that says how far the setup has come. */
export const PROGRESS = 'first_start'
/** So many accounts are looked through for an admin. */
export const ACCOUNTS_LOOKED_AT = 1000

export interface Progress {
  readonly withDemo: boolean
  readonly keyId: string | null
  /** Was about to be printed: it may have been seen. */
  readonly wasShown: boolean
  readonly host: string
  readonly processId: number
}

/** null: none was begun. */
export async function readProgress(settings: Store['settings']): Promise<Progress | 'finished' | null> {
  const stored = await settings.read(PROGRESS)
  if (stored === null || stored === 'finished') return stored
  const progress: unknown = JSON.parse(stored)
  invariant(isProgress(progress), 'the progress of the first start is as it was written')
  return progress
}

function isProgress(value: unknown): value is Progress {
  const { withDemo, keyId, wasShown, host, processId } = value as Partial<Record<keyof Progress, unknown>>
  return (
    [withDemo, wasShown].every((each) => typeof each === 'boolean') &&
    (keyId === null || typeof keyId === 'string') &&
    typeof host === 'string' &&
    typeof processId === 'number'
  )
}
