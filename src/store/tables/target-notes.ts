import { DROPPABLE_SETTING_NAMES } from '../../core/request-settings-names.ts'
import { LEARNING_TARGETS_LIMIT } from '../../core/limits.ts'
import type { LimitNote } from '../../routing/kept-limits.ts'
import { REMEMBERED_MS, type RefusalNote, withRefusal } from '../../routing/learned-refusals.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing } from '../engine/changes.ts'
import { lockId } from '../engine/rows-by-id.ts'

/** What is known of targets stands among the settings, a row each: `limits:<id of the upstream>:<model>`, and likewise. */
const LIMITS = 'limits:'
const REFUSALS = 'refusals:'

interface StoredNote {
  readonly name: string
  readonly value: string
}

function read(tables: Pick<TablesTransaction, 'selectFrom'>, prefix: string): Promise<readonly StoredNote[]> {
  return tables.selectFrom('settings').select(['name', 'value']).where('name', 'like', `${prefix}%`).execute()
}

function targetIn(name: string): { readonly upstreamId: string; readonly model: string } {
  const [, upstreamId = '', ...model] = name.split(':')
  return { upstreamId, model: model.join(':') }
}

/** Deletes what is known of the targets of an upstream that goes. */
export async function forgetNotes(transaction: TablesTransaction, upstreamId: string): Promise<void> {
  for (const prefix of [LIMITS, REFUSALS]) {
    await transaction.deleteFrom('settings').where('name', 'like', `${prefix}${upstreamId}:%`).execute()
  }
}

export async function limitNotes({ kysely }: Database): Promise<readonly LimitNote[]> {
  const rows = await read(kysely, LIMITS)
  return rows.flatMap(({ name, value }) =>
    value === 'keeps' || value === 'ignores' ? [{ ...targetIn(name), verdict: value }] : [],
  )
}

/** Writes down a limit, but none of an upstream that was deleted meanwhile. That a target ignores limits is never written over. */
export async function noteLimit(database: Database, { upstreamId, model, verdict }: LimitNote): Promise<void> {
  await changing(database, async (transaction, record) => {
    if (!(await lockId(transaction, 'upstreams', upstreamId))) return
    await transaction
      .insertInto('settings')
      .values({ name: `${LIMITS}${upstreamId}:${model}`, value: verdict })
      .onConflict((conflict) =>
        verdict === 'keeps'
          ? conflict.column('name').doNothing()
          : conflict.column('name').doUpdateSet({ value: verdict }),
      )
      .execute()
    await record('catalog', upstreamId)
  })
}

export async function refusalNotes({ kysely }: Database): Promise<readonly RefusalNote[]> {
  return (await read(kysely, REFUSALS)).flatMap(refusalsIn)
}

/** Writes down a refusal, but none of an upstream that was deleted meanwhile. */
export async function noteRefusal(database: Database, note: RefusalNote, nowMs: number): Promise<void> {
  const { upstreamId, model } = note
  const name = `${REFUSALS}${upstreamId}:${model}`
  await changing(database, async (transaction, record) => {
    if (!(await lockId(transaction, 'upstreams', upstreamId))) return
    const before = await transaction.selectFrom('settings').select(['name', 'value']).where('name', '=', name).execute()
    const notes = withRefusal(before.flatMap(refusalsIn), note, nowMs)
    if (notes === null || (before.length === 0 && !(await hasRoom(transaction, nowMs)))) return
    const value = JSON.stringify(notes.map(written))
    await transaction
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    await record('catalog', upstreamId)
  })
}

/** Forgets the targets of which nothing is left, where there are too many. */
async function hasRoom(transaction: TablesTransaction, nowMs: number): Promise<boolean> {
  const rows = await read(transaction, REFUSALS)
  if (rows.length < LEARNING_TARGETS_LIMIT) return true
  const over = rows.filter((row) => refusalsIn(row).every(({ refusedAt }) => refusedAt + REMEMBERED_MS <= nowMs))
  if (over.length === 0) return false
  const names = over.map(({ name }) => name)
  await transaction.deleteFrom('settings').where('name', 'in', names).execute()
  return true
}

/** A refusal as it is stored: short, since each reading of the catalogue reads it. */
interface StoredRefusal {
  readonly setting: string
  readonly value: string | null
  readonly at: number
  readonly said: string
  readonly mark: string
}

function written({ setting, value, refusedAt, said, mark }: RefusalNote): StoredRefusal {
  return { setting, value, at: refusedAt, said, mark }
}

/** Settings that this version does not know, as a newer one may have written them, are left out. */
function refusalsIn({ name, value: text }: StoredNote): readonly RefusalNote[] {
  return (JSON.parse(text) as readonly StoredRefusal[]).flatMap(({ setting, value, at, said, mark }): RefusalNote[] => {
    const known = DROPPABLE_SETTING_NAMES.find((each) => each === setting)
    return known === undefined ? [] : [{ ...targetIn(name), setting: known, value, refusedAt: at, said, mark }]
  })
}
