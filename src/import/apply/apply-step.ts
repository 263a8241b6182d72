import type { Sealer } from '../../core/secret-box.ts'
import type { ImportNotes, Acceptable, ImportPlan } from '../import-plan.ts'
import type { ImportedObject, ImportStores, ImportTarget } from '../import-store.ts'
import { type AuditAuthor, type AuditStore, changesBetween, notingChanges } from '../../access/audit.ts'

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

/** What a portion did to one row; `note`: what to say of it, under another name than its row’s where it has one. */
export interface RowResult {
  readonly did: 'created' | 'changed' | 'nothing'
  readonly note?: string | null
  readonly noted?: string
}

/** What is said of rows whose object here is left alone. */
export const EXISTS = 'are here already under this name, and stay as they are'
export const MANAGED = 'come from the declarative file here, and stay as they are'

/** What one row is applied with. `known`: what an earlier run made of it. */
export interface RowToApply {
  readonly step: ImportStep
  readonly stores: ImportStores
  readonly known: ImportedObject | undefined
}

/** A row that was imported before. */
export type KnownRow = RowToApply & { readonly known: ImportedObject }

/** All objects of one kind in a plan. `taken`: those that this run applies; absent: all. */
interface PlannedKind<Planned> {
  readonly kind: string
  readonly table: string
  readonly objects: readonly Planned[]
  readonly taken?: readonly Planned[]
  /** The id by which the row of one is known again. */
  idOf(planned: Planned): string
  apply(planned: Planned, row: RowToApply): Promise<RowResult>
  /** What becomes of one that was imported before, and that the source has no more. */
  leave?(row: KnownRow): Promise<RowResult>
}

/** Applies each object of a kind, and what is gone of it since. Returns what was imported before. */
export async function applyEach<Planned>(
  step: ImportStep,
  { kind, table, objects, taken = objects, idOf, apply, leave }: PlannedKind<Planned>,
): Promise<ReadonlyMap<string, ImportedObject>> {
  const before = await importedBefore(step, kind)
  await inPortions<Planned>(step, { kind, table, objects: taken }, async (planned, stores) => {
    const sourceId = idOf(planned)
    return { sourceId, ...(await apply(planned, { step, stores, known: before.get(sourceId) })) }
  })
  const here = new Set(objects.map(idOf))
  const gone = [...before.values()].filter(({ sourceId, state }) => !here.has(sourceId) && state['gone'] !== true)
  if (leave === undefined) return before
  await inPortions<ImportedObject>(step, { kind, table, objects: gone }, async (known, stores) => ({
    sourceId: known.sourceId,
    ...(await leave({ step, stores, known })),
  }))
  return before
}

const PORTION = 50

/**
 * Carries a step out in portions, each in one transaction with the notes of what became of its rows: what a crash cuts short
 * is done by the next run, and nothing is done twice.
 */
async function inPortions<Planned>(
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
    for (const { did, note, sourceId, noted = sourceId } of results) {
      if (did !== 'nothing') count[did] += 1
      if (note != null) step.notes.note(table, noted, note)
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

type Audit = Pick<AuditStore, 'write'>

/** Counts by the kind of object. */
type ObjectCounts = ReadonlyMap<string, { readonly created: number; readonly changed: number }>

/**
 * What the audit says of an import, which is many transactions: that it began, in that of the first portion that changes
 * anything, and what it did, in its last one. An import that finds nothing different leaves nothing.
 */
export class ImportTrail {
  readonly #by: { readonly author: AuditAuthor; readonly nowMs: number }
  readonly #from: { readonly product: string; readonly source: string }
  #isBegun = false

  constructor(
    by: { readonly author: AuditAuthor; readonly nowMs: number },
    from: { readonly product: string; readonly source: string },
  ) {
    this.#by = by
    this.#from = from
  }

  /** Within the transaction of a portion. */
  async begin(audit: Audit): Promise<void> {
    if (!this.#isBegun) await this.#write(audit, 'import.begin', {})
  }

  /** A portion that changed something is kept. */
  hasBegun(): void {
    this.#isBegun = true
  }

  /** Within the transaction that ends the import. */
  async finish(audit: Audit, counts: ObjectCounts): Promise<void> {
    if (!this.#isBegun) return
    const done = [...counts].filter(([, { created, changed }]) => created + changed > 0)
    await this.#write(audit, 'import.finish', Object.fromEntries(done.map(([kind, count]) => [kind, { ...count }])))
  }

  #write(audit: Audit, action: `import.${'begin' | 'finish'}`, done: Readonly<Record<string, unknown>>): Promise<void> {
    const changes = changesBetween({}, { ...this.#from, ...done })
    return notingChanges(audit, this.#by)({ action, subject: null, accountId: null, changes })
  }
}
