import { DROPPABLE_SETTING_NAMES } from '../../core/request-settings-names.ts'
import { LEARNING_TARGETS_LIMIT } from '../../core/limits.ts'
import { REMEMBERED_MS, type RefusalNote, withRefusal } from '../../routing/learned-refusals.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing } from '../engine/changes.ts'

/** What targets refuse stands among the settings, a row for each target: `refusals:<id of the upstream>:<model>`. */
const PREFIX = 'refusals:'

export async function refusalNotes(database: Database): Promise<readonly RefusalNote[]> {
  const rows = await database.kysely
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'like', `${PREFIX}%`)
    .execute()
  return rows.flatMap(notesOf)
}

/** Writes down a refusal, but none of an upstream that was deleted meanwhile. */
export async function noteRefusal(database: Database, note: RefusalNote, nowMs: number): Promise<void> {
  const { upstreamId, model } = note
  const name = `${PREFIX}${upstreamId}:${model}`
  await changing(database, async (transaction, record) => {
    const upstream = await transaction
      .selectFrom('upstreams')
      .select('id')
      .where('id', '=', upstreamId)
      .forUpdate()
      .executeTakeFirst()
    if (upstream === undefined) return
    const before = await transaction.selectFrom('settings').select(['name', 'value']).where('name', '=', name).execute()
    const notes = withRefusal(before.flatMap(notesOf), note, nowMs)
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

/** Deletes the refusals of an upstream that goes. */
export async function forgetRefusals(transaction: TablesTransaction, upstreamId: string): Promise<void> {
  await transaction.deleteFrom('settings').where('name', 'like', `${PREFIX}${upstreamId}:%`).execute()
}

/** Forgets the targets of which nothing is left, where there are too many. */
async function hasRoom(transaction: TablesTransaction, nowMs: number): Promise<boolean> {
  const rows = await transaction
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'like', `${PREFIX}%`)
    .execute()
  if (rows.length < LEARNING_TARGETS_LIMIT) return true
  const over = rows.filter((row) => notesOf(row).every(({ refusedAt }) => refusedAt + REMEMBERED_MS <= nowMs))
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
function notesOf({ name, value: text }: { readonly name: string; readonly value: string }): readonly RefusalNote[] {
  const [upstreamId = '', ...model] = name.slice(PREFIX.length).split(':')
  return (JSON.parse(text) as readonly StoredRefusal[]).flatMap(({ setting, value, at, said, mark }): RefusalNote[] => {
    const known = DROPPABLE_SETTING_NAMES.find((each) => each === setting)
    if (known === undefined) return []
    return [{ upstreamId, model: model.join(':'), setting: known, value, refusedAt: at, said, mark }]
  })
}
