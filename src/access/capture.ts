import type { Change } from './changes.ts'

/** While it runs, what the requests of one key send and get is kept, sealed. The gateway knows it with the key. */
export interface RunningCapture {
  readonly id: string
  /** Epoch milliseconds, as is every `…At`. It may end before. */
  readonly endsAt: number
}

/** The newest capture of a key: beginning another one takes its place. */
export interface Capture {
  readonly id: string
  readonly keyId: string
  readonly accountId: string
  /** The actor, as the audit names it. */
  readonly begunBy: string
  readonly createdAt: number
  /** When its time is over. */
  readonly endsAt: number
  /** Requests that are kept. */
  readonly kept: number
  /** Requests that were to be kept and could not be. */
  readonly missed: number
  /** null: it runs until `endsAt`, or has not been seen to end. */
  readonly ended: { readonly at: number; readonly because: CaptureEnd } | null
}

/** `setting`: captures were turned off. `room`: what is kept of all captures is at its bound. */
export type CaptureEnd = 'count' | 'time' | 'admin' | 'setting' | 'room'

/** What lists show of a captured request without opening it. */
export interface CapturedSummary {
  readonly requestId: string
  /** When it arrived. */
  readonly createdAt: number
  readonly method: string
  /** The path, without the query. */
  readonly path: string
  readonly model: string | null
  /** null: the client left before it got one. */
  readonly status: number | null
  readonly totalMs: number
  /** How many bytes there were, however much of them is kept. */
  readonly requestBytes: number
  readonly responseBytes: number
}

export interface CapturedRequest extends CapturedSummary {
  readonly sealed: string
}

/** Captures and what they keep. Nothing is shown a day after the capture began, whether it was deleted by then or not. */
export interface CaptureStore {
  /** Puts it in the place of the key's last one, which is deleted with what it kept. */
  begin(capture: Omit<Capture, 'kept' | 'missed' | 'ended'>): Promise<CaptureBegin>
  /** null: none runs for the key. */
  end(keyId: string, nowMs: number): Promise<EndedCapture | null>
  /** Ends every capture, and deletes all that is kept. */
  deleteAll(nowMs: number): Promise<readonly EndedCapture[]>
  /**
   * Keeps a request where the capture still runs and has room; of all nodes, so many and never more. `ended`: this was the last
   * one, or there is no more room.
   */
  keep(captureId: string, request: CapturedRequest, nowMs: number): Promise<CaptureKept>
  /** So many requests could not be kept. */
  noteMissed(captureId: string, count: number): Promise<void>
  /** The capture of a key; null: none began within a day. */
  find(keyId: string, nowMs: number): Promise<Capture | null>
  /** The captured requests in the order in which they ended; without what is sealed. */
  list(captureId: string): Promise<readonly CapturedSummary[]>
  read(captureId: string, requestId: string): Promise<CapturedRequest | null>
  /** Ends captures whose time is over, each once. */
  endDue(nowMs: number): Promise<readonly EndedCapture[]>
  /** Deletes what began a day ago or earlier. */
  prune(nowMs: number): Promise<void>
}

export type CaptureBegin =
  | { readonly kind: 'begun'; readonly change: Change }
  /** `running`: one of this key is under way; `busy`: as many as may be are; `full`: all that may be kept is. */
  | { readonly kind: 'unknown_key' | 'running' | 'busy' | 'full' }

export interface EndedCapture {
  readonly capture: Capture
  readonly because: CaptureEnd
  /** Nodes follow it; null: the key had forgotten the capture already. */
  readonly change: Change | null
}

export interface CaptureKept {
  readonly isKept: boolean
  readonly ended: EndedCapture | null
}

/** The capture that a key's requests are kept by at this moment; null: none, as nearly always. */
export function captureAt(key: { readonly capture?: RunningCapture }, nowMs: number): RunningCapture | null {
  const { capture } = key
  return capture === undefined || nowMs >= capture.endsAt ? null : capture
}

/** What is sealed of a captured request, as the API shows it: see `contract/captures.ts`. */
export interface CapturedContent {
  readonly request: CapturedMessage
  /** null: the client left before it got one. */
  readonly response: (CapturedMessage & { readonly status: number }) | null
  readonly attempts: readonly CapturedAttempt[]
}

/** `headers`: name and value, of a closed list of names. */
export interface CapturedMessage {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: CapturedBody
}

export interface CapturedBody {
  /** Base64 where the bytes are not text. */
  readonly encoding: 'utf8' | 'base64'
  readonly text: string
  /** How many bytes there were, however much of them is kept. */
  readonly bytes: number
  readonly is_cut: boolean
}

/** One attempt at an upstream. */
export interface CapturedAttempt {
  readonly upstream: string
  readonly model: string
  readonly path: string
  readonly request: CapturedMessage
  /** null: no answer came. */
  readonly response: (CapturedMessage & { readonly status: number }) | null
}
