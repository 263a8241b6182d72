import { availableParallelism } from 'node:os'
import { diagnose, displayParts } from '../../access/key-secret.ts'
import { cloudAdvice } from '../../causes/cloud-refusal-texts.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { resembles } from '../../causes/key-vendors.ts'
import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import { type FaultCode, isFaultCode } from '../../core/faults.ts'
import { type NanoUsd, parseUsd } from '../../core/money.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import { shownText } from '../../core/shown-text.ts'
import { kindByName } from '../../routing/kind-by-name.ts'
import { isStoreFailure, STORE_FAILURE_TEXTS, type StoreFailure } from '../../core/store-failures.ts'
import { ownerRemedy, unwritable } from '../installation/data-owner.ts'
import { secretFrom } from '../installation/environment.ts'
import { tooFewCores } from '../workers/thread-count.ts'
import type { CommandRun } from './command.ts'
import { connectionAdvice, readGatewayUrl } from './ask-gateway.ts'
import { CommandFailure, UsageError, type CliHost } from './cli-host.ts'

/**
 * Does what a client does: reads the list of models, then calls one. Each step prints a line; the first that fails ends it
 * with what is wrong and how to fix it. Where no model was named, a likely one for conversations is called, and where it
 * fails for a reason of its own up to two others. A call costs what a short answer of that model costs.
 */
export const doctor: CommandRun = async (call, host) => {
  const url = readGatewayUrl(call.required('base-url'))
  const shown = call.text('key')
  const key = shown ?? secretFrom(host.environment, 'TOLLGATE_API_KEY')?.trim() ?? ''
  if (key === '') throw new UsageError('Give the API key in the variable TOLLGATE_API_KEY, or with --key.')
  if (shown !== null) host.remark(SHOWN_KEY)
  const named = call.text('protocol')
  if (named !== null && !Object.hasOwn(CALLS, named)) {
    throw new UsageError(
      `--protocol is ${JSON.stringify(named)}, but it must be one of ${Object.keys(CALLS).join(', ')}.`,
    )
  }
  checkForm(key, host)
  const failure = await storeFailureAt(url.origin, host)
  const probe: DoctorContext = { origin: url.origin, basePath: url.basePath, key, host, failure }
  const models = await listModels(probe)
  const wanted = call.text('model')
  const suiting = models.filter(({ wires }) => wires.some((wire) => wire in CALLS && (named ?? wire) === wire))
  if (wanted === null && suiting.length === 0) {
    if (models.length === 0) await failWithReason(probe)
    throw new CommandFailure(
      named === null
        ? 'This key can call no model at all: check its group, and the models in it.'
        : `This key can call no model over ${named}: check its group, and the models in it.`,
    )
  }
  const chosen = wanted === null ? likeliestFirst(suiting).slice(0, MOST_TRIES) : [wantedFrom(models, wanted)]
  await tryModels(
    probe,
    chosen.map(({ id, wires }) => ({ id, wire: named ?? wires.find((each) => each in CALLS) ?? 'openai-chat' })),
  )
  const tooFew = coresAdvice(url.origin, host)
  if (tooFew !== null) host.remark(`${tooFew}\n`)
  host.print('Everything works.\n')
  return 0
}

const SHOWN_KEY =
  'Everyone on this machine can read the key after --key (ps shows it): set TOLLGATE_API_KEY instead next time.\n'

interface DoctorContext {
  readonly origin: string
  /** `/v1` or nothing. */
  readonly basePath: string
  readonly key: string
  readonly host: CliHost
  /** What keeps the gateway from using its database, as it says itself; null: nothing. */
  readonly failure: StoreFailure | null
}

interface ModelOfKey {
  readonly id: string
  readonly wires: readonly string[]
  /** Null: the gateway is of a version that does not say it. */
  readonly kind: string | null
  /** The price of a million tokens of output; null: there is none. */
  readonly outputPrice: NanoUsd | null
}

const ANSWER_WITHIN_MS = 60_000
const READY_WITHIN_MS = 5_000
const SHOWN_MODELS = 5
const MOST_TRIES = 3
const TEXT = 'Say hello in one word.'
const QUESTION = [{ role: 'user', content: TEXT }]

/** The shortest question on each wire that answers in text. */
const CALLS: Readonly<Record<string, (model: string) => DoctorRequest>> = {
  'openai-chat': (model) => ({
    path: '/v1/chat/completions',
    body: { model, messages: QUESTION, max_completion_tokens: 16 },
  }),
  'anthropic-messages': (model) => ({ path: '/v1/messages', body: { model, messages: QUESTION, max_tokens: 16 } }),
  'openai-responses': (model) => ({ path: '/v1/responses', body: { model, input: TEXT, max_output_tokens: 16 } }),
  gemini: (model) => ({
    // A slash in a name stays one, as Google's SDKs write it.
    path: `/v1beta/models/${model.split('/').map(encodeURIComponent).join('/')}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: TEXT }] }], generationConfig: { maxOutputTokens: 16 } },
  }),
}

interface DoctorRequest {
  readonly path: string
  /** Null: it is a GET. */
  readonly body: object | null
}

function checkForm(key: string, host: CliHost): void {
  const diagnosis = diagnose(key)
  if (diagnosis.kind === 'malformed') {
    throw new CommandFailure(`key_malformed: ${explainedFault('key_malformed', diagnosis.facts).message}`)
  }
  const vendor = resembles(key)
  const { start, end } = displayParts(key)
  const remark = vendor === null ? 'has the form of a key' : `looks like a key of ${vendor}, not of a Tollgate`
  host.print(`key        ${start}…${end} ${remark}\n`)
}

/** Asks whether it takes requests. A proxy in front of the gateway may not pass that on, so no answer is not the end. */
async function storeFailureAt(origin: string, host: CliHost): Promise<StoreFailure | null> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS)
  const answer = await fetch(`${origin}/readyz`, { redirect: 'manual', signal }).catch(() => null)
  const { status, because } = readJson((await answer?.text().catch(() => '')) ?? '') ?? {}
  if (answer?.status !== 503 || typeof status !== 'string') return null
  const failure = isStoreFailure(because) ? because : null
  const cause = failure === null ? '' : `: ${STORE_FAILURE_TEXTS[failure].cause}`
  host.print(`ready      no, ${shownText(status.slice(0, LONGEST_MESSAGE))}${cause}\n`)
  return failure
}

async function listModels(probe: DoctorContext): Promise<readonly ModelOfKey[]> {
  const path = `${probe.basePath === '' ? '/v1' : probe.basePath}/models`
  const { answer, text } = await ask(probe, { path, body: null })
  const body = readJson(text)
  if (!answer.headers.has('x-request-id') || !Array.isArray(body?.['data'])) {
    throw new CommandFailure(
      `${probe.origin} answers (HTTP ${answer.status}), but that is not a Tollgate: check host and port, and what is in front of the gateway.`,
    )
  }
  const models = body['data'].map(readModel).filter((model) => model !== null)
  const names = models.slice(0, SHOWN_MODELS).map(({ id }) => id)
  const more = models.length > SHOWN_MODELS ? ', …' : ''
  probe.host.print(`base URL   OpenAI clients: ${probe.origin}/v1   Anthropic and Gemini clients: ${probe.origin}\n`)
  probe.host.print(`models     ${models.length}: ${shownText(names.join(', '))}${more}\n`)
  return models
}

/** Throws CommandFailure with what stops every request of a key that can call no model, where the gateway says it. */
async function failWithReason(probe: DoctorContext): Promise<void> {
  const { text } = await ask(probe, { path: `${probe.basePath === '' ? '/v1' : probe.basePath}/usage`, body: null })
  const { reason, invalid_message: message } = readJson(text) ?? {}
  if (typeof reason !== 'string' || typeof message !== 'string') return
  probe.host.print(`fault      ${shownText(`${reason}: ${message.slice(0, LONGEST_MESSAGE)}`)}\n`)
  throw new CommandFailure(remedyOf(reason, message))
}

function wantedFrom(models: readonly ModelOfKey[], id: string): ModelOfKey {
  return models.find((model) => model.id === id) ?? { id, wires: [], kind: null, outputPrice: null }
}

/** Families of models for conversations. */
const FAMILIES = /gpt|claude|gemini|deepseek|qwen|llama|mistral|glm|kimi|grok|gemma|command|nova|minimax|demo/i

/** Models for conversations first, among them those of known families, and the cheapest of these. */
function likeliestFirst(models: readonly ModelOfKey[]): readonly ModelOfKey[] {
  const isChat = ({ id, kind }: ModelOfKey) => (kind ?? kindByName(id) ?? 'chat') === 'chat'
  const rank = (model: ModelOfKey) =>
    (isChat(model) ? 0 : 4) + (model.outputPrice === null ? 2 : 0) + (FAMILIES.test(model.id) ? 0 : 1)
  return models.toSorted((a, b) => rank(a) - rank(b) || cheaperFirst(a.outputPrice, b.outputPrice))
}

function cheaperFirst(a: NanoUsd | null, b: NanoUsd | null): number {
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

/** Throws CommandFailure where each of them fails, or one fails for a reason that is not the model's own. */
async function tryModels(
  probe: DoctorContext,
  models: readonly { readonly id: string; readonly wire: string }[],
): Promise<void> {
  for (const [index, { id, wire }] of models.entries()) {
    try {
      return await tryModel(probe, id, wire)
    } catch (error) {
      if (!(error instanceof FaultAnswer)) throw error
      const isLast = index === models.length - 1
      if (!OF_THE_MODEL.has(error.code) || models.length === 1) throw error
      if (isLast) throw new CommandFailure(`${KEY_IS_GOOD} ${error.message}`)
      probe.host.print(`           this may be for the model alone: another is called\n`)
    }
  }
}

const KEY_IS_GOOD = 'The gateway takes the key, and none of the models that were called answered.'

/** Faults that say nothing of the key: another model may be answered. */
const OF_THE_MODEL: ReadonlySet<string> = new Set<FaultCode>([
  'model_unpriced',
  'request_invalid',
  'upstream_malformed',
  'upstream_overloaded',
  'upstream_rate_limited',
  'upstream_rejected',
  'upstream_timeout',
  'upstream_unavailable',
])

/** A fault that the gateway answered with. */
class FaultAnswer extends CommandFailure {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function tryModel(probe: DoctorContext, model: string, wire: string): Promise<void> {
  const question = CALLS[wire]?.(model) ?? { path: '', body: null }
  const startedAt = probe.host.nowMs()
  probe.host.print(`call       ${model} over ${wire}\n`)
  const { answer } = await ask(probe, question)
  const cost = answer.headers.get('x-tollgate-cost')
  const took = probe.host.nowMs() - startedAt
  probe.host.print(`answer     ${model} answered over ${wire} in ${took} ms${cost === null ? '' : ` for $${cost}`}\n`)
}

/** Sends one request and reads its answer. Throws CommandFailure with the fault's row and remedy. */
async function ask(
  { origin, key, host, failure }: DoctorContext,
  { path, body }: DoctorRequest,
): Promise<{ answer: Response; text: string }> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(origin + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        ...(path.startsWith('/v1beta/') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
      },
      body: body === null ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    text = await answer.text()
  } catch (error) {
    throw new CommandFailure(`${connectionAdvice(error, origin)}${dataAdvice(error, origin, host)}`)
  }
  if (answer.ok) return { answer, text }
  const fault = answer.headers.get('x-tollgate-fault')
  if (answer.status >= 300 && answer.status < 400) {
    throw new CommandFailure(
      `${origin} redirects to ${answer.headers.get('location')}: use that as the base URL, since clients don't follow.`,
    )
  }
  if (fault === null) {
    throw new CommandFailure(
      `${origin}${path} answers HTTP ${answer.status} without a fault code, so it is not a Tollgate: check host, port and what is in front of it.`,
    )
  }
  const message = messageIn(text)
  host.print(`fault      ${shownText(`${fault} (HTTP ${answer.status}): ${message.slice(0, LONGEST_MESSAGE)}`)}\n`)
  const requestId = answer.headers.get('x-request-id')
  const remedy = failure !== null && fault === 'store_unavailable' ? adviceOn(failure) : remedyOf(fault, message)
  throw new FaultAnswer(fault, `${remedy}${requestId === null ? '' : ` (request ${requestId})`}`)
}

function adviceOn(failure: StoreFailure): string {
  const { cause, remedy } = STORE_FAILURE_TEXTS[failure]
  return `${cause} ${remedy}`
}

/** What the environment of a gateway of this machine asks for and its cores make slower; null: nothing is known. */
function coresAdvice(origin: string, { environment }: CliHost): string | null {
  const wanted = Number(environment['TOLLGATE_WORKERS'] ?? '')
  return isOfThisMachine(origin) && wanted > 1 ? tooFewCores(wanted, availableParallelism()) : null
}

function isOfThisMachine(origin: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname)
}

/** A gateway of this machine that does not run may not be able to: its data directory tells. Empty: nothing is known. */
function dataAdvice(error: unknown, origin: string, { environment }: CliHost): string {
  const hasServer = [environment['DATABASE_URL'], environment['DATABASE_URL_FILE']].some((url = '') => url !== '')
  if (!isOfThisMachine(origin) || hasServer || !isRefused(error)) return ''
  const directory = environment['TOLLGATE_DATA_DIR'] ?? ''
  const why = directory === '' ? null : (ownerRemedy(directory) ?? unwritable(directory))
  return why === null ? '' : ` Its data directory cannot be used, since ${why}.`
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** What a cloud's words ask for, where they are in the message; else advice of the command line's own; else the gateway's, which is in its message where that was written from facts. */
function remedyOf(code: string, message: string): string {
  const advice = cloudAdvice(message, 'en')
  if (advice !== null) return `${advice.cause} ${advice.remedy}`
  if (!isFaultCode(code)) return 'See the message.'
  const { doctor: own, remedy } = FAULT_TEXTS[code]
  return own ?? ([plainMessage(code), NO_MESSAGE].includes(message) ? remedy : 'Do what the gateway’s message says.')
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function readModel(value: unknown): ModelOfKey | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null
  const wires = Array.isArray(value['supported_protocols']) ? value['supported_protocols'].map(String) : []
  const pricing = isRecord(value['pricing']) ? value['pricing'] : {}
  return {
    id: value['id'],
    wires,
    kind: typeof value['kind'] === 'string' ? value['kind'] : null,
    outputPrice: priceIn(pricing['output']),
  }
}

function priceIn(value: unknown): NanoUsd | null {
  try {
    return typeof value === 'string' ? parseUsd(value) : null
  } catch {
    return null
  }
}

const LONGEST_MESSAGE = 500
const NO_MESSAGE = 'no message'

function messageIn(text: string): string {
  const error = readJson(text)?.['error']
  const message = isRecord(error) ? error['message'] : undefined
  return typeof message === 'string' ? message : NO_MESSAGE
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
