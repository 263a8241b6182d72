import { setTimeout as pause } from 'node:timers/promises'
import type { ArchiveKind } from '../../metering/usage/retention.ts'
import { changesBetween } from '../../access/audit.ts'
import type { Store } from '../../store/store.ts'
import { readEnvironment, type Settings } from '../installation/environment.ts'
import { archiveDirectory, endsOf, RetentionRun, STEPS, Stopped } from '../retention/retention-run.ts'
import type { RetentionOutcome } from '../retention/retention-run.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import { auditedChange } from '../audited-change.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { CountedProgress } from './progress.ts'
import { withStore } from './with-installation.ts'
import { TOO_FAR_AHEAD } from '../retention/retention-schedule.ts'

/** Deletes now what a running gateway deletes once an hour; with --check only says what that is. */
export const retention: CommandRun = (call, host) => {
  const settings = readEnvironment(host.environment)
  return withStore(host, (store) =>
    call.has('check') ? check(settings, { store, host }) : run(settings, { store, host }),
  )
}

interface RetentionParts {
  readonly store: Store
  readonly host: CliHost
}

async function check(settings: Settings, { store, host }: RetentionParts): Promise<number> {
  const ends = endsOf(settings, host.nowMs())
  for (const [kind, beforeMs] of ends) {
    const count = await store.retention.count(kind, beforeMs)
    host.print(`${STEPS[kind]} from before ${dayOf(beforeMs)}: ${count.toLocaleString('en')}\n`)
  }
  if (ends.length === 0) host.print('Nothing is deleted but expired sessions and old alerts: no period is set.\n')
  else host.remark(`They would be written to ${archiveDirectory(settings)} first.\n`)
  return 0
}

async function run(settings: Settings, { store, host }: RetentionParts): Promise<number> {
  await noteBegin(settings, { store, host })
  const stop = new AbortController()
  const unhook = host.onStopSignal((signal) => {
    if (stop.signal.aborted) host.endBy(signal)
    stop.abort(new StoppedBySignal('Stopped. The next run goes on from there.', signal))
  })
  const progress = new CountedProgress(host)
  const work = new RetentionRun({
    store: store.retention,
    settings,
    now: () => host.nowMs(),
    elapsed: () => performance.now(),
    randomBytes: (count) => host.randomBytes(count),
    pause: (ms) => pause(ms, undefined, { signal: stop.signal }).catch(() => {}),
    isStopped: () => stop.signal.aborted,
    onProgress: progress.at,
    counts: true,
  })
  try {
    const outcome = await work.run()
    progress.end()
    return sayOutcome(outcome, { settings, host, stopped: stop.signal })
  } catch (error) {
    progress.end()
    if (error instanceof Stopped) stop.signal.throwIfAborted()
    throw error
  } finally {
    unhook()
  }
}

/** Audits the run before anything is deleted, in many transactions: by hand, periods may be others than the gateway has. */
async function noteBegin(settings: Settings, { store, host }: RetentionParts): Promise<void> {
  const nowMs = host.nowMs()
  const ends = endsOf(settings, nowMs)
  if (ends.length === 0) return
  const before = Object.fromEntries(
    ends.map(([kind, beforeMs]) => [`${kind}_before`, new Date(beforeMs).toISOString()]),
  )
  const changes = changesBetween({}, before)
  await auditedChange({ store, nowMs }, (_stores, audit) =>
    audit({ action: 'system.retention', subject: null, accountId: null, changes }),
  )
}

function sayOutcome(
  { retired, sessions, archives, unusable, elsewhere, waiting, daysApart }: RetentionOutcome,
  { settings, host, stopped }: { settings: Settings; host: CliHost; stopped: AbortSignal },
): number {
  for (const kind of Object.keys(retired) as ArchiveKind[]) {
    if (retired[kind] > 0) host.print(`deleted: ${retired[kind].toLocaleString('en')} ${STEPS[kind]}\n`)
  }
  if (sessions > 0) host.print(`deleted: ${sessions.toLocaleString('en')} expired sessions\n`)
  if (archives.length > 0) host.print(`written: ${archives.length} archives in ${archiveDirectory(settings)}\n`)
  if (daysApart === 'refused') host.remark(`${TOO_FAR_AHEAD}\n`)
  stopped.throwIfAborted()
  if (unusable.length > 0) {
    throw new CommandFailure(
      `These archives are missing in ${archiveDirectory(settings)} or were changed, although not all that they have was deleted: ${unusable.join(', ')}. Put them back, and run it again.`,
    )
  }
  if (elsewhere.length > 0) {
    throw new CommandFailure(
      `These archives are in the directory of another node, which has not gone on with them for a day: ${elsewhere.join(', ')}. Run it there, or share one directory.`,
    )
  }
  if (waiting.length > 0) {
    throw new CommandFailure(
      `Others used the table of usage records all the while, so these days are archived and still there: ${waiting.join(', ')}. Run it again; a running gateway does so within an hour.`,
    )
  }
  const isNothing = sessions === 0 && archives.length === 0 && Object.values(retired).every((count) => count === 0)
  if (isNothing) host.print('Nothing is old enough.\n')
  return 0
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
