import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { BreakableDisk } from './breakable-disk.ts'
import type { CrashableServer } from './crashable-server.ts'
import { SHAKY } from './declared-accounts.ts'
import type { Evidence } from './evidence.ts'
import type { Installation, Living } from './installation.ts'
import type { Sighting } from './watching-client.ts'
import { copyDatabase, readWalTail, spoilLastCommit, tearNextBatch, tearNextFrame } from './wal-tail.ts'
import { leasesOfOthers } from './written-books.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** One kind of round: what is done to an installation, by what means. Its books are looked at when it is over. */
export interface RoundKind<Means> {
  readonly name: string
  play(installation: Installation, means: Means): Promise<void>
}

const HOUR_MS = 3_600_000
/** A settle that cannot be written is waited for so long by its client; see `PATIENCE_MS` in metering/settle-queue.ts. */
const SETTLE_WAIT_MS = 5_000

export const kill: RoundKind<unknown> = {
  name: 'kill -9',
  async play(installation) {
    await killed(installation)
    await drained(installation)
  },
}

/** Killed while it drains: what it was about to write is cut in the middle. */
export const killWhileDraining: RoundKind<unknown> = {
  name: 'kill -9 in the middle of a drain',
  async play(installation) {
    await installation.live(async ({ gateway, load }) => {
      load.stop()
      process.kill(gateway.processId, 'SIGTERM')
      await pause(installation.chance.between(0, 60))
      return 'killed'
    })
    await drained(installation)
  },
}

export const tornFrame: RoundKind<unknown> = {
  name: 'a torn last frame of the write-ahead file, and of the journal',
  async play(installation) {
    const { place, chance } = installation
    await killed(installation)
    await tearNextBatch(place.dataDirectory, chance)
    const tail = await readWalTail(place.dataDirectory)
    const copy = await copyDatabase(place.dataDirectory)
    await spoilLastCommit(copy, await readWalTail(copy), chance)
    // Only a commit that no client learned of may be missing: then it is as if the kill had come before it.
    const maySpoil = !tail.isCopied && (await installation.hasAllThatWasTold({ ...place, dataDirectory: copy }))
    if (maySpoil && chance.isHit(50)) await spoilLastCommit(place.dataDirectory, tail, chance)
    else await tearNextFrame(place.dataDirectory, tail, chance)
    await drained(installation)
  },
}

export const fullDisk: RoundKind<BreakableDisk> = {
  name: 'a full disk',
  play: (installation, disk) =>
    withoutDisk(installation, disk, {
      how: (processId) => disk.fill(processId),
      says: disk.isOwnDisk ? /the disk is full/ : /could not be read or written/,
    }),
}

export const readOnlyDirectory: RoundKind<BreakableDisk> = {
  name: 'a read-only data directory',
  async play(installation, disk) {
    await withoutDisk(installation, disk, {
      how: (processId) => disk.freeze(processId),
      says: /could not be read or written/,
    })
    await disk.seal()
    try {
      const refusal = await installation.failToStart()
      // One sentence for the admin, and not the place in our code.
      expect(refusal).toContain('TOLLGATE_DATA_DIR')
      // With what is in the way and what to do, and not SQLite's "unable to open database file".
      expect(refusal).toMatch(/cannot be opened, since .+: (?:take the mark off|give it the right|mount it)/)
      expect(refusal).not.toContain('    at ')
    } finally {
      await disk.unseal()
    }
  },
}

export const jumps: RoundKind<unknown> = {
  name: 'a clock that jumps',
  async play(installation) {
    const { clock, chance } = installation
    await installation.live(async ({ load }) => {
      const before = clock.offsetMs
      for (let jump = 0; jump < 4; jump++) {
        // Never to a time before the installation was made: its subscriptions would not have begun.
        const furthest = Math.max(30 * HOUR_MS - clock.offsetMs, -clock.offsetMs)
        await jumpBy(installation, chance.between(-clock.offsetMs, furthest))
        await load.whenEnded(chance.between(30, 120))
      }
      await jumpBy(installation, before - clock.offsetMs)
      await load.whenEnded(30)
      return chance.isHit(50) ? 'killed' : 'drained'
    })
    await drained(installation)
  },
}

/** The database server crashes, loses every connection, and recovers from its own journal. */
export const serverCrash: RoundKind<CrashableServer> = {
  name: 'a crash of the database server',
  async play(installation, server) {
    const { troubles } = installation
    await installation.live(async (living) => {
      const from = performance.now()
      await server.crash()
      await becomesWell(living)
      troubles.push({ kind: 'server', from, to: performance.now() })
      return installation.chance.isHit(50) ? 'killed' : 'drained'
    })
    await drained(installation)
  },
}

/** A life under load that ends by a kill, from one instruction to the next. */
async function killed(installation: Installation): Promise<void> {
  await installation.live(async () => {
    await pause(installation.chance.between(0, 15))
    return 'killed'
  })
}

/** A life in which nothing happens: what was left behind is cleared up, all is served, and no client is left without answer. */
async function drained(installation: Installation): Promise<void> {
  const { place, sightings, chance } = installation
  // Windows end and open again from life to life.
  await installation.clock.jump(chance.between(0, 4) * HOUR_MS)
  const before = sightings.length
  await installation.live(async ({ gateway }) => {
    const left = await leasesOfOthers(place, gateway.processId)
    expect(left, 'what dead processes held').toEqual([])
    return 'drained'
  })
  expect(sightings.slice(before).filter((sighting) => wasLeftAlone(sighting))).toEqual([])
}

/** A gateway that stops answers all that had asked before. */
function wasLeftAlone({ hungUp, status }: Sighting): boolean {
  return !hungUp && status === null
}

async function jumpBy(installation: Installation, byMs: number): Promise<void> {
  const from = performance.now()
  await installation.clock.jump(byMs)
  // A jump forward makes the node renew its life: it says that it cannot spend until that is done.
  installation.troubles.push({ kind: 'clock', from, to: from + 3_000 })
}

/** Writes fail under load, for a while. Then they don't, or the gateway is killed before that. */
async function withoutDisk(
  installation: Installation,
  disk: BreakableDisk,
  fault: { how: (processId: number) => Promise<void>; says: RegExp },
): Promise<void> {
  const { chance, troubles } = installation
  const isKilled = chance.isHit(33)
  await installation.live(async (living) => {
    const { gateway, load } = living
    const from = performance.now()
    const before = load.sightings.length
    const isRefused = () => load.sightings.slice(before).some((one) => one.fault === 'store_unavailable')
    await fault.how(gateway.processId)
    try {
      await expect.poll(() => gateway.printed(), { timeout: PATIENCE_MS }).toMatch(fault.says)
      await pause(chance.isHit(33) ? SETTLE_WAIT_MS + chance.between(500, 2_000) : chance.between(0, 800))
      await expect.poll(isRefused, { timeout: PATIENCE_MS, message: 'a client got it' }).toBe(true)
    } finally {
      if (isKilled) load.stop()
      else await disk.repair(gateway.processId)
    }
    if (!isKilled) await becomesWell(living)
    troubles.push({ kind: 'disk', from, to: performance.now() })
    return isKilled ? 'killed' : 'drained'
  })
  if (!isKilled) return
  await disk.repair(null)
  await drained(installation)
}

/** Expects that the gateway becomes well by itself, and soon. */
async function becomesWell({ load }: Pick<Living, 'load'>): Promise<void> {
  const mendedAt = performance.now()
  const isServed = () => load.sightings.some(({ beganAt, sawEnd }) => beganAt > mendedAt && sawEnd)
  await expect.poll(isServed, { timeout: PATIENCE_MS }).toBe(true)
  await load.whenEnded(40)
}

/** Counts of what the rounds are there for. */
export interface Happenings {
  readonly completed: number
  readonly failed: number
  readonly aborted: number
  readonly cutShort: number
  readonly paidBySubscription: number
  /** Whole, by keys with a first group that fails at times: there, and in the next one. */
  readonly servedFirst: number
  readonly servedNext: number
  readonly balanceExhausted: number
  readonly quotaExhausted: number
  readonly subscriptionExhausted: number
  readonly rateLimited: number
}

/** How often the things happened that the rounds are there for: rounds in which they didn't prove nothing. */
export function happenings({ books, sightings, keys }: Evidence): Happenings {
  const unsteady = new Set(keys.filter(({ fallback }) => fallback?.except === null).map(({ id }) => id))
  const goingOn = books.records.filter(({ outcome, key_id }) => outcome === 'completed' && unsteady.has(key_id))
  const first = goingOn.filter(({ group_name }) => group_name === SHAKY).length
  const faults = Map.groupBy(sightings, ({ fault }) => fault)
  const count = (outcome: string) => books.records.filter((record) => record.outcome === outcome).length
  const seen = (fault: string) => faults.get(fault)?.length ?? 0
  return {
    completed: count('completed'),
    failed: count('failed'),
    aborted: count('aborted'),
    cutShort: sightings.filter(({ cutShortAfter }) => cutShortAfter !== null).length,
    paidBySubscription: books.records.filter(({ subscriptions_paid_json }) => subscriptions_paid_json !== null).length,
    servedFirst: first,
    servedNext: goingOn.length - first,
    balanceExhausted: seen('balance_exhausted'),
    quotaExhausted: seen('key_quota_exhausted'),
    subscriptionExhausted: seen('subscription_quota_exhausted'),
    rateLimited: seen('rate_limited'),
  }
}
