import type { PartsPerMillion } from '../core/money.ts'
import type { Change } from './changes.ts'

/** What a key belongs to: a price multiplier and a set of models. */
export interface Group {
  readonly id: string
  readonly name: string
  readonly multiplier: PartsPerMillion
  /** Public model names; `["*"]` means all. */
  readonly models: readonly string[]
  readonly isEnabled: boolean
  readonly isManaged: boolean
}

/** Whether the group serves a model of this name. */
export function groupServes(group: Group, modelName: string): boolean {
  return group.models.includes('*') || group.models.includes(modelName)
}

export interface GroupStore {
  groups(): Promise<readonly Group[]>
  /** Adds the group or replaces the one of the same name (which keeps its id). null: nothing was different. */
  putGroup(group: Group): Promise<Change | null>
}
