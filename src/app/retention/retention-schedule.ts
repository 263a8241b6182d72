/** Retention in a running gateway: a look soon after the start, and then once an hour. Its code is loaded by the first. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { RetentionStore } from '../../metering/usage/retention.ts'
import { PeriodicTask } from '../periodic-task.ts'
import type { RetentionNotes } from './retention-notes.ts'
import type { RetentionOutcome, RetentionSettings } from './retention-run.ts'

const LOOK_EVERY_MS = 3_600_000
/** Nodes that were started at once do not look at once. */
const FIRST_LOOK_MS = 60_000

export interface RetentionSchedule {
  /** Ends the portion that is under way; the next run goes on from there. */
  stop(): Promise<void>
}

export function startRetention(options: {
  readonly store: { readonly retention: RetentionStore }
  readonly settings: RetentionSettings
  readonly clock: Clock
  readonly log: Logger
  readonly notes: RetentionNotes
}): RetentionSchedule {
  const { store, settings, clock, log, notes } = options
  const end = new AbortController()
  const run = async () => {
    const { RetentionRun } = await import('./retention-run.ts')
    return new RetentionRun({
      store: store.retention,
      settings,
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      randomBytes,
      pause: (ms) => pause(ms, undefined, { signal: end.signal, ref: false }).catch(() => {}),
      isStopped: () => end.signal.aborted,
      onProgress: () => {},
      counts: false,
    }).run()
  }
  let began = 0
  const noted = (
    what: Pick<RetentionOutcome, 'retired' | 'sessions' | 'archives' | 'unusable'>,
    failure: string | null,
  ) => notes.ended(what, { atMs: clock.now(), tookMs: Math.round(clock.elapsed() - began), failure })
  const firstAfterMs = FIRST_LOOK_MS + randomBytes(1).readUInt8() * 1_000
  notes.planned(clock.now() + firstAfterMs)
  const task = new PeriodicTask({
    async run() {
      began = clock.elapsed()
      notes.began(clock.now() + LOOK_EVERY_MS)
      const outcome = await run()
      noted(outcome, null)
      say(outcome, log)
    },
    onError(error) {
      if (end.signal.aborted) return
      noted(NOTHING, error instanceof Error ? error.message : String(error))
      log.error({ err: error }, 'failed to delete what is too old; will retry in an hour')
    },
  }).start({ firstAfterMs, everyMs: LOOK_EVERY_MS })
  return {
    stop() {
      end.abort()
      return task.stop()
    },
  }
}

const NOTHING = { retired: { usage: 0, refusals: 0, tries: 0, audit: 0 }, sessions: 0, archives: [], unusable: [] }

function say(outcome: RetentionOutcome, log: Logger): void {
  const { retired, sessions, archives, unusable, elsewhere, waiting, daysApart } = outcome
  if (daysApart === 'refused') log.warn(TOO_FAR_AHEAD)
  if (waiting.length > 0) {
    log.info({ archives: waiting }, 'archived days that go later: others used the table of usage records')
  }
  if (unusable.length > 0) {
    log.error(
      { archives: unusable },
      'found archives missing or changed whose records were not all deleted: put them back',
    )
  }
  if (elsewhere.length > 0) {
    log.warn(
      { archives: elsewhere },
      'found archives of another directory with records that nothing deletes any more: start the node that has it, or share one directory',
    )
  }
  const count = sessions + Object.values(retired).reduce((sum, each) => sum + each, 0)
  if (count > 0) log.info({ ...retired, sessions, archives: archives.length }, 'deleted what was too old')
}

/** Why days are not parts of the table, in words for a log and a terminal. */
export const TOO_FAR_AHEAD =
  'usage_records has records of more than ten days ahead, written while a clock was wrong, so it does not become a table of days, and old records are deleted row by row'
