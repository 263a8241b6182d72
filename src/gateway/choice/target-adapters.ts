import { Fault } from '../../core/faults.ts'
import type { DroppableSetting } from '../../core/request-settings-names.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import { type ChatWire, isChatWire, type Wire, WIRES } from '../../core/wire.ts'
import type { AskedModel } from '../../models/table.ts'
import type {
  Answer,
  AnswerAbout,
  Protocol,
  RequestHead,
  StreamReader,
  UpstreamError,
} from '../../protocols/protocol.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { type LeanBody, withoutSettings } from '../../protocols/left-out-settings.ts'
import { type Translated, type TranslatedFor, Translation } from '../../protocols/translation.ts'
import type { Target } from '../../routing/catalog.ts'
import { askedModelOf } from '../../routing/asked-model.ts'
import { wiresTo } from '../../routing/route.ts'
import type { UpstreamRequest } from '../../upstreams/upstream-client.ts'
import type { ChosenModel } from './choose-model.ts'
import { forwardedHeaders, translatedHeaders } from './forwarded-headers.ts'
import { candidatesOf } from './target-candidates.ts'
import type { Snapshot } from '../snapshot.ts'
import { asFault } from '../upstream-faults.ts'

/** One request as it leaves for one target. It is let go when it is sent, since it may be large. */
export interface OutboundRequest {
  readonly request: UpstreamRequest
  readonly adapter: ResponseAdapter
  /** See `Translated.goesTo`; left out: it goes to each as it is. */
  readonly goesTo?: (realmTag: string) => boolean
}

/** How a target's answer comes back to the client. */
export interface ResponseAdapter {
  /** Paths in the client's body of what this target's wire has no place for. */
  readonly dropped: readonly string[]
  /** Both sides speak one wire, so what the client gets has the upstream's ids. */
  readonly isSameWire: boolean
  /** Makes the reader of the answer's stream; null on a wire that has no streams. */
  readonly openStream: (() => StreamReader) | null
  readAnswer(body: Buffer): Answer
  /** The client's bytes for an answer that was read: the same where both sides speak one wire. */
  forClient(body: Buffer, usage: TokenCounts): Buffer
  readError(body: Buffer): UpstreamError
}

/** What a request is carried by. */
export interface TargetAdaptersOptions {
  readonly protocol: Protocol
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  readonly snapshot: Snapshot
  readonly requestId: string
  readonly nowMs: number
  /** Name, value, name, value …, as Node gives them. */
  readonly rawHeaders: readonly string[]
  /** Where the client's own wire has it, from the upstream's base URL, with the client's query. */
  readonly upstreamPath: string
  /** Headers of clients that go on beside those that always do, in lower case. */
  readonly forwardsAlso: ReadonlySet<string>
  /** Tokens are to be counted, and nothing generated. */
  readonly isFree: boolean
}

/** TargetAdapters of one request to its model's targets. Same wire: the bytes go through. Another one: they are translated. */
export class TargetAdapters {
  readonly #of: TargetAdaptersOptions
  /** While a request is being translated, for several wires perhaps. */
  #translation: Translation | null = null
  /** What was made to see whether the request can be carried, for the attempt that follows. */
  #ready: { readonly target: Target; readonly outbound: OutboundRequest } | null = null
  #mostBytesSent = 0
  /** Tokens of output that each answer may have, where that is less than the client asked for. */
  #outputLimit: number | null = null

  constructor(of: TargetAdaptersOptions) {
    this.#of = of
  }

  /** Bytes of the largest body that was made for an upstream, headers not counted. */
  get mostBytesSent(): number {
    return Math.max(this.#mostBytesSent, this.#of.body.length)
  }

  /**
   * Lowers the output limit of the request to what is held for, wherever it goes. Throws the fault `balance_exhausted` where
   * the request cannot do with so few tokens for each answer.
   */
  limitOutput(tokens: number): void {
    const { protocol, body, head } = this.#of
    if (protocol.limitOutput === undefined) return
    if (protocol.limitOutput(body, { model: { name: head.model }, tokens }) === null) throw needsMoreOutput(tokens)
    this.#outputLimit = tokens
    this.#ready = null
    this.#translation = null
  }

  /** The fault `request_invalid` of the first target where no target's wire can carry the request; null: one can. */
  refusal(): Fault | null {
    const { targets } = this.#of.chosen
    if (targets.some((target) => this.isSameWire(target))) return null
    let first: Fault | null = null
    for (const target of targets) {
      const outbound = this.#outboundTo(target, this.#firstRealmOf(target))
      if (!(outbound instanceof Fault)) {
        this.#translation = null
        this.#ready = { target, outbound }
        return null
      }
      first ??= outbound
    }
    this.#translation = null
    return first
  }

  /** Whether the target understands the client's wire as it is. */
  isSameWire(target: Target): boolean {
    return this.#wiresTo(target)[0] === this.#of.protocol.wire
  }

  /**
   * The way to one target with a credential of the realm with this tag; or the Fault that says what its wires cannot carry,
   * the best wire's.
   */
  to(target: Target, realm: string): OutboundRequest | Fault {
    const ready = this.#ready
    const isReady = ready?.target === target && (ready.outbound.goesTo?.(realm) ?? true)
    const outbound = isReady ? ready.outbound : this.#outboundTo(target, realm)
    // Large both, and an answer may take minutes: another try makes them anew.
    this.#ready = null
    this.#translation = null
    return outbound
  }

  #outboundTo(target: Target, realm: string | undefined): OutboundRequest | Fault {
    const { protocol } = this.#of
    let first: Fault | null = null
    for (const wire of this.#wiresTo(target)) {
      if (wire === protocol.wire) return this.#sameWireRequest(target)
      try {
        if (isChatWire(wire)) return this.#translatedRequest(target, wire, realm)
      } catch (error) {
        const fault = asFault(error)
        // A defect of ours must not hide behind the next wire.
        if (fault.code !== 'request_invalid') return fault
        first ??= fault
      }
    }
    return first ?? asFault(new Error('a target that speaks nothing of use was chosen'))
  }

  /** Most upstreams have one. */
  #firstRealmOf(target: Target): string | undefined {
    const inUse = this.#of.snapshot.upstreamsById.get(target.upstreamId)
    return inUse === undefined ? undefined : candidatesOf(target, inUse, false)[0]?.realmTag
  }

  #wiresTo({ upstreamId }: Target): readonly Wire[] {
    const inUse = this.#of.snapshot.upstreamsById.get(upstreamId)
    return inUse === undefined ? [] : wiresTo(inUse.upstream.protocol, this.#of.protocol.wire)
  }

  #sameWireRequest(target: Target): OutboundRequest {
    const { model } = target
    const { protocol, body, head, chosen, rawHeaders, requestId, upstreamPath, isFree, forwardsAlso } = this.#of
    const takesLike = askedModelOf(target, chosen.model)
    const about = answerAbout(chosen)
    const askForUsage = mustAskForUsage(protocol, head)
    const rewritten = this.#limited(protocol.rewriteRequest(body, head, { model, takesLike, askForUsage }), takesLike)
    const settings = this.#settingsNotTakenBy(target)
    const lean = settings === null ? null : withoutSettings(Buffer.concat(rewritten), settings)
    return {
      request: {
        method: 'POST',
        path: protocol.pathOf?.(model, isFree ? 'count_tokens' : asks(head)) ?? upstreamPath,
        headers: forwardedHeaders(rawHeaders, { requestId, also: forwardsAlso, body: isForm(body) ? 'form' : 'json' }),
        body: lean === null ? rewritten : [lean.body],
        isFree,
      },
      adapter: {
        dropped: lean?.dropped ?? [],
        isSameWire: true,
        openStream: protocol.streams
          ? () => protocol.openStream({ ...about, dropUsageChunk: askForUsage, choices: head.choices })
          : null,
        readAnswer: (answer) => protocol.readAnswer(answer, about),
        forClient: (answer) => answer,
        readError: (answer) => protocol.readError(answer),
      },
    }
  }

  /** The body with the lowered limit, where there is one, in the field that models like this take. */
  #limited(body: Buffer[], model: AskedModel): Buffer[] {
    const { protocol } = this.#of
    if (this.#outputLimit === null) return body
    const limited = protocol.limitOutput?.(Buffer.concat(body), { model, tokens: this.#outputLimit })
    return limited === undefined || limited === null ? body : [limited]
  }

  #translatedRequest(target: Target, wire: ChatWire, realm: string | undefined): OutboundRequest {
    const { head, chosen, rawHeaders, requestId, forwardsAlso } = this.#of
    const { model } = target
    const settings = this.#settingsNotTakenBy(target)
    const lean = settings === null ? null : withoutSettings(this.#of.body, settings)
    const takesLike = askedModelOf(target, chosen.model)
    const upstream = { model, takesLike, maxOutputTokens: chosen.model.maxOutputTokens, realm }
    const [body, translated] = this.#translate(wire, upstream, lean)
    const protocol = protocolOf(wire)
    const about = answerAbout(chosen)
    return {
      request: {
        method: 'POST',
        path: protocol.pathOf?.(model, asks(head)) ?? WIRES[wire].upstreamPath,
        headers: translatedHeaders(rawHeaders, { requestId, also: forwardsAlso }, wire),
        body: [body],
      },
      goesTo: (tag) => translated.goesTo(tag),
      adapter: {
        dropped: lean === null ? translated.dropped : [...lean.dropped, ...translated.dropped],
        isSameWire: false,
        openStream: () => translated.openStream(about),
        readAnswer: (answer) => protocol.readAnswer(answer, about),
        forClient: (answer, usage) => translated.answer(answer, usage),
        readError: (answer) => translated.readError(answer),
      },
    }
  }

  /** `lean`: the body without what the target does not take; null: it takes all. */
  #translate(wire: ChatWire, upstream: TranslatedFor, lean: LeanBody | null): [Buffer, Translated] {
    const hasLess = lean !== null && lean.dropped.length > 0
    const translation = hasLess
      ? this.#translationOf(lean.body)
      : (this.#translation ??= this.#translationOf(this.#of.body))
    const translated = translation.to(wire, upstream)
    this.#mostBytesSent = Math.max(this.#mostBytesSent, translated.body.length)
    return [translated.takeBody(), translated]
  }

  #translationOf(whole: Buffer): Translation {
    const { protocol, head, requestId, nowMs } = this.#of
    const body = this.#outputLimit === null ? whole : Buffer.concat(this.#limited([whole], { name: head.model }))
    return new Translation({ wire: protocol.wire as ChatWire, body, head, requestId, nowMs })
  }

  /** null: it takes them all, as nearly every one. */
  #settingsNotTakenBy({ upstreamId, droppedSettings }: Target): readonly DroppableSetting[] | null {
    const ofUpstream = this.#of.snapshot.upstreamsById.get(upstreamId)?.upstream.passage?.droppedSettings
    if (ofUpstream === undefined) return droppedSettings ?? null
    return droppedSettings === undefined ? ofUpstream : [...ofUpstream, ...droppedSettings]
  }
}

function answerAbout({ prices }: ChosenModel): AnswerAbout {
  return prices.calls === undefined ? NOTHING_APART : COUNTS_CALLS
}

const NOTHING_APART: AnswerAbout = {}
const COUNTS_CALLS: AnswerAbout = { countsCalls: true }

function needsMoreOutput(tokens: number): Fault {
  return new Fault(
    'balance_exhausted',
    `What is left pays for about ${tokens} output tokens, and this request may think for more. Top up the account, or lower thinking.budget_tokens.`,
  )
}

/** It was read as a form, which begins with its boundary, or as a JSON object, which does not. */
function isForm(body: Buffer): boolean {
  return body[0] === HYPHEN
}

const HYPHEN = 0x2d

function asks({ stream }: RequestHead): 'whole' | 'stream' {
  return stream ? 'stream' : 'whole'
}

/** The client streams completions and did not ask for usage: the gateway does, and takes the extra chunk out. */
function mustAskForUsage(protocol: Protocol, head: RequestHead): boolean {
  return protocol.streams && protocol.usageIsAskedFor === true && head.stream && !head.includeUsage
}
