import { useCallback, useEffect, useRef, useState } from 'react'
import { errorIn, eventReader, writtenIn } from './answer-text.ts'
import type { Call } from './question.ts'
import { SITE_PATH } from '../../site.ts'

/** How far the answer of one model is. */
export interface Answer {
  readonly state: 'waiting' | 'writing' | 'done' | 'stopped' | 'failed'
  readonly text: string
  /** What the gateway or the provider says is wrong. */
  readonly error: string | null
  /** null: no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  readonly tookMs: number | null
}

const WAITING: Answer = { state: 'waiting', text: '', error: null, status: null, requestId: null, tookMs: null }
/** What is kept of one answer, in characters. */
const LONGEST = 400_000

/** Sends calls as any client does, and holds the newest answer. The secret goes into one header and is not kept. */
export function useAnswer(): {
  readonly answer: Answer | null
  /** Resolves with the HTTP status once the answer is over; null: there was none. */
  send(call: Call, secret: string): Promise<number | null>
  stop(): void
} {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const running = useRef<AbortController | null>(null)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])
  const send = useCallback(async (call: Call, secret: string) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const change = (more: Partial<Answer>): void => {
      if (running.current === controller) setAnswer((before) => ({ ...(before ?? WAITING), ...more }))
    }
    const startedAt = performance.now()
    const took = (): number => Math.round(performance.now() - startedAt)
    setAnswer(WAITING)
    let status: number | null = null
    try {
      const response = await fetch(SITE_PATH + call.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}`, ...call.headers },
        body: JSON.stringify(call.body),
        credentials: 'omit',
        signal: controller.signal,
      })
      status = response.status
      change({ status, requestId: response.headers.get('x-request-id') })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      const read = isStream && response.body !== null ? readStream(response.body, change) : readWhole(response)
      const { text, error } = await read
      change({ text, error, state: error !== null || !response.ok ? 'failed' : 'done', tookMs: took() })
    } catch {
      change({ state: controller.signal.aborted ? 'stopped' : 'failed', tookMs: took() })
    }
    return status
  }, [])
  return { answer, send, stop }
}

interface Written {
  readonly text: string
  readonly error: string | null
}

async function readWhole(response: Response): Promise<Written> {
  const value: unknown = await response.json()
  return { text: writtenIn(value), error: errorIn(value) }
}

async function readStream(body: ReadableStream<Uint8Array>, change: (more: Partial<Answer>) => void): Promise<Written> {
  const events = eventReader()
  const chunks = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let error: string | null = null
  for (;;) {
    const { done, value } = await chunks.read()
    if (done) return { text, error }
    for (const event of events.push(value)) {
      text = (text + writtenIn(event)).slice(0, LONGEST)
      error = errorIn(event) ?? error
    }
    change({ text, state: 'writing' })
  }
}
