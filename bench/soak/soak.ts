/**
 * A soak: streams are opened and left by their clients at a steady pace, for minutes. Then everything comes to rest, and
 * what is still there was left behind.
 */
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { runTollgate } from '../../test/support/gateway-process.ts'
import type { Stats } from '../../tools/fake-upstream/books.ts'
import { JobProcess } from '../job-process.ts'
import { type FeaturesUsed, readFeaturesUsed } from './features-used.ts'
import { type KeptMemory, readKeptMemory } from './kept-memory.ts'
import { type ProcessLevels, readLevels } from './levels.ts'
import { type MemoryTrend, MemoryWatch, trendOf } from './memory-trend.ts'
import { type SoakSetting, startSetting } from './soak-setting.ts'
import { longestMs, type StreamJob, type StreamReport } from './stream-load.ts'
import { type AskedStreams, readHolds, readRecords, type WrittenHolds, type WrittenRecords } from './written-state.ts'

export interface SoakOptions {
  readonly streamsPerSecond: number
  readonly seconds: number
  /** So many streams are open at a time: what is due beyond them is not opened. */
  readonly mostOpen: number
  /** Opened after the warm-up, however long a busy machine takes for them; left out: as many as come. */
  readonly leastOpened?: number
  /** So long it goes on before what is there is taken as the level to come back to. */
  readonly warmUpSeconds: number
  /** Needs minutes: memory is compared at two rests, after the warm-up and after the load. */
  readonly watchesMemory: boolean
  readonly seed: number
  /** Threads of the gateway that carry requests. */
  readonly workers: number
  /** An empty one. */
  readonly directory: string
  /** Hears what is being done. */
  say(line: string): void
}

type Levels = ProcessLevels & { readonly kept: KeptMemory }

/** Everything a verdict needs. */
export interface SoakEvidence {
  readonly options: SoakOptions
  readonly load: StreamReport
  readonly warmUp: StreamReport
  /** The time until the upstream had no open request, once the last client had left; null: it always had some. */
  readonly cancelledInMs: number | null
  readonly upstream: Stats
  readonly before: Levels
  readonly after: Levels
  /** The slots of all keys that the gateway reports as used. */
  readonly slotsInUse: number
  readonly atRest: WrittenHolds
  /** The time until nothing was held any more; null: something always was. */
  readonly givenBackInMs: number | null
  /** While the load ran. */
  readonly mostResidentMb: number
  readonly memory: MemoryTrend | null
  readonly drainExitCode: number | null
  readonly drainMs: number
  readonly afterDrain: WrittenHolds
  readonly records: WrittenRecords
  /** The last line of `check-ledger`. */
  readonly ledger: string
  readonly features: FeaturesUsed
  /** Deliveries of the gateway of itself, by their path. */
  readonly outside: ReadonlyMap<string, number>
}

/** What was idle for long is given back and closed within this: leases after some 15 s, connections to upstreams after 30 s. */
const REST_WITHIN_MS = 120_000
/** Both rests after which memory is compared are so long at least: the thread that counts tokens ends after a minute. */
const REST_FOR_MEMORY_MS = 80_000
const LOOK_MS = 500
const CANCELLED_WITHIN_MS = 60_000
const CANCELLED_LOOK_MS = 20
const LAST_SECONDS = 1
/** The time that a load may take beyond its own: its last streams are left within a minute. */
const REPORT_WITHIN_MS = 120_000
const SCRAPE_MS = 1_000
/** Memory still finds its level in the first part of a load. */
const BEFORE_TREND_SECONDS = 60

/** Rejects when something cannot be started or asked; what is left behind is for `judge` to see. */
export async function soak(options: SoakOptions): Promise<SoakEvidence> {
  await using parts = new AsyncDisposableStack()
  const setting = await startSetting(options.directory, options.workers)
  parts.defer(() => setting.upstream.stop())
  parts.defer(() => setting.outside.close())
  parts.defer(() => setting.gateway.kill())
  const scraping = setInterval(() => void scrape(setting), SCRAPE_MS)
  parts.defer(() => clearInterval(scraping))
  const watch = parts.adopt(new MemoryWatch(setting.gateway.processId), (one) => one.stop())
  const { warmUpSeconds, seconds, say } = options
  say(`warm-up: ${warmUpSeconds} s`)
  const warmUp = await load(setting, { ...options, label: 'warm-up', seconds: warmUpSeconds })
  if (options.watchesMemory) await rest(setting, REST_FOR_MEMORY_MS)
  else await untilCancelled(setting)
  const before = await allLevelsOf(setting, options)
  say(`load: ${options.streamsPerSecond} streams a second for ${seconds} s`)
  const beganAt = performance.now()
  const report = await load(setting, { ...options, label: 'load', seconds })
  const endedAt = beganAt + seconds * 1_000
  const cancelledInMs = await untilCancelled(setting)
  say('rest')
  const givenBackInMs = await rest(setting, options.watchesMemory ? REST_FOR_MEMORY_MS : 0, before)
  return {
    options,
    load: report,
    warmUp,
    cancelledInMs,
    upstream: await askJson<Stats>(`http://127.0.0.1:${setting.upstream.port}/__stats?requests=0`),
    before,
    after: await allLevelsOf(setting, options),
    slotsInUse: await slotsInUse(setting),
    features: await readFeaturesUsed(setting.gateway),
    outside: setting.outside.received,
    atRest: readHolds(setting.dataDirectory),
    givenBackInMs,
    mostResidentMb: Math.max(...watch.between(beganAt, endedAt).map(({ residentMb }) => residentMb)),
    memory: trendOf(watch.between(beganAt + BEFORE_TREND_SECONDS * 1_000, endedAt)),
    ...(await drain(setting, options, [
      { label: 'warm-up', answered: warmUp.answered },
      { label: 'load', answered: report.answered },
    ])),
  }
}

async function load(
  { gatewayPort, secrets }: SoakSetting,
  { streamsPerSecond, seconds, mostOpen, leastOpened = 0, seed, label }: SoakOptions & { label: string },
): Promise<StreamReport> {
  // The same seed twice would open the same streams twice.
  const ownSeed = label === 'load' ? seed : seed + 1
  const least = label === 'load' ? leastOpened : 0
  const pace = { streamsPerSecond, durationMs: seconds * 1_000, mostOpen, leastOpened: least }
  const running = new JobProcess<StreamJob, StreamReport>({
    main: new URL('./load-main.ts', import.meta.url),
    withinMs: (job) => longestMs(job) + REPORT_WITHIN_MS,
  })
  try {
    return await running.run({ port: gatewayPort, ...pace, seed: ownSeed, label, secrets })
  } finally {
    running.stop()
  }
}

/**
 * Waits until nothing is held any more, and where levels of `before` are given until no more threads and files are open than
 * there were (the thread of the write-ahead file ends when it had nothing to do for a while), or as long as that may take.
 * Returns after how many milliseconds nothing was held.
 */
async function rest(setting: SoakSetting, leastMs: number, before?: ProcessLevels): Promise<number | null> {
  const beganAt = performance.now()
  let givenBackInMs: number | null = null
  for (;;) {
    const { clientSockets, upstreamSockets, otherDescriptors, threads } = await levelsOf(setting)
    const { openRequests, leases, heldNano } = readHolds(setting.dataDirectory)
    const elapsed = performance.now() - beganAt
    const isAtRest = clientSockets + upstreamSockets + openRequests + leases === 0 && heldNano === 0n
    if (isAtRest) givenBackInMs ??= elapsed
    const isAsBefore =
      before === undefined || (otherDescriptors.length <= before.otherDescriptors.length && threads <= before.threads)
    if (elapsed >= leastMs && ((isAtRest && isAsBefore) || elapsed > REST_WITHIN_MS)) return givenBackInMs
    await pause(LOOK_MS)
  }
}

/** The fake upstream's streams go on for minutes: one that ends now was cancelled. */
async function untilCancelled({ upstream }: SoakSetting): Promise<number | null> {
  const beganAt = performance.now()
  for (;;) {
    const { running } = await askJson<Stats>(`http://127.0.0.1:${upstream.port}/__stats?requests=0`)
    const elapsed = performance.now() - beganAt
    if (running === 0) return elapsed
    if (elapsed > CANCELLED_WITHIN_MS) return null
    await pause(CANCELLED_LOOK_MS)
  }
}

async function slotsInUse({ gateway, secrets }: SoakSetting): Promise<number> {
  let sum = 0
  for (const secret of secrets) {
    const standing = await askJson<Standing>(`${gateway.origin}/v1/usage`, { authorization: `Bearer ${secret}` })
    const slots = standing.rate_limits.find(({ type }) => type === 'concurrency')
    if (slots === undefined) throw new Error('GET /v1/usage names no concurrency')
    sum += slots.used
  }
  return sum
}

interface Standing {
  readonly rate_limits: readonly { readonly type: string; readonly used: number }[]
}

/** Once more for a moment, so that there is something to give back when it has to stop. */
async function drain(setting: SoakSetting, options: SoakOptions, asked: readonly AskedStreams[]) {
  const { gateway, environment, dataDirectory } = setting
  const label = 'last'
  const { answered } = await load(setting, { ...options, label, seconds: LAST_SECONDS })
  const beganAt = performance.now()
  const drainExitCode = await gateway.stop()
  const drainMs = performance.now() - beganAt
  const { stdout } = await runTollgate(environment, ['check-ledger'])
  return {
    drainExitCode,
    drainMs,
    afterDrain: readHolds(dataDirectory),
    records: readRecords(dataDirectory, [...asked, { label, answered }]),
    ledger: stdout.trimEnd().split('\n').at(-1) ?? '',
  }
}

function levelsOf({ gateway, gatewayPort, upstream, outside }: SoakSetting): Promise<ProcessLevels> {
  const { processId } = gateway
  return readLevels({ processId, port: gatewayPort, upstreamPort: upstream.port, outsidePort: outside.port })
}

async function allLevelsOf(setting: SoakSetting, { directory }: SoakOptions): Promise<Levels> {
  const levels = await levelsOf(setting)
  return { ...levels, kept: await readKeptMemory(setting.gateway.processId, directory) }
}

/** Scrapes as Prometheus does, but more often. A gateway that is busy or ends may leave one unanswered. */
async function scrape({ gateway }: SoakSetting): Promise<void> {
  await fetch(`${gateway.origin}/metrics`, { headers: { connection: 'close' } })
    .then((answer) => answer.text())
    .catch(() => {})
}

/** Asks on a connection of its own, which is closed afterwards: a kept one would count as a client's. */
async function askJson<Answer>(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = request(url, { agent: false, headers }, (response) => {
    json(response).then((answer) => resolve(answer as Answer), reject)
  })
  outgoing.once('error', reject)
  outgoing.end()
  return promise
}
