import { type Clock, systemClock } from '../core/clock.ts'
import { Fault } from '../core/faults.ts'
import type { WireFamily } from '../core/wire.ts'
import { mayBeParsed } from '../protocols/parse-bounds.ts'
import { answerChat, countTokensOf } from './demo/chat.ts'
import { answerCompletions } from './demo/completions.ts'
import { answerEmbeddings } from './demo/embeddings.ts'
import { readForm } from './demo/form.ts'
import { readGeminiPath } from './demo/gemini-path.ts'
import { answerImageEdits, answerImages } from './demo/images.ts'
import { refuseDeepNesting } from './demo/input-tokens.ts'
import { type JsonFields, isObject } from './demo/json.ts'
import { answerModerations } from './demo/moderations.ts'
import { Playback, type Schedule } from './demo/playback.ts'
import { readModel } from './demo/question.ts'
import { Refusal, refusalBody } from './demo/refusal.ts'
import { answerRerank } from './demo/rerank.ts'
import { answerSpeech } from './demo/speech.ts'
import { answerTranscriptions } from './demo/transcriptions.ts'
import { type AnswerWire, type WireAnswer, jsonAnswer } from './demo/wire-answer.ts'
import type { UpstreamClient, UpstreamRequest } from './upstream-client.ts'

export interface DemoUpstreamOptions {
  /** The clock of the times in answers; the system's unless given. */
  readonly clock?: Clock
  /** Timers of the pauses between chunks; the process's own unless given. */
  readonly schedule?: Schedule
  /** The pause before each word of a stream: a person should see it stream. Milliseconds. */
  readonly wordDelayMs?: number
}

/**
 * The built-in simulator of a provider, in this process and without any network. It has three models: `demo/echo` repeats
 * the last text of the user, `demo/reasoner` thinks before it answers, `demo/tools` calls the first tool it is given and
 * quotes the tool's answer. It speaks all four chat wires, streamed and not, with token counts where these have them; and
 * it has a small answer of its own for each of the other endpoints, whichever model is named. Tokens are counted by the rule
 * in demo/tokens.ts. Ids are made of the number of the request.
 */
export function createDemoUpstream(options: DemoUpstreamOptions = {}): UpstreamClient {
  const { clock = systemClock, schedule = scheduleInProcess, wordDelayMs = 15 } = options
  const running = new Set<Playback>()
  const nowSeconds = (): number => Math.floor(clock.now() / 1000)
  let requests = 0
  return {
    send: (request, handler) => {
      requests += 1
      const serial = `demo${String(requests).padStart(6, '0')}`
      const answer = (): WireAnswer => answerRequest(request, { serial, nowSeconds })
      const onClosed = (): void => void running.delete(playback)
      const playback = new Playback({ schedule, delayMs: wordDelayMs, answer, handler, onClosed })
      running.add(playback)
      return playback
    },
    close: () => {
      const fault = new Fault('upstream_unavailable', 'The simulator was closed. Try again.')
      for (const playback of running) playback.fail(fault)
      return Promise.resolve()
    },
  }
}

const scheduleInProcess: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

interface DemoRoute {
  readonly family: WireFamily
  readonly answer: AnswerWire
}

const ROUTES = new Map<string, DemoRoute>([
  ['/chat/completions', { family: 'openai', answer: answerChat('openai-chat') }],
  ['/responses', { family: 'openai', answer: answerChat('openai-responses') }],
  ['/embeddings', { family: 'openai', answer: answerEmbeddings }],
  ['/completions', { family: 'openai', answer: answerCompletions }],
  ['/moderations', { family: 'openai', answer: answerModerations }],
  ['/images/generations', { family: 'openai', answer: answerImages }],
  ['/images/edits', { family: 'openai', answer: answerImageEdits }],
  ['/audio/speech', { family: 'openai', answer: answerSpeech }],
  ['/audio/transcriptions', { family: 'openai', answer: answerTranscriptions }],
  ['/audio/translations', { family: 'openai', answer: answerTranscriptions }],
  ['/rerank', { family: 'openai', answer: answerRerank }],
  ['/messages', { family: 'anthropic', answer: answerChat('anthropic-messages') }],
  ['/messages/count_tokens', { family: 'anthropic', answer: countTokensOf('anthropic-messages', 'input_tokens') }],
])

/** Google's methods, behind the name of the model and a colon. */
const GEMINI_ROUTES = new Map<string, DemoRoute>([
  ['generateContent', { family: 'gemini', answer: answerChat('gemini') }],
  ['streamGenerateContent', { family: 'gemini', answer: answerChat('gemini') }],
  ['countTokens', { family: 'gemini', answer: countTokensOf('gemini', 'totalTokens') }],
])

/** What a path asks for, and what it says of the request: on Google's wire the model stands there, and the wish for a stream. */
function routeOf(path: string): { readonly route: DemoRoute; readonly said: JsonFields } | undefined {
  const gemini = readGeminiPath(path)
  const route = gemini === null ? ROUTES.get(path) : GEMINI_ROUTES.get(gemini.method)
  if (route === undefined) return undefined
  return { route, said: gemini === null ? {} : { model: gemini.model, stream: gemini.method.startsWith('stream') } }
}

function answerRequest(request: UpstreamRequest, call: { serial: string; nowSeconds: () => number }): WireAnswer {
  const path = request.path.replace(/\?.*$/s, '').replace(/^\/v1(?=\/)/, '')
  const found = request.method === 'POST' ? routeOf(path) : undefined
  try {
    if (found === undefined) throw new Refusal(`There is no ${request.method} ${path} here.`, { status: 404 })
    const body = { ...readBody(request), ...found.said }
    return found.route.answer({ body, model: readModel(body), ...call })
  } catch (cause) {
    const refusal = cause instanceof Refusal ? cause : Refusal.ofFault(cause)
    if (refusal === null) throw cause
    return jsonAnswer(refusalBody(refusal, found?.route.family ?? 'openai', call.serial), refusal.status)
  }
}

/** Throws Refusal when the body is neither a form nor a JSON object. */
function readBody(request: UpstreamRequest): JsonFields {
  const bytes = Buffer.concat(request.body)
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/form-data')) return readForm(bytes, contentType)
  // It runs on the thread that serves requests, and costs nothing.
  if (!mayBeParsed(bytes)) throw new Refusal('The body of the request is larger than this model reads.')
  const body = parse(bytes.toString('utf8'))
  if (!isObject(body)) throw new Refusal('The body of the request is not a JSON object.')
  refuseDeepNesting(body)
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
