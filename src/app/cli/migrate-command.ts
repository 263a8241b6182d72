import { rmSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBackup } from '../../store/backup.ts'
import { type MigrationPlan, planMigration, type SizedEffect } from '../../store/pending-migrations.ts'
import type { Store } from '../../store/store.ts'
import { noteFor } from '../backups/take-backup.ts'
import { readEnvironment, type Settings } from '../installation/environment.ts'
import { openDatabase, requireInstallation } from '../opening/open-installation.ts'
import { CommandFailure, UsageError, type CliHost } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { endBySignal } from './end-by-signal.ts'
import { opening } from './opening.ts'
import { megabytes, Progress } from './progress.ts'

/** Brings the tables up to this version; `--check` changes nothing. */
export const migrate: CommandRun = async (call, host) => {
  const settings = readEnvironment(host.environment)
  if (call.has('check')) {
    if (call.has('no-copy')) throw new UsageError('--check changes nothing, so it takes no --no-copy.')
    return check(settings, host)
  }
  const engine = await migrated(settings, opening(host, { copiesFirst: !call.has('no-copy') }))
  host.print(`The ${engine} database is up to date.\n`)
  return 0
}

/** Opening it is what migrates it. */
async function migrated(settings: Settings, how: ReturnType<typeof opening>): Promise<Store['engine']> {
  using options = how
  const store = await openDatabase(settings, options)
  await store.close()
  return store.engine
}

async function check(settings: Settings, host: CliHost): Promise<number> {
  requireInstallation(settings)
  const where = { databaseUrl: settings.databaseUrl, dataDirectory: settings.dataDir }
  const plan = await planMigration(where).catch((error: unknown) => {
    throw error instanceof Error ? new CommandFailure(`${capital(error.message)}.`) : error
  })
  const { steps, engine } = plan
  if (steps.length === 0) {
    host.print(`up to date: the ${engine} database needs no step.\n${daysOf(plan, settings)}`)
    return 0
  }
  host.print(`${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, in one transaction:\n`)
  for (const { name, effects } of steps) host.print(`  ${name}: ${effects.map(sentenceOf).join('; ') || 'nothing'}\n`)
  host.print(engine === 'sqlite' ? await triedOnCopy(settings, host) : `${waitsOf(plan)}${daysOf(plan, settings)}`)
  return 0
}

const WORDS: Readonly<Record<SizedEffect['kind'], string>> = {
  makes: 'makes',
  alters: 'changes the columns of',
  indexes: 'indexes',
  rewrites: 'writes rows of',
  drops: 'drops',
}

function sentenceOf({ kind, table, rows }: SizedEffect): string {
  const size = rows === null || kind === 'makes' ? '' : ` (${rows.toLocaleString('en')} rows)`
  return `${WORDS[kind]} ${table ?? 'what it made'}${size}`
}

/** The time is measured, on a copy that is deleted again. */
async function triedOnCopy(settings: Settings, host: CliHost): Promise<string> {
  const { dataDir } = settings
  const directory = await mkdtemp(join(dataDir, '.migrate-check-'))
  const clear = (): void => rmSync(directory, { recursive: true, force: true })
  const unhook = endBySignal(host, 'Stopped. Nothing was left behind.', clear)
  const progress = new Progress(host, 'Trying it on a copy')
  try {
    const note = await noteFor(
      { ...settings, backupPassphrase: null },
      { randomBytes: host.randomBytes, nowMs: host.nowMs() },
    )
    const copy = join(directory, 'tollgate.db')
    await writeBackup(dataDir, copy, { note, onProgress: progress.at })
    progress.end()
    const { size } = await stat(copy)
    const began = host.nowMs()
    await migrated({ ...settings, dataDir: directory }, opening(host, { copiesFirst: false, draft: directory }))
    const seconds = ((host.nowMs() - began) / 1000).toFixed(1)
    return `The embedded database (${megabytes(size)}) takes no writes meanwhile; on a copy of it that was ${seconds} s. Before that, a copy of ${megabytes(size)} is made in ${dataDir}.\n`
  } finally {
    progress.end()
    unhook()
    await rm(directory, { recursive: true, force: true })
  }
}

/** What a server reads and writes in a second where nothing else is known: a slow disk, and no cache. */
const BYTES_A_SECOND = 50_000_000

function waitsOf({ steps }: MigrationPlan): string {
  const effects = steps.flatMap((step) => step.effects)
  const tables = (kinds: readonly SizedEffect['kind'][]) =>
    [
      ...new Set(effects.filter(({ kind, rows }) => kinds.includes(kind) && rows !== null).map(({ table }) => table)),
    ].join(', ')
  const read = effects.filter(({ kind }) => kind === 'indexes' || kind === 'rewrites')
  const bytes = read.reduce((sum, each) => sum + (each.bytes ?? 0), 0)
  const closed = tables(['alters', 'drops'])
  const noWrites = tables(['indexes', 'rewrites'])
  const lines = [
    closed === '' ? '' : `Nothing reads or writes meanwhile: ${closed} (ACCESS EXCLUSIVE).\n`,
    noWrites === '' ? '' : `Nothing writes meanwhile: ${noWrites} (SHARE, or locks of the rows).\n`,
    `About ${secondsFor(bytes)} s for ${megabytes(bytes)} that are read, once the locks are had; an estimate.\n`,
    'PostgreSQL is not copied before: make a dump first (pg_dump).\n',
  ]
  return lines.join('')
}

/** Where usage records have a period, the gateway makes their table one of days, apart from any step: see `daily-partitions.ts`. */
function daysOf({ plainUsageBytes: bytes }: MigrationPlan, { keepUsage }: Settings): string {
  if (bytes === null || keepUsage === null) return ''
  return (
    `Once it runs, the gateway makes usage_records a table of days, so that days can be dropped (TOLLGATE_KEEP_USAGE_DAYS): ` +
    `${megabytes(bytes)} are read beside all requests (SHARE UPDATE EXCLUSIVE), about ${secondsFor(bytes)} s, ` +
    'and twice nothing reads or writes it for some hundredths of a second (ACCESS EXCLUSIVE). Nothing is copied.\n'
  )
}

function secondsFor(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BYTES_A_SECOND))
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
