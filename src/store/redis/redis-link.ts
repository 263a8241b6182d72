import { createHash } from 'node:crypto'
import { createClient } from '@redis/client'
import type { Logger } from '../../core/log.ts'
import { evictionWarning } from './eviction.ts'

/** Longer than any server that works takes, shorter than a client notices. */
const ANSWER_MS = 1_000
/** So often it is looked at in that time. */
const ANSWER_LOOKS = 4
const CONNECT_MS = 5_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

export interface RedisLinkOptions {
  readonly url: string
  /** Read for each connection that is made: the same URL, with the login of now. Default: `url`. */
  readonly newestUrl?: () => string
  readonly script: string
  /** A call that shows that the script can be run, and may write. */
  readonly probe: { readonly keys: readonly string[]; readonly args: readonly string[] }
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** The script can be run, for the first time or again: what is sent now is read before all that follows. */
  onReady(): void
}

type Client = ReturnType<typeof newClient>

/**
 * A connection to a Redis or Valkey server that runs one script. Nothing waits in line while there is none, and no call waits
 * for longer than a second: a server that does not answer in that time, or refuses, is connected to anew after a while. It
 * keeps no process alive.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions
  readonly #hash: string
  readonly #warnOfEviction: (memory: string) => void
  #client: Client | null = null
  #isReady = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined
  /** Losses since a call was answered last. */
  #losses = 0
  /** null: not yet known. */
  #saidReady: boolean | null = null

  constructor(options: RedisLinkOptions) {
    this.#options = options
    this.#hash = createHash('sha1').update(options.script).digest('hex')
    this.#warnOfEviction = evictionWarning(options.log)
    this.#connect()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Resolves to the whole numbers that the script returns. Rejects where there is no connection, or no answer in time. */
  async run(keys: readonly string[], args: readonly string[]): Promise<readonly number[]> {
    const client = this.#client
    if (client === null || !this.#isReady) throw new Error('Redis is not connected')
    try {
      const numbers = numbersOf(await inTime(this.#evaluate(client, [...keys], [...args])))
      this.#losses = 0
      return numbers
    } catch (error) {
      this.#lost(client, error)
      throw error
    }
  }

  close(): void {
    this.#isClosed = true
    this.#isReady = false
    clearTimeout(this.#retry)
    this.#client?.destroy()
    this.#client = null
  }

  async #evaluate(client: Client, keys: string[], args: string[]): Promise<unknown> {
    try {
      return await client.evalSha(this.#hash, { keys, arguments: args })
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(this.#options.script, { keys, arguments: args })
    }
  }

  #connect(): void {
    const { url, newestUrl = () => url } = this.#options
    const client = newClient(newestUrl().replace(/^valkey(s?):/, 'redis$1:'))
    this.#client = client
    client.unref()
    client.on('ready', () => void this.#prove(client))
    client.on('error', (error: unknown) => this.#lost(client, error))
    client.connect().catch((error: unknown) => this.#lost(client, error))
  }

  /** The script is there before the first call, so that calls are run in the order in which they are made. */
  async #prove(client: Client): Promise<void> {
    const { script, probe, onReady } = this.#options
    try {
      await inTime(client.scriptLoad(script))
      await inTime(this.#evaluate(client, [...probe.keys], [...probe.args]))
    } catch (error) {
      return this.#lost(client, error)
    }
    if (this.#client !== client || !client.isReady) return
    this.#isReady = true
    this.#say(true)
    onReady()
    // Not every user of a server may ask it this.
    client.info('memory').then(this.#warnOfEviction, () => {})
  }

  /** Gives up a connection whose calls may have been answered or not: a new one begins with what is certain. */
  #lost(client: Client, error: unknown): void {
    if (this.#client !== client || this.#isClosed) return
    this.#isReady = false
    this.#client = null
    this.#say(false, error)
    client.destroy()
    this.#retry = setTimeout(() => this.#connect(), retryMs(this.#losses)).unref()
    this.#losses += 1
  }

  /** Each change once. */
  #say(isReady: boolean, error?: unknown): void {
    if (this.#saidReady === isReady || this.#isClosed) return
    this.#saidReady = isReady
    const { log } = this.#options
    if (isReady) log.info('Redis answers: rate and concurrency limits are exact over all nodes')
    else log.warn({ err: error }, 'Redis does not answer: each node enforces its share of rate and concurrency limits')
  }
}

/** Makes a client with the protocol that every server understands, old and new. */
function newClient(url: string) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    // A link that is lost connects anew by itself, in one way whatever the reason is.
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  })
}

function retryMs(times: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** times, LONGEST_RETRY_MS)
}

/**
 * Rejects where an answer takes too long. A process that stands still finds all its timers run out before it reads what has
 * arrived meanwhile: that takes one look at most, and the server has the rest of the time.
 */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  let looks = 0
  const look = () => {
    looks += 1
    if (looks < ANSWER_LOOKS) timer = setTimeout(look, ANSWER_MS / ANSWER_LOOKS)
    else late.reject(new Error(`Redis did not answer within ${ANSWER_MS} ms`))
  }
  let timer = setTimeout(look, ANSWER_MS / ANSWER_LOOKS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function numbersOf(reply: unknown): readonly number[] {
  if (!Array.isArray(reply) || !reply.every((each) => typeof each === 'number')) {
    throw new Error('Redis answered with something else than whole numbers')
  }
  return reply
}
