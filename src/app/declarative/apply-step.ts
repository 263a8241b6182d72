import type { Sealer } from '../../core/secret-box.ts'
import type { ApplyStore } from './apply-store.ts'
import type { DeclarativeFile } from './declarative-file.ts'

/** What every step of applying works with. */
export interface ApplyStep extends Installation {
  readonly file: DeclarativeFile
  readonly notes: Notes
}

export interface Notes {
  readonly changes: string[]
  readonly warnings: string[]
}

/** What the file is applied to, and with. */
export interface Installation {
  readonly store: ApplyStore
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  readonly nowMs: number
}
