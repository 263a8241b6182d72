import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/durations.ts'
import type { DiskStanding } from '../../control/system.ts'
import type { Store } from '../../store/store.ts'
import type { Settings } from '../installation/environment.ts'
import type { KeptSettings } from '../../control/changeable-stores.ts'

export interface Disk {
  readonly bytes: number
  readonly freeBytes: number
}

/** The disk that a directory is on, with what the gateway may still write there; null: it cannot be seen. */
export async function diskOf(directory: string): Promise<Disk | null> {
  const disk = await statfs(directory).catch(() => null)
  return disk === null ? null : { bytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize }
}

/** The disks that the gateway writes to, each once however many of its directories are there. Never rejects. */
export async function disksNow(
  settings: Pick<Settings, 'dataDir' | 'backupDir' | 'archiveDir'>,
  store: Pick<Store, 'engine' | 'settings'>,
  nowMs: number,
): Promise<readonly DiskStanding[]> {
  const { dataDir, backupDir, archiveDir } = settings
  const directories = [
    { name: 'data', path: dataDir },
    { name: 'backups', path: backupDir },
    { name: 'archive', path: archiveDir },
  ] as const
  const seen = new Set<number>()
  const disks: DiskStanding[] = []
  for (const { name, path } of directories) {
    const device = path === null ? null : await stat(path).catch(() => null)
    if (path === null || device === null || seen.has(device.dev)) continue
    seen.add(device.dev)
    const disk = await diskOf(path)
    // Some file systems have no size.
    if (disk === null || disk.bytes === 0) continue
    const growthPerDay = name === 'data' ? await growthOfDatabase(dataDir, store, nowMs) : null
    disks.push({ of: name, ...disk, growthPerDay })
  }
  return disks
}

async function growthOfDatabase(
  dataDir: string,
  { engine, settings }: Pick<Store, 'engine' | 'settings'>,
  nowMs: number,
): Promise<number | null> {
  if (engine !== 'sqlite') return null
  const file = await stat(join(dataDir, 'tollgate.db')).catch(() => null)
  return file === null ? null : growthOf(await readSizes(settings), file.size, nowMs)
}

/** Sizes of the database by day (since 1970, UTC), oldest first. */
type SizeNotes = readonly (readonly [day: number, bytes: number])[]

const NAME = 'database_sizes'
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
async function readSizes(store: Pick<KeptSettings, 'read'>): Promise<SizeNotes> {
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
