import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { geminiError } from './fault-body.ts'
import { readingEitherForm, wholeInStream } from './forms/answer-forms.ts'
import { geminiForms } from './forms/gemini-forms.ts'
import type {
  Answer,
  AnswerAbout,
  EarlyEnd,
  RequestChange,
  RequestHead,
  StreamingProtocol,
  StreamOptions,
  StreamReader,
  UpstreamError,
} from './protocol.ts'
import { allEnded, collectText, readFields, type TextFields, withMoreCalls } from './reading/answer.ts'
import { AnswerCalls } from './reading/answer-calls.ts'
import { failureIn, failureOfEvent, holdsContent, isAnyUsed } from './reading/answer-failure.ts'
import { geminiTerms } from './reading/answer-terms.ts'
import { bothWays, CHOICES_LIMIT } from './reading/request-head.ts'
import { MODEL_RESOURCE, readGeminiRequest } from './reading/gemini-request.ts'
import { readGeminiUsage } from './reading/gemini-usage.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { limitGemini } from './reading/output-limit.ts'
import { GEMINI_KEEP_ALIVE } from './stream/keep-alive-comment.ts'
import { keepingOwnSignatures, ownSignaturesRefusal } from './spokes/gemini/signatures.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { flawOfStop, stopReasonOf } from './reading/stop-words.ts'
import { errorJson, readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { fieldsOf, listOf } from './json/json-object.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { AnswerPolicy } from './stream/answer-policy.ts'
import { earlyUsage } from './stream/early-usage.ts'
import {
  EventStream,
  failed,
  PASS,
  type SoFar,
  type EventPolicy,
  type StreamShape,
  type EventAction,
} from './stream/event-stream.ts'
import { dataEvent, jsonOf, lastFieldsIn, type ServerEvent } from './reading/server-event.ts'

/** Parts of an answer: text and thoughts, calls of functions, code for a tool that Google runs. */
const TEXT: TextFields = { fields: ['text', 'name', 'args', 'code'] }

/**
 * `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent?alt=sse`; `:countTokens` has requests of the
 * same kind, and free answers.
 */
export const gemini: StreamingProtocol = {
  wire: 'gemini',
  streams: true,
  ...bothWays(readGeminiRequest),
  rewriteRequest: keepingOwnSignatures(rewriteRequest),
  rewriteRefusal: ownSignaturesRefusal,
  limitOutput: limitGemini,
  pathOf,
  readAnswer: readingEitherForm(readWhole, { forms: geminiForms, open: openStream }),
  readError: readGeminiError,
  takesEitherForm: true,
  openStream,
}

function openStream(options: StreamOptions): StreamReader {
  return new EventStream(options.countsCalls === true ? STREAM_WITH_CALLS : STREAM, new GeminiPolicy(options))
}

/** A model's name may hold slashes, as `tunedModels/x` does; all else in it is encoded. */
function pathOf(model: string, asks: keyof typeof METHODS): string {
  const name = model.startsWith(MODEL_RESOURCE) ? model.slice(MODEL_RESOURCE.length) : model
  const written = name.split('/').map(encodeURIComponent).join('/')
  return `/models/${written}:${METHODS[asks]}`
}

const METHODS = {
  whole: 'generateContent',
  stream: 'streamGenerateContent?alt=sse',
  count_tokens: 'countTokens',
} as const

/** The model goes into the path. Only where a client names it in the body as well, it is replaced there. */
function rewriteRequest(body: Buffer, head: RequestHead, change: RequestChange): Buffer[] {
  const { model } = head.places
  if (model.end === 0) return [body]
  const isResource =
    body.toString('latin1', model.start + 1, model.start + 1 + MODEL_RESOURCE.length) === MODEL_RESOURCE
  if (!isResource) return renameModel(body, head, change)
  return renameModel(body, head, { ...change, model: MODEL_RESOURCE + change.model })
}

const ANSWER_FIELDS = new Set([
  'usageMetadata',
  'promptFeedback',
  'error',
  'type',
  'object',
  'base_resp',
  'message',
  'detail',
])

function readWhole(body: Buffer, about?: AnswerAbout): Answer {
  const fields = readFields(body, ANSWER_FIELDS)
  if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readGeminiUsage(fields.get('usageMetadata')))
  const calls = about?.countsCalls === true ? new AnswerCalls('grounded_prompt') : null
  for (const candidate of calls === null ? [] : candidatesIn(body)) calls?.addCandidate(candidate)
  const usage = withMoreCalls(tally.counts, calls)
  const terms = geminiTerms(fields.get('usageMetadata'))
  const producedText = (): string => textIn(body)
  const error =
    failureOf(Object.fromEntries(fields)) ?? flawOfCandidates(candidatesIn(body), about?.isTranslated !== true)
  if (error !== null) return { kind: 'failed', usage, error, producedText }
  const isCut = (): boolean => allEnded(candidatesIn(body), 'finishReason', 'MAX_TOKENS')
  if (isNoAnswer(candidatesIn(body), { usage, feedback: fields.get('promptFeedback') })) {
    const said = readErrorObject(Object.fromEntries(fields))
    if (said.message === null) return { kind: 'malformed', why: 'it has neither an answer nor usage' }
    return { kind: 'failed', usage, error: said, producedText }
  }
  return { kind: 'answer', usage, producedText, isCut, ...(terms === null ? {} : { terms }) }
}

/** The failure that one of the candidates says that it ended with; null: none. */
function flawOfCandidates(candidates: readonly unknown[], passesUnknown: boolean): UpstreamError | null {
  for (const candidate of candidates) {
    const { finishReason: word } = fieldsOf(candidate)
    const flaw = isReason(word) ? flawOfStop(word, { passesUnknown }) : null
    if (flaw !== null) return flaw
  }
  return null
}

/** Whether nothing came: a prompt that was blocked has no candidates, and any other has one at least. */
function isNoAnswer(
  candidates: readonly unknown[],
  { usage, feedback }: { readonly usage: TokenCounts; readonly feedback: unknown },
): boolean {
  if (isReason(fieldsOf(feedback)['blockReason'])) return false
  if (candidates.length === 0) return true
  if (isAnyUsed(usage) || candidates.some(isWithheld)) return false
  return !candidates.some((each) => holdsContent(fieldsOf(each)['content']))
}

function isWithheld(candidate: unknown): boolean {
  return stopReasonOf(fieldsOf(candidate)['finishReason']) === 'filtered'
}

/** Only parts: what a search found stands beside them in a candidate. */
function textIn(body: Buffer): string {
  return candidatesIn(body)
    .map((each) => collectText(fieldsOf(fieldsOf(each)['content'])['parts'], TEXT))
    .join('')
}

function candidatesIn(body: Buffer): readonly unknown[] {
  const fields = readFields(body, new Set(['candidates']))
  return listOf(fields instanceof JsonFlaw ? undefined : fields.get('candidates'))
}

/** `google.rpc.Status`, as `{"error":…}` or in a list. Never throws. */
function readGeminiError(body: Buffer): UpstreamError {
  return { ...readErrorAnswer(body), ...namesIn(errorJson(body)) }
}

function failureOf(fields: Readonly<Record<string, unknown>>): UpstreamError | null {
  const failure = failureIn(fields)
  return failure === null ? null : { ...failure, ...namesIn(fields) }
}

/** The status has the place of a type. The reason in its details says more than the code, which is that of HTTP. */
function namesIn(value: unknown): { readonly type?: string; readonly code?: string } {
  const error = fieldsOf(fieldsOf(Array.isArray(value) ? (value as unknown[])[0] : value)['error'])
  const status = error['status']
  const details = listOf(error['details']).slice(0, DETAILS_LIMIT)
  const reason = details.map((each) => fieldsOf(each)['reason']).find((each) => isName(each))
  return { ...(isName(status) ? { type: status } : {}), ...(isName(reason) ? { code: reason } : {}) }
}

const DETAILS_LIMIT = 16

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(value)
}

const STREAM: StreamShape = {
  whole: wholeInStream(geminiForms, readWhole),
  style: { kind: 'bare' },
  // Gemini reports its usage in nearly every chunk, so nearly all are parsed; they are few and large.
  marker: /Reason"|usageM|error/g,
  sign: /"(?:finish|block)Reason"|"usageMetadata"|"error"|event: ?error/,
  text: {
    fields: ['text', 'name', 'code'],
    delta: 'parts',
    objects: ['args'],
    thinking: /"thought":[ \t]*true|"thoughtsTokenCount":[ \t]*[1-9]/,
    finish: /"finishReason":\s*"(?!FINISH_REASON_UNSPECIFIED)[A-Z]/,
  },
}

/** Sees what was searched for, read and run, too. */
const STREAM_WITH_CALLS: StreamShape = {
  ...STREAM,
  marker: /Reason"|usageM|error|groundingM|urlContextM|executableC/g,
  sign: /"(?:finish|block)Reason"|"error"|event: ?error|"(?:usage|grounding|urlContext)Metadata"|"executableCode"/,
}

/**
 * Rules of a wire that has no event for the end: the chunk is the last in which the last candidate gives its reason to finish and
 * the usage is reported. Where no usage comes with the reason, the next chunk may still bring it.
 */
class GeminiPolicy extends AnswerPolicy implements EventPolicy {
  readonly #choices: number
  readonly #begun = new Set<number>()
  readonly #finished = new Set<number>()

  constructor(options: StreamOptions) {
    super(options, { inputIncludesCache: true, sourcesMean: 'grounded_prompt' })
    this.#choices = options.choices ?? 1
  }

  /** Whether every event is read: until a candidate comes, anything may be a failure; of several, an early end has to end each that has begun. */
  get seesAll(): boolean {
    return this.#choices > 1 || this.#begun.size === 0
  }

  judge(event: ServerEvent): EventAction {
    const json = jsonOf(event)
    const chunk = fieldsOf(Array.isArray(json) ? (json as unknown[])[0] : json)
    const candidates = listOf(chunk['candidates'])
    const failure = failureOf(chunk) ?? flawOfCandidates(candidates, this.passesUnknown)
    if (failure !== null) return failed(failure)
    if (event.name === 'error') return failed(failureOfEvent(event))
    this.#see(candidates)
    const report = readGeminiUsage(chunk['usageMetadata'])
    this.report(report, geminiTerms(chunk['usageMetadata']))
    const isBlocked = isReason(fieldsOf(chunk['promptFeedback'])['blockReason'])
    if (!isBlocked && !this.isFinished()) return PASS
    this.isWithheld ||= isBlocked || candidates.some(isWithheld)
    this.usageIsFinal = (report?.output ?? null) !== null
    return isBlocked || this.usageIsFinal ? END : PASS
  }

  get hasStopped(): boolean {
    return this.#finished.size > 0
  }

  isFinished(): boolean {
    return this.#finished.size >= this.#choices
  }

  keepAlive(): Buffer {
    return Buffer.from(GEMINI_KEEP_ALIVE)
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return Buffer.from(dataEvent(geminiError(fault, requestId)))
  }

  finishEarly(end: EarlyEnd, { last }: SoFar): Buffer {
    const begun = this.#begun.size === 0 ? [0] : [...this.#begun]
    const unfinished = begun.filter((index) => !this.#finished.has(index))
    const candidates = unfinished.map((index) => {
      return { content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'MAX_TOKENS', index }
    })
    const usage = earlyUsage(end, this.usage)
    const usageMetadata = usage === null ? {} : { usageMetadata: metadata(usage) }
    return Buffer.from(dataEvent({ candidates, ...usageMetadata, ...identityOf(last, end) }))
  }

  #see(candidates: readonly unknown[]): void {
    for (const candidate of this.calls === null ? [] : candidates) this.calls?.addCandidate(candidate)
    for (const candidate of candidates.slice(0, CHOICES_LIMIT)) {
      const { index, finishReason } = fieldsOf(candidate)
      const at = typeof index === 'number' ? index : 0
      if (at < 0 || at >= this.#choices) continue
      this.#begun.add(at)
      if (isReason(finishReason)) this.#finished.add(at)
    }
  }
}

const END: EventAction = { kind: 'end', hasText: true }

/** Enumerations on this wire may name their value for nothing. */
function isReason(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.endsWith('_UNSPECIFIED')
}

function metadata({ input, cached, output, reasoning }: NonNullable<ReturnType<typeof earlyUsage>>): object {
  return {
    promptTokenCount: input,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
  }
}

/** What every chunk of one answer has in common, from the last of the events. */
function identityOf(events: string, end: EarlyEnd): object {
  const { modelVersion, responseId } = lastFieldsIn(events)
  return {
    modelVersion: typeof modelVersion === 'string' ? modelVersion : end.model,
    responseId: typeof responseId === 'string' ? responseId : end.requestId,
  }
}
