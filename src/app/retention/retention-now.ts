import type { RetentionView } from '../../contract/retention.ts'
import type { ArchiveKind, RetentionStore } from '../../metering/usage/retention.ts'
import type { Settings } from '../installation/environment.ts'
import { RETENTION_VARIABLES } from '../installation/retention-variables.ts'
import type { RetentionNotes } from './retention-notes.ts'
import { archiveDirectory, endsOf, type RetentionSettings } from './retention-run.ts'

const MOST_ARCHIVES = 50

const KINDS = {
  usage: 'keepUsage',
  refusals: 'keepRefusals',
  tries: 'keepTries',
  audit: 'keepAudit',
} as const satisfies Readonly<Record<ArchiveKind, keyof Settings>>

/** The periods, what goes with the next run, what the last one did, and the archives. `nowMs`: epoch milliseconds. */
export async function retentionNow(
  nowMs: number,
  parts: {
    readonly store: { readonly retention: Pick<RetentionStore, 'count' | 'archives'> }
    readonly settings: RetentionSettings
    readonly notes: Pick<RetentionNotes, 'now'>
  },
): Promise<Omit<RetentionView, 'looked_at'>> {
  const { store, settings, notes } = parts
  const ends = new Map(endsOf(settings, nowMs))
  const [archives, kinds] = await Promise.all([
    store.retention.archives(),
    Promise.all(
      (Object.keys(KINDS) as ArchiveKind[]).map(async (kind) => {
        const beforeMs = ends.get(kind) ?? null
        const due = beforeMs === null ? null : await store.retention.count(kind, beforeMs)
        const name = KINDS[kind]
        const before = beforeMs === null ? null : new Date(beforeMs).toISOString()
        return { kind, variable: RETENTION_VARIABLES[name].name, keep_days: settings[name], before, due }
      }),
    ),
  ])
  const newest = archives.toSorted((a, b) => b.writtenAt - a.writtenAt).slice(0, MOST_ARCHIVES)
  return {
    kinds,
    keep_sessions_days: settings.keepSessions,
    archive_directory: archiveDirectory(settings),
    run: notes.now,
    archived: {
      files: archives.length,
      records: archives.reduce((sum, { records }) => sum + records, 0),
      bytes: archives.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    archives: newest.map(({ name, kind, dayAt, records, bytes, writtenAt, isFinished }) => ({
      name,
      kind,
      day: new Date(dayAt).toISOString().slice(0, 10),
      records,
      bytes,
      written_at: new Date(writtenAt).toISOString(),
      finished: isFinished,
    })),
  }
}
