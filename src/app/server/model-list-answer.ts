import type { UpstreamTest } from '../../control/parts.ts'
import { withCloudAdvice } from '../../causes/cloud-refusal-texts.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import { REMOTE_PROTOCOL_NAMES, type RemoteProtocol, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { statusFromErrorBody } from '../../gateway/status-from-error-body.ts'
import { errorIn, isGood, lacksEndpoint, withoutSecrets } from '../../gateway/upstream-faults.ts'
import type { UpstreamError } from '../../protocols/protocol.ts'
import { accountFailureOf } from '../../routing/account-refusals.ts'
import { askOnce, type OnceAnswer } from './ask-once.ts'
import { MODEL_LIST_LIMIT_BYTES, MODEL_LIST_LIMIT } from '../../core/limits.ts'
import { wireFacts } from '../../core/wire.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { kindOfUnreachable, whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { MODEL_NAME } from '../../core/model-name.ts'

/** What came where a list of models was asked for, as its bytes were received. */
type ReceivedList = Extract<OnceAnswer, { readonly kind: 'answered' }>

/** What that means. `listed` null: it is not a list of models. `status` null: nothing came. */
export interface ListAnswer extends Omit<UpstreamTest, 'totalMs'> {
  readonly listed: ModelsInAnswer | null
}

/** Whom a list of models is asked of. `secrets`: what must not be repeated from an answer. */
export interface ListQuestion {
  readonly client: UpstreamClient
  readonly protocol: RemoteProtocol
  readonly secrets: readonly string[]
}

/** `isWhole`: for as long a list as there is. */
export interface ListBounds {
  readonly limitMs: number
  readonly isWhole?: boolean
}

interface ListReading extends Pick<ListQuestion, 'protocol' | 'secrets'> {
  /** Reads a list in a form of its own; null: it is not such a list. */
  readonly modelsOf?: (value: unknown) => ModelsInAnswer | null
}

/** The query that asks for the largest page, of protocols that list models page by page. */
const LARGEST_PAGE: Readonly<Partial<Record<RemoteProtocol, string>>> = {
  anthropic: '?limit=1000',
  gemini: '?pageSize=1000',
}

/** Asks for the list of models, once; what is beyond any list is not read. Redirects are not followed. */
export async function askForModels(
  { client, protocol, secrets }: ListQuestion,
  { limitMs, isWhole = false }: ListBounds,
): Promise<ListAnswer> {
  const { headers } = wireFacts(upstreamProtocolFacts(protocol).wires[0])
  const path = `/models${isWhole ? (LARGEST_PAGE[protocol] ?? '') : ''}`
  const bounds = { limitMs, limitBytes: MODEL_LIST_LIMIT_BYTES }
  const answer = await askOnce(client, { path, headers: headers ?? {} }, bounds)
  return answer.kind === 'answered' ? readListAnswer(answer, { protocol, secrets }) : unansweredList(answer, limitMs)
}

/** What it means that no answer came. */
export function unansweredList(answer: Exclude<OnceAnswer, ReceivedList>, limitMs: number): ListAnswer {
  const nothing = { isGood: false, status: null, said: null, listed: null }
  if (answer.kind === 'late') {
    return { ...nothing, result: 'too_slow', detail: `It did not answer within ${limitMs / 1000} s.` }
  }
  return { ...nothing, result: kindOfUnreachable(answer.cause), detail: whyUnreachable(answer.cause) }
}

/**
 * Reads an answer as what it is, not as what its status says: a list counts only in the form of the upstream's protocol, and
 * an error is one under any status, understood as that of a call is. Only an error's message is repeated, without what is
 * secret, so that nothing else of what is at an address can be read through this.
 */
export function readListAnswer(
  received: Omit<ReceivedList, 'kind'>,
  { protocol, secrets, modelsOf = (value) => modelsIn(value, protocol) }: ListReading,
): ListAnswer {
  const { status, body, isCut } = received
  const value = isCut ? undefined : jsonIn(body)
  const list = isGood(status) && value !== undefined ? modelsOf(value) : null
  const isPlain = list !== null && list.names.length > 0 && !hasErrorField(value)
  const error = isPlain || value === undefined ? SILENT : (errorIn(body) ?? SILENT)
  const isError = !isGood(status) || hasErrorField(value) || saysFailure(error)
  if (list !== null && !isError) {
    return { isGood: true, status, result: 'listed', said: null, detail: SENTENCES.listed, listed: list }
  }
  const result = isError ? refusalOf(received, error, protocol) : insteadOfList(received, value)
  const message = isError ? (error.message?.slice(0, LONGEST_SAID) ?? null) : null
  const said = message === null ? null : withoutSecrets(message, secrets)
  const sentence = result === 'status' ? `It answered with the status ${status}.` : SENTENCES[result]
  const detail = withCloudAdvice(sentence + (said === null ? '' : ` It said: ${said}`), said)
  return { isGood: false, status, result, said, detail, listed: null }
}

/** undefined: it is not JSON, or larger than any list. */
function jsonIn(body: Buffer): unknown {
  try {
    return parseShallow(body)
  } catch {
    return undefined
  }
}

const LONGEST_SAID = 300

const SENTENCES = {
  listed: 'It answered with its list of models.',
  web_page: 'It answered with a web page instead of a list of models: check its base URL, and what is in front of it.',
  empty: 'It answered with nothing instead of a list of models: check its base URL, and what is in front of it.',
  too_long: 'Its answer is longer than any list of models: check its base URL.',
  other_protocol:
    'It answered with a list of models in the form of another protocol: check its protocol, and the path of its base URL.',
  not_a_list: 'It answered with something else than a list of models: check its base URL.',
  error_answer: 'It answered with an error under a good status.',
  redirect: 'It redirects, and redirects are not followed: enter the final base URL.',
  credential_refused: 'It refused the credential.',
  no_credit: 'The account of its credential has run out of credit, or has reached a spending limit at the provider.',
  no_list:
    'It knows no list of models at this base URL: check its path, such as /v1 or /v1beta at its end. Where the provider has no such list, a test request proves address and credential.',
  too_many_requests: 'It answered that there are too many requests; address and credential were understood.',
} as const

type Result = keyof typeof SENTENCES

function insteadOfList({ body, isCut }: Pick<ReceivedList, 'body' | 'isCut'>, value: unknown): Result {
  if (isCut) return 'too_long'
  if (value !== undefined) {
    const isOther = REMOTE_PROTOCOL_NAMES.some((each) => (modelsIn(value, each)?.names.length ?? 0) > 0)
    return isOther ? 'other_protocol' : 'not_a_list'
  }
  const beginning = body.subarray(0, BEGINNING_BYTES).toString().trim()
  if (beginning === '') return 'empty'
  return /^\uFEFF?<[!?a-z]/i.test(beginning) ? 'web_page' : 'not_a_list'
}

const BEGINNING_BYTES = 1_024

/** Reads a refusal as that of a call, except that a list may be missing where a model would not be. */
function refusalOf(
  { status: received }: Pick<ReceivedList, 'status'>,
  error: UpstreamError,
  protocol: RemoteProtocol,
): Result | 'status' {
  if (received >= 300 && received < 400) return 'redirect'
  const status = isGood(received) ? statusFromErrorBody(error) : received
  const account = accountFailureOf({ protocol, status, error })
  if (account === 'no_credit' || status === 402) return 'no_credit'
  if (account === 'credential' || status === 401 || status === 403) return 'credential_refused'
  if (lacksEndpoint(status)) return 'no_list'
  if (status === 429) return 'too_many_requests'
  return isGood(received) ? 'error_answer' : 'status'
}

const SILENT: UpstreamError = { message: null, type: null, code: null, param: null }

/** Servers that wrap every answer send such a code, and words, with good ones as well. */
const GOOD_CODES: ReadonlySet<string> = new Set(['0', '200', 'ok', 'OK', 'success', 'SUCCESS', 'Success'])

function saysFailure({ code }: UpstreamError): boolean {
  return code !== null && !GOOD_CODES.has(code)
}

function hasErrorField(value: unknown): boolean {
  const outer: unknown = Array.isArray(value) ? value[0] : value
  const error: unknown = typeof outer === 'object' && outer !== null ? Reflect.get(outer, 'error') : undefined
  return error !== undefined && error !== null && error !== false && error !== ''
}

/** What an upstream lists, in order, without what cannot be a name. */
export interface ModelsInAnswer {
  readonly names: readonly string[]
  /** Whether the upstream lists no others. */
  readonly isWhole: boolean
  /** The list can be read, and is in another protocol's own form. */
  readonly isOfOther?: true
}

/**
 * The models of a list in the form of this protocol: OpenAI and Anthropic list `data` by `id`, Google `models` by `name` with
 * their kind before it. Seen besides: Together and GitHub list in OpenAI's form without `data` around it, and Ollama without
 * models has `data: null`. null: it is not such a list. One whose entries have no name at all is none.
 */
function modelsIn(read: unknown, protocol: RemoteProtocol): ModelsInAnswer | null {
  const form = LISTS[protocol]
  const list = entriesOf(read, form)
  if (list === null) return null
  const given = list.slice(0, MODEL_LIST_LIMIT).flatMap((each: unknown) => {
    const name = fieldOf(each, form.name)
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
  if (list.length > 0 && given.length === 0) return null
  const isWhole =
    list.length <= MODEL_LIST_LIMIT && fieldOf(read, 'has_more') !== true && !fieldOf(read, 'nextPageToken')
  return { names: tidyNames(given), isWhole, ...(form.isOfOther?.(list[0]) === true ? { isOfOther: true } : {}) }
}

/** Each once, in order, without what cannot be a name. */
export function tidyNames(given: readonly string[]): readonly string[] {
  const names = [...new Set(given)].filter((name) => name.length <= LONGEST_NAME && MODEL_NAME.test(name))
  return names.slice(0, MODEL_LIST_LIMIT).sort()
}

const LONGEST_NAME = 200

interface ListForm {
  readonly list: string
  readonly name: string
  /** Some servers leave out what is around the entries. */
  readonly mayBeBare: boolean
  /** Whether an entry is in another protocol's own form. */
  readonly isOfOther?: (entry: unknown) => boolean
}

const BY_ID: ListForm = { list: 'data', name: 'id', mayBeBare: true }
/** Anthropic's entries have a type where OpenAI's have an object. */
const OPENAI: ListForm = {
  ...BY_ID,
  isOfOther: (entry) => fieldOf(entry, 'type') === 'model' && fieldOf(entry, 'object') === undefined,
}
const ANTHROPIC: ListForm = {
  ...BY_ID,
  isOfOther: (entry) => fieldOf(entry, 'object') === 'model' && fieldOf(entry, 'type') === undefined,
}
const LISTS: Readonly<Record<RemoteProtocol, ListForm>> = {
  openai: OPENAI,
  'openai-chat': OPENAI,
  anthropic: ANTHROPIC,
  gemini: { list: 'models', name: 'name', mayBeBare: false },
  // `ListFoundationModels`; its dialect knows where that is.
  converse: { list: 'modelSummaries', name: 'modelId', mayBeBare: false },
}

function entriesOf(read: unknown, { list, mayBeBare }: ListForm): readonly unknown[] | null {
  if (Array.isArray(read)) return mayBeBare && read.length > 0 ? read : null
  const entries = fieldOf(read, list)
  if (entries === null && fieldOf(read, 'object') === 'list') return []
  return Array.isArray(entries) ? entries : null
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
