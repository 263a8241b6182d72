import type { KeptSettings } from '../../control/changeable-stores.ts'

/** Sizes of the database by day (since 1970, UTC), oldest first. */
export type SizeNotes = readonly (readonly [day: number, bytes: number])[]

const NAME = 'database_sizes'
const DAY_MS = 86_400_000
const MOST_DAYS = 31

/** Keeps the first size of each day, of the last month, and returns them. What cannot be written now is kept by the next look. */
export async function noteSize(store: KeptSettings, bytes: number, nowMs: number): Promise<SizeNotes> {
  const today = Math.floor(nowMs / DAY_MS)
  const known = await readSizes(store)
  if (known.some(([day]) => day === today)) return known
  const notes = [...known, [today, bytes] as const].slice(-MOST_DAYS)
  await store.write(NAME, JSON.stringify(notes)).catch(() => {})
  return notes
}

/** What is known, oldest first. */
export async function readSizes(store: Pick<KeptSettings, 'read'>): Promise<SizeNotes> {
  return readNotes(await store.read(NAME))
}

/** Bytes a day since the oldest note; null: it is less than a day old. */
export function growthOf(notes: SizeNotes, bytes: number, nowMs: number): number | null {
  const [oldest] = notes
  if (oldest === undefined) return null
  const days = nowMs / DAY_MS - oldest[0]
  return days < 1 || notes.length < 2 ? null : Math.round((bytes - oldest[1]) / days)
}

function readNotes(stored: string | null): SizeNotes {
  const rows: unknown = JSON.parse(stored ?? '[]')
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row: unknown) => {
    if (!Array.isArray(row)) return []
    const [day, bytes]: unknown[] = row
    return typeof day === 'number' && typeof bytes === 'number' ? [[day, bytes] as const] : []
  })
}
