import type { CapturedAttempt, CapturedContent, CapturedMessage, CapturedSummary } from '../../access/capture.ts'
import { CAPTURE_ATTEMPTS } from '../../core/limits.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../upstreams/upstream-client.ts'
import { type ClientRequest, type ClientResponse, onceClosed } from '../client-connection.ts'
import type { RequestCapture } from '../request/trace.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { asRaw, keptOfAnswer, keptOfRequest, keptPath } from './kept-headers.ts'
import { KeptBytes } from './kept-bytes.ts'
import { withoutSecrets } from './without-secrets.ts'

type Headers = CapturedMessage['headers']

interface HeardAnswer {
  readonly status: number
  readonly headers: Headers
}

/** An attempt while it runs. */
interface RecordedAttempt extends Pick<CapturedAttempt, 'upstream' | 'model' | 'path'> {
  readonly headers: Headers
  readonly sent: KeptBytes
  readonly got: KeptBytes
  answer: HeardAnswer | null
}

/** What one request of a captured key sends and gets, as it passes. It changes nothing of it, and nothing waits for it. */
export class CaptureRecording implements RequestCapture {
  readonly captureId: string
  /** What it takes in memory. */
  heldBytes = 0
  readonly #request: ClientRequest
  readonly #take: (bytes: number) => boolean
  readonly #store: () => void
  /** What is taken out of everything that is kept. */
  readonly #secrets: Set<string>
  readonly #sent: KeptBytes
  readonly #got: KeptBytes
  readonly #attempts: RecordedAttempt[] = []
  #answer: HeardAnswer | null = null

  /** `secret`: the caller's. `take`: asks for room in memory. `store`: keeps what was recorded. */
  constructor(
    captureId: string,
    request: ClientRequest,
    { secret, take, store }: { readonly secret: string | null; take(bytes: number): boolean; store(): void },
  ) {
    this.captureId = captureId
    this.#request = request
    this.#store = store
    this.#take = (bytes) => {
      const isTaken = take(bytes)
      if (isTaken) this.heldBytes += bytes
      return isTaken
    }
    this.#secrets = new Set(secret === null || secret === '' ? [] : [secret])
    this.#sent = new KeptBytes(this.#take)
    this.#got = new KeptBytes(this.#take)
  }

  read(body: Buffer): void {
    this.#sent.add(body)
  }

  answered(status: number, headers: readonly string[]): void {
    this.#answer = { status, headers: keptOfAnswer(headers) }
  }

  send(bytes: Buffer): void {
    this.#got.add(bytes)
  }

  attempt(
    { inUse, model }: { readonly inUse: UpstreamInUse; readonly model: string },
    request: UpstreamRequest,
    handler: UpstreamHandler,
  ): UpstreamHandler {
    const { upstream, secrets } = inUse
    // Its address is among them, which admins know, and which may well stand in a conversation.
    for (const secret of secrets) if (!upstream.baseUrl.includes(secret)) this.#secrets.add(secret)
    if (this.#attempts.length >= CAPTURE_ATTEMPTS) return handler
    const sent = new KeptBytes(this.#take)
    for (const piece of request.body) sent.add(piece)
    const headers = keptOfRequest(asRaw(request.headers))
    const path = keptPath(request.path)
    const attempt: RecordedAttempt = {
      upstream: upstream.name,
      model,
      path,
      headers,
      sent,
      got: new KeptBytes(this.#take),
      answer: null,
    }
    this.#attempts.push(attempt)
    return {
      onConnected: () => handler.onConnected?.(),
      onHead(status, heard) {
        attempt.answer = { status, headers: keptOfAnswer(asRaw(heard)) }
        handler.onHead(status, heard)
      },
      onData(chunk) {
        attempt.got.add(chunk)
        handler.onData(chunk)
      },
      onEnd: () => handler.onEnd(),
      onFailure: (fault) => handler.onFailure(fault),
    }
  }

  storeAfter(response: ClientResponse): void {
    onceClosed(response, () => setImmediate(this.#store))
  }

  /** What lists of captured requests show. */
  summary(): Omit<CapturedSummary, 'requestId' | 'createdAt' | 'totalMs' | 'model'> {
    const [path = '/'] = (this.#request.url ?? '/').split('?', 1)
    return {
      method: this.#request.method ?? '',
      path: withoutSecrets(path, [...this.#secrets]),
      status: this.#answer?.status ?? null,
      requestBytes: this.#sent.bytes,
      responseBytes: this.#got.bytes,
    }
  }

  /** All that is kept, with no secret in it. */
  content(): CapturedContent {
    const secrets = [...this.#secrets]
    const clean = (headers: Headers): Headers => headers.map(([name, value]) => [name, withoutSecrets(value, secrets)])
    const answered = (answer: HeardAnswer | null, got: KeptBytes): CapturedContent['response'] =>
      answer === null ? null : { status: answer.status, headers: clean(answer.headers), body: got.without(secrets) }
    return {
      request: { headers: clean(keptOfRequest(this.#request.rawHeaders)), body: this.#sent.without(secrets) },
      response: answered(this.#answer, this.#got),
      attempts: this.#attempts.map(({ upstream, model, path, headers, sent, got, answer }) => ({
        upstream,
        model,
        path: withoutSecrets(path, secrets),
        request: { headers: clean(headers), body: sent.without(secrets) },
        response: answered(answer, got),
      })),
    }
  }
}
