import type { KeyWithOwner } from '../../access/api-key.ts'
import { captureAt, type CapturedRequest } from '../../access/capture.ts'
import type { CapturedContent } from '../../access/captured-content.ts'
import type { Clock } from '../../core/clock.ts'
import { CAPTURE_REQUESTS, CAPTURES_UNDER_WAY_BYTES } from '../../core/limits.ts'
import { presentedSecret } from '../arrival/caller.ts'
import type { RequestTrace } from '../arrival/request-trace.ts'
import type { ClientRequest, ClientResponse } from '../client-connection.ts'
import { onceClosed } from '../answer/once-closed.ts'
import { CaptureRecording } from './capture-recording.ts'

/** Where captured requests are kept. `app` joins it. */
export interface CaptureKeeper {
  seal(content: CapturedContent): string
  /** Resolves to whether the capture takes more. */
  keep(captureId: string, request: CapturedRequest): Promise<{ readonly takesMore: boolean }>
  noteMissed(captureId: string, count: number): Promise<void>
  /** What a captured request sent and got could not be kept. Said once for each capture. */
  onFailure(captureId: string, error: unknown): void
}

/** What is known here of one capture. */
interface KnownCapture {
  underWay: number
  takesMore: boolean
  /** Not kept, and not noted yet. */
  missed: number
  hasFailed: boolean
}

/** Captures that this process remembers; of those it forgot, the store says the same. */
const KNOWN_LIMIT = 100

/** The captured requests of this process, from their arrival until they are stored. */
export class Captures {
  readonly #keeper: CaptureKeeper
  readonly #clock: Clock
  readonly #known = new Map<string, KnownCapture>()
  readonly #keeping = new Set<Promise<void>>()
  #bytes = 0

  constructor(keeper: CaptureKeeper, clock: Clock) {
    this.#keeper = keeper
    this.#clock = clock
  }

  /** Begins to record a request where a capture of its key runs; null: it is none of those that are kept. */
  begin({ key }: KeyWithOwner, request: ClientRequest, trace: RequestTrace): CaptureRecording | null {
    const capture = captureAt(key, trace.createdAt)
    if (capture === null) return null
    const known = this.#knownOf(capture.id)
    if (!known.takesMore || known.underWay >= CAPTURE_REQUESTS) return null
    known.underWay += 1
    return new CaptureRecording(capture.id, request, presentedSecret(request.headers), (bytes) => {
      if (this.#bytes + bytes > CAPTURES_UNDER_WAY_BYTES) return false
      this.#bytes += bytes
      return true
    })
  }

  /** Stores it once the answer is over, behind everything that the client waits for. */
  keepAfter(response: ClientResponse, recording: CaptureRecording, trace: RequestTrace): void {
    onceClosed(response, () => setImmediate(() => this.#store(recording, trace)))
  }

  /** Notes what could not be kept, to be called every few seconds. Rejects with what the database said; nothing is lost by that. */
  async writeMissed(): Promise<void> {
    for (const [id, known] of this.#known) {
      const { missed } = known
      if (missed === 0) continue
      await this.#keeper.noteMissed(id, missed)
      known.missed -= missed
    }
  }

  /** Resolves when nothing is left to be stored. */
  async finish(): Promise<void> {
    await Promise.all(this.#keeping)
  }

  #store(recording: CaptureRecording, trace: RequestTrace): void {
    const known = this.#knownOf(recording.captureId)
    const keeping = this.#keep(recording, trace)
      .then((takesMore) => {
        known.takesMore = takesMore
      })
      .catch((error: unknown) => {
        known.missed += 1
        if (!known.hasFailed) this.#keeper.onFailure(recording.captureId, error)
        known.hasFailed = true
      })
      .finally(() => {
        known.underWay -= 1
        this.#bytes -= recording.heldBytes
        this.#keeping.delete(keeping)
      })
    this.#keeping.add(keeping)
  }

  async #keep(recording: CaptureRecording, trace: RequestTrace): Promise<boolean> {
    const { createdAt, startedAt, model, id: requestId } = trace
    const { takesMore } = await this.#keeper.keep(recording.captureId, {
      ...recording.summary(),
      requestId,
      createdAt,
      model,
      totalMs: Math.round(this.#clock.elapsed() - startedAt),
      sealed: this.#keeper.seal(recording.content()),
    })
    return takesMore
  }

  #knownOf(id: string): KnownCapture {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const oldest = this.#known.size < KNOWN_LIMIT ? undefined : this.#known.keys().next().value
    if (oldest !== undefined) this.#known.delete(oldest)
    const fresh = { underWay: 0, takesMore: true, missed: 0, hasFailed: false }
    this.#known.set(id, fresh)
    return fresh
  }
}
