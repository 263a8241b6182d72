import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskStanding } from '../../control/system.ts'
import type { Store } from '../../store/store.ts'
import type { Settings } from '../installation/environment.ts'
import { growthOf, readSizes } from './size-notes.ts'

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
