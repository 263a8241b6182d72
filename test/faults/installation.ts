import { expect } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import {
  type Environment,
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { inSuite } from '../support/run/suite.ts'
import { audit } from './audit.ts'
import { type Chance, threadsOfRun, workersOfRun } from './chance.ts'
import { POOR } from './declared-accounts.ts'
import { declareLoad, type DeclaredLoad } from './declared-load.ts'
import type { Evidence, Life, Trouble } from './evidence.ts'
import { inUsd } from './expected-charge.ts'
import { type JumpingClock, jumpingClock } from './jumping-clock.ts'
import { Load } from './load.ts'
import { endlessOrders } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import { type BooksPlace, readBooks } from './written-books.ts'

const PARALLEL = 40
const HANG_UP_PERCENT = 12
/** How many requests of a life have come to their end, at least and at most, before something happens to it. */
const ENDED_BEFORE: readonly [least: number, most: number] = inSuite({ long: [40, 160], short: [20, 60] })
const CENT = 10_000_000n
/** The number of complaints kept of each life, and of all of them beside what is red. */
const COMPLAINTS_KEPT = 40
const COMPLAINTS_SHOWN = 120

/** A gateway in the middle of a load. */
export interface Living {
  readonly gateway: GatewayProcess
  readonly load: Load
}

/** One installation through several lives of its gateway, with all that is known of them. */
export class Installation {
  readonly fake: FakeUpstream
  readonly place: BooksPlace
  readonly clock: JumpingClock
  readonly chance: Chance
  readonly lives: Life[] = []
  readonly troubles: Trouble[] = []
  readonly sightings: Sighting[] = []
  readonly #label: string
  readonly #declared: DeclaredLoad
  readonly #environment: Environment
  readonly #running = new Set<GatewayProcess>()
  /** What the gateways of each life complained of: the end of it. */
  readonly #complaints: string[] = []
  #toppedUp = 0n

  private constructor(parts: {
    fake: FakeUpstream
    place: BooksPlace
    clock: JumpingClock
    chance: Chance
    label: string
    declared: DeclaredLoad
  }) {
    const { fake, place, clock, chance, label, declared } = parts
    this.fake = fake
    this.place = place
    this.clock = clock
    this.chance = chance
    this.#label = label
    this.#declared = declared
    const { dataDirectory, databaseUrl } = place
    const server =
      databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, TOLLGATE_SECRET: 'only for tests: 32 bytes and more' }
    this.#environment = gatewayEnvironment(dataDirectory, {
      TOLLGATE_CONFIG: declared.configPath,
      TOLLGATE_DEMO: '0',
      ...clock.environment,
      ...workersOfRun(process.env),
      ...server,
    })
  }

  static async make(place: BooksPlace, { chance, label }: { chance: Chance; label: string }): Promise<Installation> {
    const fake = await startFakeUpstream()
    const [declared, clock] = await Promise.all([declareLoad(fake.url, chance), jumpingClock()])
    return new Installation({ fake, place, clock, chance, label, declared })
  }

  /**
   * One life: the gateway is started, serves a load, meets what `during` has for it, and ends as that says. Nothing is
   * sent after its end, and everything that was has come to its end.
   */
  async live(during: (living: Living) => Promise<Life['ending']>): Promise<void> {
    let ending: Life['ending']
    const gateway = await startGatewayProcess(this.#environment)
    this.#running.add(gateway)
    const beganAt = performance.now()
    const load = new Load(await this.#orders(), { origin: gateway.origin, parallel: PARALLEL })
    const run = load.run()
    try {
      await Promise.all([this.#topUp(), load.whenEnded(this.chance.between(...ENDED_BEFORE))])
      ending = await during({ gateway, load })
    } finally {
      // Also where the round fails: a load that goes on would ask the next server on this port.
      load.stop()
    }
    this.lives.push({ beganAt, endedAt: performance.now(), ending })
    if (ending === 'killed') await gateway.kill()
    else expect(await gateway.stop(), gateway.printed()).toBe(0)
    this.#running.delete(gateway)
    this.#complaints.push(...complaintsIn(gateway.printed()).map((line) => `life ${this.lives.length - 1}: ${line}`))
    this.sightings.push(...(await run))
  }

  /** Tries to start it, which must not succeed. Returns what it says. */
  async failToStart(): Promise<string> {
    return startGatewayProcess(this.#environment).then(
      async (gateway) => {
        await gateway.kill()
        throw new Error('the gateway started, and there it must not')
      },
      (error: unknown) => String(error),
    )
  }

  async evidence(): Promise<Evidence> {
    const { sightings, lives, troubles, place } = this
    await this.fake.whenIdle()
    return {
      sightings,
      lives,
      troubles,
      threads: threadsOfRun(process.env),
      books: await readBooks(place),
      served: this.fake.stats(),
      keys: await this.#declared.keys(place),
      granted: await this.#given(place),
    }
  }

  /** Everything that must hold while no gateway runs, by the harness's own means and by the product's. */
  async check(about: string): Promise<Evidence> {
    const evidence = await this.evidence()
    const found = audit(evidence)
    const complaints = this.#complaints.slice(-COMPLAINTS_SHOWN).join('\n')
    expect(
      found,
      found.length === 0 ? about : `${about}: ${JSON.stringify(found)}; the gateways’ warnings:\n${complaints}\n`,
    ).toEqual([])
    const { code, stdout, stderr } = await runTollgate(this.#environment, ['check-ledger'])
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }, `${about}: ${stderr}${stdout}`).toEqual({
      code: 0,
      last: expect.stringMatching(/^ok/),
    })
    return evidence
  }

  /** Whether the books in this directory hold everything that clients learned of. Opens no other. */
  async hasAllThatWasTold(place: BooksPlace): Promise<boolean> {
    const { records, entries } = await readBooks(place)
    const completed = new Set(records.filter(({ outcome }) => outcome === 'completed').map(({ client }) => client))
    const given = [...(await this.#given(place))].every(([accountId, amount]) => {
      const added = entries.filter(({ account_id, kind }) => account_id === accountId && kind !== 'usage')
      return added.reduce((sum, { amount_nano }) => sum + amount_nano, 0n) === amount
    })
    return given && this.sightings.every(({ sawEnd, order }) => !sawEnd || completed.has(order.tag))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((gateway) => gateway.kill()))
    await this.fake.close()
  }

  async #orders() {
    const declared = await this.#declared.keys(this.place)
    // Plans have the most to run out, and are to come to that.
    const keys = declared.flatMap((key) => (key.limits?.subscription === undefined ? [key] : [key, key, key]))
    const label = `${this.#label}-${this.lives.length}`
    return endlessOrders(this.chance, { label, keys, hangUpPercent: HANG_UP_PERCENT })
  }

  /** The poor account gets some cents, by the command line and beside the load. */
  async #topUp(): Promise<void> {
    const amount = BigInt(this.chance.between(1, 4)) * CENT
    const args = ['account', 'credit', '--email', POOR, '--amount', inUsd(amount), '--reason', 'test']
    const { code, stdout, stderr } = await runTollgate(this.#environment, args)
    expect(code, stderr + stdout).toBe(0)
    this.#toppedUp += amount
  }

  #given(place: BooksPlace): Promise<Map<string, bigint>> {
    return this.#declared.granted(place, this.#toppedUp)
  }
}

/** Lines of level `warn` and above, and what was printed beside the log. */
function complaintsIn(printed: string): string[] {
  const lines = printed
    .split('\n')
    .filter((line) => line !== '' && !/^\{"level":(?:10|20|30|"(?:trace|debug|info)")/.test(line))
  return lines.slice(-COMPLAINTS_KEPT)
}
