import type { MaintenanceEnd } from '../../control/system.ts'

/** Begins a folder in the data directory, where there is room for databases. Each rehearsal clears away the one before. */
export const REHEARSAL_FOLDER = '.rehearsal-'

/** What the thread of a rehearsal is given. */
export interface RehearsalOrder {
  readonly path: string
  readonly dataDirectory: string
  readonly secret: string | null
  readonly passphrase: string | null
}

export type RehearsalSaid =
  | { readonly kind: 'progress'; readonly share: number | null }
  | { readonly kind: 'done'; readonly proof: NonNullable<MaintenanceEnd['proof']> }
  | { readonly kind: 'failed'; readonly failure: string }
