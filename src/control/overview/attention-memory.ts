import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { AttentionItemView, SnoozedItemView } from '../../contract/attention.ts'
import type { Logger } from '../../core/log.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { noteInPassing } from '../note-in-passing.ts'
import type { ChangeableStores, KeptSettings } from '../changeable-stores.ts'
import type { FoundItem } from './attention-item.ts'

/** What is kept of an item that is not to be shown for a time. Times are epoch milliseconds. */
export interface Snooze {
  readonly untilMs: number
  readonly by: string
  readonly reason: string
}

const SEEN = 'attention_seen'
const SNOOZED = 'attention_snoozed'
const ID_CHARACTERS = 22
/** Room for as many as are listed, and for some that come and go. */
const MOST_KEPT = 500

/**
 * Gives each item its id, and those of which nothing says since when they are the moment at which they were first listed;
 * takes those out that an admin has put off. That moment is kept while an item stands: once it is healed it begins anew. What
 * one node alone sees stands until that node finds it healed, or is gone.
 */
export async function remembered(
  found: readonly FoundItem[],
  nowMs: number,
  place: SeenPlace,
): Promise<{ readonly items: readonly AttentionItemView[]; readonly snoozed: readonly SnoozedItemView[] }> {
  const items = found.map((item) => ({ ...item, id: idOf(item) }))
  const [seen, snoozes] = await Promise.all([noteSeen(items, nowMs, place), readSnoozes(place.settings, nowMs)])
  const dated = items.map((item) => ({ ...item, since: item.since ?? timeOnWire(seen.get(item.id) ?? nowMs) }))
  return {
    items: dated.filter(({ id }) => !snoozes.has(id)),
    snoozed: dated.flatMap((item) => {
      const snooze = snoozes.get(item.id)
      if (snooze === undefined) return []
      return [{ ...item, snoozed: { until: timeOnWire(snooze.untilMs), by: snooze.by, reason: snooze.reason } }]
    }),
  }
}

/** Snoozes that still hold, by the ids of their items. */
async function readSnoozes(settings: Pick<KeptSettings, 'read'>, nowMs: number): Promise<ReadonlyMap<string, Snooze>> {
  return snoozesIn(await settings.read(SNOOZED), nowMs)
}

/** Within a change. `snooze` null: they are shown again. Returns how each of them stood before. */
export async function setSnoozes(
  { settings }: Pick<ChangeableStores, 'settings'>,
  { ids, snooze, nowMs }: { readonly ids: readonly string[]; readonly snooze: Snooze | null; readonly nowMs: number },
): Promise<ReadonlyMap<string, Snooze>> {
  const before = snoozesIn(await settings.lock(SNOOZED, '{}'), nowMs)
  const after = new Map(before)
  for (const id of ids) {
    after.delete(id)
    if (snooze !== null) after.set(id, snooze)
  }
  // Those that were set longest ago go first.
  await settings.write(SNOOZED, JSON.stringify(Object.fromEntries([...after].slice(-MOST_KEPT))))
  return before
}

/** An id that the same thing always gets, however it is worded and whatever its figures are. */
function idOf(item: FoundItem): string {
  const { kind, model, group, credential, order, way } = item
  const about = [item.upstream?.id, item.account?.id, item.disk?.of, item.clock?.host, item.node?.host]
  const text = JSON.stringify([kind, model, group, credential, order, way, ...about.map((each) => each ?? null)])
  return createHash('sha256').update(text).digest('base64url').slice(0, ID_CHARACTERS)
}

/** Where is written down what was seen, and by whom. */
export interface SeenPlace {
  readonly settings: KeptSettings
  readonly nodes: readonly SeeingNode[]
  readonly log: Pick<Logger, 'warn'>
}

/** A node that serves. */
interface SeeingNode {
  readonly id: string
  /** Whether it is the node that answers. */
  readonly here: boolean
}

/** What only the node sees that it is of: others that do not find it say nothing of it. */
const OF_ONE_NODE: ReadonlySet<FoundItem['kind']> = new Set([
  'disk_full',
  'spend_cap',
  'backup_old',
  'store_failing',
  'renewal_failing',
])

/** When an item was first listed, and by which nodes it is seen; of what every node sees that is empty. */
interface Sighting {
  readonly at: number
  readonly by: readonly string[]
}

/** When each was first listed. Written down only where an item came or went; of two nodes at once the later one counts. */
async function noteSeen(
  items: readonly (FoundItem & { readonly id: string })[],
  nowMs: number,
  { settings, nodes, log }: SeenPlace,
): Promise<ReadonlyMap<string, number>> {
  const text = await settings.read(SEEN)
  const before = new Map(Object.entries(parsed(text, storedSeen)).map(([id, seen]) => [id, readSeen(seen)] as const))
  const here = nodes.find((node) => node.here)?.id ?? ''
  const others = new Set(nodes.filter((node) => !node.here).map(({ id }) => id))
  const seenElsewhere = (id: string): readonly string[] => before.get(id)?.by.filter((node) => others.has(node)) ?? []
  const found = items.map(({ id, kind }): readonly [string, Sighting] => {
    const by = OF_ONE_NODE.has(kind) ? [...seenElsewhere(id), here].toSorted() : []
    return [id, { at: before.get(id)?.at ?? nowMs, by }]
  })
  const isFound = new Set(items.map(({ id }) => id))
  const ofOthers = [...before].flatMap(([id, { at }]): readonly (readonly [string, Sighting])[] => {
    const by = isFound.has(id) ? [] : seenElsewhere(id)
    return by.length === 0 ? [] : [[id, { at, by }]]
  })
  const after = new Map([...found, ...ofOthers].slice(0, MOST_KEPT))
  const written = JSON.stringify(Object.fromEntries([...after].toSorted(([a], [b]) => (a < b ? -1 : 1))))
  if (written !== (text ?? '{}')) await noteInPassing(settings.write(SEEN, written), log)
  return new Map([...after].map(([id, { at }]) => [id, at]))
}

/** Earlier versions wrote the moment alone. */
const storedSeen = z.record(z.string(), z.union([z.number(), z.object({ at: z.number(), by: z.array(z.string()) })]))

function readSeen(seen: number | Sighting): Sighting {
  return typeof seen === 'number' ? { at: seen, by: [] } : seen
}

const storedSnoozes = z.record(
  z.string(),
  z.object({ untilMs: z.number(), by: z.string(), reason: z.string() }).strict(),
)

function snoozesIn(text: string | null, nowMs: number): ReadonlyMap<string, Snooze> {
  return new Map(Object.entries(parsed(text, storedSnoozes)).filter(([, { untilMs }]) => untilMs > nowMs))
}

/** An entry of another version may have another form: it is left aside. */
function parsed<Value extends object>(text: string | null, schema: z.ZodType<Value>): Value | Record<string, never> {
  const read = schema.safeParse(JSON.parse(text ?? '{}'))
  return read.success ? read.data : {}
}
