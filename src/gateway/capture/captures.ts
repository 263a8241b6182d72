import type { KeyWithOwner } from '../../access/api-key.ts'
import { captureAt } from '../../access/capture.ts'
import type { Clock } from '../../core/clock.ts'
import { CAPTURE_REQUESTS, CAPTURES_UNDER_WAY_BYTES } from '../../core/limits.ts'
import { presentedSecret } from '../callers/caller.ts'
import type { RequestTrace } from '../request/trace.ts'
import type { CaptureKeeper } from '../capture-keeper.ts'
import type { ClientRequest } from '../client-connection.ts'
import { CaptureRecording } from './capture-recording.ts'

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
    const recording = new CaptureRecording(capture.id, request, {
      secret: presentedSecret(request.headers),
      take: (bytes) => {
        if (this.#bytes + bytes > CAPTURES_UNDER_WAY_BYTES) return false
        this.#bytes += bytes
        return true
      },
      store: () => this.#store(recording, trace),
    })
    return recording
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
    const keeping = this.#keep(recording, trace).finally(() => this.#keeping.delete(keeping))
    this.#keeping.add(keeping)
  }

  /** Never rejects. */
  async #keep(recording: CaptureRecording, trace: RequestTrace): Promise<void> {
    const { captureId } = recording
    const known = this.#knownOf(captureId)
    const { createdAt, startedAt, model, id: requestId } = trace
    try {
      const { takesMore } = await this.#keeper.keep(captureId, {
        ...recording.summary(),
        requestId,
        createdAt,
        model,
        totalMs: Math.round(this.#clock.elapsed() - startedAt),
        sealed: this.#keeper.seal(recording.content()),
      })
      known.takesMore = takesMore
    } catch (error) {
      known.missed += 1
      if (!known.hasFailed) this.#keeper.onFailure(captureId, error)
      known.hasFailed = true
    } finally {
      known.underWay -= 1
      this.#bytes -= recording.heldBytes
    }
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
