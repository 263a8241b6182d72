/** One request of the fake upstream: route, credential, body, plan, delivery. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BilledWire, Outcome } from './books.ts'
import { Books } from './books.ts'
import { deliver } from './delivery.ts'
import type { ErrorWire, Failure } from './failures.ts'
import { bodyTooLarge, modelUnknown, pathUnknown, unauthorized } from './failures.ts'
import { countGeminiTokens, countTokens, writeModel, writeModelList } from './free-answers.ts'
import type { GeminiCall } from './gemini-path.ts'
import { readGeminiPath } from './gemini-path.ts'
import { credentialOf, headerOf, isAnthropic, pathOf, readBody } from './incoming-request.ts'
import type { Planned } from './planner.ts'
import { Planner } from './planner.ts'
import { planFailure } from './plan.ts'
import type { ReceivedRequest } from './request-log.ts'
import { RequestLog } from './request-log.ts'

/** Paths without the `/v1` that they may begin with. */
const BILLED_PATHS: ReadonlyMap<string, BilledWire> = new Map([
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  ['/embeddings', 'embeddings'],
])

export class RequestHandler {
  readonly books = new Books()
  readonly log: RequestLog
  readonly #planner = new Planner()
  readonly #requiredCredential: string | undefined
  readonly #listedModels: readonly string[]
  #answered = 0

  constructor(options: {
    readonly requiredCredential?: string
    readonly recordedRequests?: number
    readonly listedModels?: readonly string[]
  }) {
    this.#listedModels = options.listedModels ?? []
    this.#requiredCredential = options.requiredCredential
    this.log = new RequestLog(options.recordedRequests ?? 1_000)
  }

  reset(): void {
    this.books.reset()
    this.log.clear()
    this.#planner.reset()
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request)
    const gemini = request.method === 'POST' ? readGeminiPath(path) : null
    const billed = gemini === null ? BILLED_PATHS.get(path) : gemini.isBilled ? 'gemini' : undefined
    const wire = request.method === 'POST' ? billed : undefined
    readBody(request, (body) => {
      const received = this.#record(request, body)
      if (wire === undefined) this.#answerFree(request, response, { path, gemini, body })
      else this.#answerBilled(request, response, { wire, gemini, body, received })
    })
  }

  #record(request: IncomingMessage, body: Buffer | null): (ReceivedRequest & { aborted: boolean }) | null {
    if (!this.log.records || request.url?.startsWith('/__')) return null
    const { method = '', url: path = '', headers } = request
    const received = {
      requestId: headerOf(request, 'x-request-id'),
      method,
      path,
      headers,
      body: body ?? Buffer.alloc(0),
      aborted: false,
    }
    this.log.add(received)
    return received
  }

  #answerBilled(
    request: IncomingMessage,
    response: ServerResponse,
    arrived: {
      wire: BilledWire
      gemini: GeminiCall | null
      body: Buffer | null
      received: (ReceivedRequest & { aborted: boolean }) | null
    },
  ): void {
    const { wire, gemini, body, received } = arrived
    const requestId = headerOf(request, 'x-request-id')
    const { model, plan } = this.#planBilled(request, { wire, gemini, body, requestId })
    deliver(response, plan, {
      idHeaders: this.#idHeaders(wire),
      call: this.books.open(model, requestId, wire),
      closed: (outcome: Outcome) => {
        if (outcome === 'aborted' && received !== null) this.log.markAborted(received)
      },
    })
  }

  #planBilled(
    request: IncomingMessage,
    arrived: { wire: BilledWire; gemini: GeminiCall | null; body: Buffer | null; requestId: string },
  ): Planned {
    const { wire, gemini, body, requestId } = arrived
    if (body === null) return { model: '(none)', plan: planFailure(bodyTooLarge(wire)) }
    const credential = (): string => credentialOf(request)
    if (this.#requiredCredential !== undefined && credential() !== this.#requiredCredential) {
      return { model: '(none)', plan: planFailure(unauthorized(wire, credential())) }
    }
    const header = (name: string): string => headerOf(request, name)
    return this.#planner.plan({ wire, gemini, body, requestId, credential, header })
  }

  /** Everything that is in no usage: lists, counting, the server's own routes, and what doesn't exist. */
  #answerFree(
    request: IncomingMessage,
    response: ServerResponse,
    arrived: { path: string; gemini: GeminiCall | null; body: Buffer | null },
  ): void {
    const { path, gemini, body } = arrived
    const route = `${request.method} ${path}`
    if (route === 'GET /__stats') return this.#sendStats(request, response)
    if (route === 'POST /__reset') {
      this.reset()
      return void response.writeHead(204).end()
    }
    const isMessages = isAnthropic(request) || path.startsWith('/messages')
    const wire: ErrorWire = gemini !== null ? 'gemini' : isMessages ? 'messages' : 'models'
    const answer = this.#freeAnswer(request, { path, gemini, wire, body: body ?? Buffer.alloc(0) })
    if (typeof answer !== 'string') return this.#sendFailure(response, wire, answer)
    response.writeHead(200, ['content-type', 'application/json', ...this.#idHeaders(wire)]).end(answer)
  }

  #freeAnswer(
    request: IncomingMessage,
    call: { path: string; gemini: GeminiCall | null; wire: ErrorWire; body: Buffer },
  ): string | Failure {
    const { path, gemini, wire, body } = call
    const { method = '' } = request
    const credential = credentialOf(request)
    if (this.#requiredCredential !== undefined && credential !== this.#requiredCredential) {
      return unauthorized(wire, credential)
    }
    if (method === 'POST' && path === '/messages/count_tokens') {
      this.books.countTokens++
      return countTokens(body, credential)
    }
    if (gemini?.method === 'countTokens') {
      this.books.countTokens++
      return countGeminiTokens(gemini.model, body, credential)
    }
    const isList = method === 'GET' && path === '/models'
    const isModel = method === 'GET' && path.startsWith('/models/')
    if (!isList && !isModel) return pathUnknown(wire, method, request.url ?? '')
    this.books.modelLists++
    const family = isAnthropic(request) ? 'anthropic' : 'openai'
    if (isList) return writeModelList(family, this.#listedModels)
    const id = decode(path.slice('/models/'.length))
    return writeModel(id, family) ?? modelUnknown(wire, id)
  }

  #sendStats(request: IncomingMessage, response: ServerResponse): void {
    const stats = this.books.stats()
    const short = (request.url ?? '').includes('requests=0')
    const json = JSON.stringify(short ? { ...stats, requests: {} } : stats)
    response.writeHead(200, ['content-type', 'application/json']).end(json)
  }

  #sendFailure(response: ServerResponse, wire: ErrorWire, failure: Failure): void {
    response.writeHead(failure.status, [...failure.headers, ...this.#idHeaders(wire)]).end(failure.body)
  }

  /** The provider's own id of the request, under the name that its clients look for. */
  #idHeaders(wire: ErrorWire): string[] {
    // Gemini gives its id in the answer alone.
    if (wire === 'gemini') return []
    return [wire === 'messages' ? 'request-id' : 'x-request-id', `req_fake_${++this.#answered}`]
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
