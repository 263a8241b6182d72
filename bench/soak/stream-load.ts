/** Opens streams at a steady pace, whatever becomes of those that are open. */
import { Chance } from '../../test/faults/chance.ts'
import { openAndLeave, type StreamEnd } from './left-stream.ts'
import { nextOrder, POINT_NAMES, tagOf, type PointName } from './stream-menu.ts'

export interface StreamJob {
  readonly port: number
  readonly streamsPerSecond: number
  readonly durationMs: number
  readonly seed: number
  /** Begins every stream's tag, so that no two jobs have one in common. */
  readonly label: string
  /** The secrets of the keys that ask for the streams. */
  readonly secrets: readonly string[]
  /** So many at a time: what is due beyond them is not opened. */
  readonly mostOpen: number
  /** Goes on at its pace until so many were opened, where a busy machine opens too few in the time. */
  readonly leastOpened: number
}

/** How long the streams of a job are opened at most. */
export function longestMs({ durationMs, leastOpened }: StreamJob): number {
  return leastOpened === 0 ? durationMs : durationMs * LONGEST
}

export interface StreamReport {
  /** Streams whose request was sent; of those the client left in the middle of it, half of it. */
  readonly opened: number
  /** Opened streams that their client left, at whatever point. */
  readonly left: number
  readonly leftAt: Readonly<Record<PointName, number>>
  /** Left because their point was not reached in time. */
  readonly overdue: number
  /** Not opened because too many were open. */
  readonly skipped: number
  readonly failures: number
  readonly firstFailure: string | null
  readonly mostOpen: number
  /** Streams opened in each whole second. */
  readonly openedPerSecond: readonly number[]
  /** One bit for each number, the lowest first, in base64: whether its client got the head of an answer. */
  readonly answered: string
}

const LOOK_MS = 2
/** Times the duration of a job: longer it does not go on for more streams. */
const LONGEST = 10
/** What is behind is caught up with; more than this at a time would be a burst, not a pace. */
const AT_ONCE = 50
const FAILURE_CHARACTERS = 600

/** Runs one job; resolves when every stream of it is over. */
export async function runStreamLoad(job: StreamJob): Promise<StreamReport> {
  const load = new StreamLoad(job)
  return load.run()
}

class StreamLoad {
  readonly #job: StreamJob
  readonly #chance: Chance
  readonly #answered: Buffer
  readonly #leftAt = Object.fromEntries(POINT_NAMES.map((name) => [name, 0])) as Record<PointName, number>
  readonly #openedPerSecond: number[]
  #asked = 0
  #open = 0
  #mostOpen = 0
  #opened = 0
  #left = 0
  #overdue = 0
  #skipped = 0
  #failures = 0
  #firstFailure: string | null = null
  #beganAt = 0
  #settled: () => void = () => {}

  constructor(job: StreamJob) {
    this.#job = job
    this.#chance = new Chance(job.seed)
    this.#answered = Buffer.alloc(Math.ceil((job.streamsPerSecond * longestMs(job)) / 1_000 / 8) + 1)
    this.#openedPerSecond = Array.from({ length: Math.floor(job.durationMs / 1_000) }, () => 0)
  }

  async run(): Promise<StreamReport> {
    this.#beganAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setInterval(() => {
      if (this.#openDue()) return
      clearInterval(timer)
      resolve()
    }, LOOK_MS)
    await promise
    await this.#lastOver()
    return this.#report()
  }

  /** Opens as many as are due by now; false when the time is over. */
  #openDue(): boolean {
    const { durationMs, streamsPerSecond, leastOpened } = this.#job
    const elapsed = performance.now() - this.#beganAt
    if (elapsed >= (this.#opened < leastOpened ? longestMs(this.#job) : durationMs)) return false
    const due = Math.floor((elapsed * streamsPerSecond) / 1_000) - this.#asked
    for (let i = 0; i < Math.min(due, AT_ONCE); i++) this.#openOne()
    return true
  }

  #openOne(): void {
    const number = this.#asked++
    if (this.#open >= this.#job.mostOpen) {
      this.#skipped++
      return
    }
    const { port, label, secrets } = this.#job
    this.#open++
    this.#mostOpen = Math.max(this.#mostOpen, this.#open)
    const order = nextOrder(this.#chance, { number, secrets })
    const target = { port, tag: tagOf(label, number) }
    openAndLeave(order, target, { sent: () => this.#wasSent(), over: (end) => this.#isOver(end) })
  }

  #wasSent(): void {
    this.#opened++
    const second = Math.floor((performance.now() - this.#beganAt) / 1_000)
    const before = this.#openedPerSecond[second]
    if (before !== undefined) this.#openedPerSecond[second] = before + 1
  }

  #isOver({ order, wasAnswered, isOverdue, failure }: StreamEnd): void {
    this.#open--
    if (wasAnswered) {
      const place = order.number >> 3
      this.#answered.writeUInt8(this.#answered.readUInt8(place) | (1 << (order.number & 7)), place)
    }
    if (isOverdue) this.#overdue++
    if (failure === null) {
      this.#left++
      this.#leftAt[order.point]++
    } else {
      this.#failures++
      this.#firstFailure ??= `${order.wire}, ${order.model}, ${order.point}: ${failure}`.slice(0, FAILURE_CHARACTERS)
    }
    if (this.#open === 0) this.#settled()
  }

  #lastOver(): Promise<void> {
    if (this.#open === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#settled = resolve
    })
  }

  #report(): StreamReport {
    return {
      opened: this.#opened,
      left: this.#left,
      leftAt: this.#leftAt,
      overdue: this.#overdue,
      skipped: this.#skipped,
      failures: this.#failures,
      firstFailure: this.#firstFailure,
      mostOpen: this.#mostOpen,
      openedPerSecond: this.#openedPerSecond,
      answered: this.#answered.toString('base64'),
    }
  }
}
