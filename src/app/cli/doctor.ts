import { diagnose, displayParts } from '../../access/key-secret.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { resembles } from '../../causes/key-vendors.ts'
import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import { isFaultCode } from '../../core/faults.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import { shownText } from '../../core/shown-text.ts'
import { secretFrom } from '../installation/environment.ts'
import type { CommandRun } from './command.ts'
import { connectionAdvice, readGatewayUrl } from './gateway-url.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

/**
 * Does what a client does: reads the list of models, then calls one. Each step prints a line; the first that fails ends it
 * with what is wrong and how to fix it. The call costs what a short answer of that model costs.
 */
export const doctor: CommandRun = async (call, host) => {
  const url = readGatewayUrl(call.required('base-url'))
  const shown = call.text('key')
  const key = shown ?? secretFrom(host.environment, 'TOLLGATE_API_KEY')?.trim() ?? ''
  if (key === '') throw new UsageError('Give the API key in the variable TOLLGATE_API_KEY, or with --key.')
  if (shown !== null) host.remark(SHOWN_KEY)
  const named = call.text('protocol')
  if (named !== null && !Object.hasOwn(CALLS, named)) {
    throw new UsageError(`--protocol is ${JSON.stringify(named)}, but it takes ${Object.keys(CALLS).join(', ')}.`)
  }
  checkForm(key, host)
  const probe: Probe = { origin: url.origin, basePath: url.basePath, key, host }
  const models = await listModels(probe)
  const suits = ({ wires }: ListedModel) => wires.some((wire) => wire in CALLS && (named ?? wire) === wire)
  const wanted = call.text('model') ?? models.find(suits)?.id
  if (wanted === undefined && models.length === 0) await failWithReason(probe)
  if (wanted === undefined)
    throw new CommandFailure(
      named === null
        ? 'This key can call no model at all: check its group, and the models in it.'
        : `This key can call no model over ${named}: check its group, and the models in it.`,
    )
  const wire = named ?? models.find(({ id }) => id === wanted)?.wires.find((each) => each in CALLS) ?? 'openai-chat'
  await tryModel(probe, wanted, wire)
  host.print('Everything works.\n')
  return 0
}

const SHOWN_KEY =
  'Everyone on this machine can read the key after --key (ps shows it): set TOLLGATE_API_KEY instead next time.\n'

interface Probe {
  readonly origin: string
  /** `/v1` or nothing. */
  readonly basePath: string
  readonly key: string
  readonly host: CliHost
}

interface ListedModel {
  readonly id: string
  readonly wires: readonly string[]
}

const ANSWER_WITHIN_MS = 60_000
const SHOWN_MODELS = 5
const TEXT = 'Say hello in one word.'
const QUESTION = [{ role: 'user', content: TEXT }]

/** The shortest question on each wire that answers in text. */
const CALLS: Readonly<Record<string, (model: string) => Question>> = {
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

interface Question {
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

async function listModels(probe: Probe): Promise<readonly ListedModel[]> {
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
async function failWithReason(probe: Probe): Promise<void> {
  const { text } = await ask(probe, { path: `${probe.basePath === '' ? '/v1' : probe.basePath}/usage`, body: null })
  const { reason, invalid_message: message } = readJson(text) ?? {}
  if (typeof reason !== 'string' || typeof message !== 'string') return
  probe.host.print(`fault      ${shownText(`${reason}: ${message.slice(0, LONGEST_MESSAGE)}`)}\n`)
  throw new CommandFailure(remedyOf(reason, message))
}

async function tryModel(probe: Probe, model: string, wire: string): Promise<void> {
  const question = CALLS[wire]?.(model) ?? { path: '', body: null }
  const startedAt = probe.host.nowMs()
  const { answer } = await ask(probe, question)
  const cost = answer.headers.get('x-tollgate-cost')
  const took = probe.host.nowMs() - startedAt
  probe.host.print(`call       ${model} answered over ${wire} in ${took} ms${cost === null ? '' : ` for $${cost}`}\n`)
}

/** Sends one request and reads its answer. Throws CommandFailure with the fault's row and remedy. */
async function ask(
  { origin, key, host }: Probe,
  { path, body }: Question,
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
    throw new CommandFailure(connectionAdvice(error, origin))
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
  throw new CommandFailure(`${remedyOf(fault, message)}${requestId === null ? '' : ` (request ${requestId})`}`)
}

/** Advice of the command line's own; else the gateway's, which stands in its message where that was written from facts. */
function remedyOf(code: string, message: string): string {
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

function readModel(value: unknown): ListedModel | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null
  const wires = Array.isArray(value['supported_protocols']) ? value['supported_protocols'].map(String) : []
  return { id: value['id'], wires }
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
