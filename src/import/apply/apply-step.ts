import type { ImportTrail } from '../import-trail.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { Acceptable, ImportPlan } from '../import-plan.ts'
import type { ImportedObject, ImportStores, ImportTarget } from '../import-store.ts'

/** What every step of an import works with. */
export interface ImportStep {
  readonly plan: ImportPlan
  /** What was decided of what is here already. */
  readonly accepted: ReadonlySet<Acceptable>
  /** The old gateway is stopped: what could be used up at both is taken over now. */
  readonly hasSwitched: boolean
  /** The source by which rows are known again. */
  readonly source: string
  readonly target: ImportTarget
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  readonly hashRedeemCode: (code: string) => string
  /** Hashes what was taken over: the same gives the same, and it shows nothing of a secret in it. */
  readonly hashState: (text: string) => string
  readonly nowMs: number
  readonly notes: ImportNotes
  readonly trail: ImportTrail
  readonly counts: ImportCounts
  /** Called after each portion; `all`: of this step. */
  onProgress(step: string, done: number, all: number): void
}

/** How many objects were made and changed, by what they are. */
export type ImportCounts = Map<string, { created: number; changed: number }>

/** What a portion did to one row; `note`: what to say of it. */
export interface RowResult {
  readonly did: 'created' | 'changed' | 'nothing'
  readonly note?: string
}

const PORTION = 50

/**
 * Carries a step out in portions, each in one transaction with the notes of what became of its rows: what a crash cuts short
 * is done by the next run, and nothing is done twice.
 */
export async function inPortions<Planned>(
  step: ImportStep,
  { kind, table, objects }: { kind: string; table: string; objects: readonly Planned[] },
  work: (object: Planned, stores: ImportStores) => Promise<RowResult & { readonly sourceId: string }>,
): Promise<void> {
  const count = step.counts.get(kind) ?? { created: 0, changed: 0 }
  step.counts.set(kind, count)
  for (let from = 0; from < objects.length; from += PORTION) {
    const portion = objects.slice(from, from + PORTION)
    const results = await step.target.together(async (stores) => {
      const done = []
      for (const object of portion) done.push(await work(object, stores))
      if (done.some(isChange)) await step.trail.begin(stores.audit)
      return done
    })
    if (results.some(isChange)) step.trail.hasBegun()
    for (const { did, note, sourceId } of results) {
      if (did !== 'nothing') count[did] += 1
      if (note !== undefined) step.notes.note(table, sourceId, note)
    }
    step.onProgress(kind, from + portion.length, objects.length)
  }
}

function isChange({ did }: RowResult): boolean {
  return did !== 'nothing'
}

/** Rows that were imported before. */
export function importedBefore(
  step: Pick<ImportStep, 'source' | 'target'>,
  kind: string,
): Promise<ReadonlyMap<string, ImportedObject>> {
  return step.target.together((stores) => stores.imported.all(step.source, kind))
}

/** A text that is the same for the same value, in whichever order its fields stand; a field without a value is none. */
export function stateOf(step: Pick<ImportStep, 'hashState'>, value: unknown): string {
  return step.hashState(JSON.stringify(plain(value)) ?? '')
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)].map(plain)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== null)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, plain(each)]))
}
