import { Fault } from '../../core/faults.ts'
import type { DroppableSetting } from '../../core/request-settings-names.ts'
import type { Steps } from '../../core/turns.ts'
import { type ChatWire, type HubWire, isHubWire, type Wire, WIRES } from '../../core/wire.ts'
import type { AskedModel } from '../../models/table.ts'
import type { AnswerAbout, Protocol, RequestHead } from '../../protocols/protocol.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import {
  fewValued,
  fieldsThatSay,
  type LeanBody,
  type UntakenSetting,
  withoutSettings,
  withoutUntaken,
} from '../../protocols/left-out-settings.ts'
import type { RefusedSettings } from '../../protocols/refused-settings.ts'
import { refuseTooLong, type Translated, type TranslatedFor, Translation } from '../../protocols/translation.ts'
import type { Target } from '../../routing/catalog.ts'
import { askedModelOf } from '../../routing/asked-model.ts'
import { searchesByItself } from './self-searching.ts'
import { forwardedHeaders, translatedHeaders } from './forwarded-headers.ts'
import { candidatesOf } from './target-candidates.ts'
import { limitedBody } from './limited-body.ts'
import { TargetWires, type WiresOptions } from './target-wires.ts'
import type { LearnedRefusals } from '../learned-refusals.ts'
import type { OutboundRequest, RequestAdapters } from '../request/outbound.ts'
import type { ChosenModel } from '../request/prepared.ts'
import { asFault } from '../upstream-faults.ts'

export interface TargetAdaptersOptions extends WiresOptions {
  readonly head: RequestHead
  /** Left out: no target was seen to refuse anything. */
  readonly learnedRefusals?: Pick<LearnedRefusals, 'of'>
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
  /** Paths of what the gateway left out of the client's body already; left out: nothing. */
  readonly leftOut?: readonly string[] | undefined
}

/** TargetAdapters of one request to its model's targets. Same wire: the bytes go through. Another one: they are translated. */
export class TargetAdapters implements RequestAdapters {
  readonly #of: TargetAdaptersOptions
  readonly #wires: TargetWires
  /** While a request is being translated, for several wires perhaps. */
  #translation: Translation | null = null
  /** What was made to see whether the request can be carried, for the attempt that follows. */
  #ready: { readonly target: Target; readonly outbound: OutboundRequest } | null = null
  #mostBytesSent = 0
  /** What targets have refused of this request; null: nothing, as of nearly all. */
  #refused: Map<Target, readonly UntakenSetting[]> | null = null
  /** Tokens of output that each answer may have, where that is less than the client asked for. */
  #outputLimit: number | null = null
  /** Calls of each of the provider's own tools, where the client names no bound or a higher one. */
  #callLimit: number | null = null

  constructor(of: TargetAdaptersOptions) {
    this.#of = of
    this.#wires = new TargetWires(of)
  }

  /** Bytes of the largest body that was made for an upstream, headers not counted. */
  get mostBytesSent(): number {
    return Math.max(this.#mostBytesSent, this.#of.body.length)
  }

  /**
   * Lowers the output limit of the request to what is held for, wherever it goes. False: the request cannot do with so few
   * tokens for each answer.
   */
  limitOutput(tokens: number): boolean {
    const { body, head } = this.#of
    const { limitOutput } = this.#bodyProtocol
    if (limitOutput === undefined) return true
    const limited = limitOutput(body, { model: { name: head.model }, tokens }, head.limits)
    if (limited === null) return false
    this.#outputLimit = tokens
    this.#ready = null
    this.#translation = null
    return true
  }

  /** Lowers the bounds on calls of the provider's own tools to what is held for, and adds those that are not there. */
  limitCalls(calls: number): void {
    this.#callLimit = calls
    this.#ready = null
  }

  /** Reads a large request for `refusal`, in steps, where it has to be translated. */
  *readAhead(): Steps<void> {
    const { chosen, isFree } = this.#of
    if (isFree || chosen.targets.length === 0 || chosen.targets.some((target) => this.isSameWire(target))) return
    yield* (this.#translation ??= this.#translationOf(this.#of.body)).readAhead()
  }

  /** The fault `request_invalid` of the first target where no target's wire can carry the request; null: one can. */
  refusal(): Fault | null {
    const { targets } = this.#of.chosen
    if (targets.some((target) => this.isSameWire(target)))
      return this.#of.protocol.rewriteRefusal?.(this.#of.body) ?? null
    let first: Fault | null = null
    for (const target of targets) {
      const outbound = this.#outboundTo(target, this.#firstOrgTagOf(target))
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
    return this.#of.bodyWire === undefined && this.#wires.of(target)[0] === this.#of.protocol.wire
  }

  /**
   * The way to one target with a credential of the organisation with this tag; or the Fault that says what its wires cannot carry,
   * the best wire's.
   */
  to(target: Target, orgTag: string): OutboundRequest | Fault {
    const ready = this.#ready
    const isReady = ready?.target === target && (ready.outbound.goesTo?.(orgTag) ?? true)
    const outbound = isReady ? ready.outbound : this.#outboundTo(target, orgTag)
    // Large both, and an answer may take minutes: another try makes them anew.
    this.#ready = null
    this.#translation = null
    return outbound
  }

  /**
   * Leaves out of what this target gets what it has refused, and what of it the gateway may leave out: any of it where the
   * request is translated, and only what the gateway itself added where the client's bytes go through. Null: nothing of it was
   * sent, or it is the client's own. Else what holds for other requests as well.
   */
  leaveOut(target: Target, orgTag: string, refused: RefusedSettings): readonly UntakenSetting[] | null {
    const before = this.#outboundTo(target, orgTag)
    if (before instanceof Fault) return null
    const own = this.#refused?.get(target) ?? []
    const untaken = refused.settings.map((setting) => ({ setting, value: null }))
    this.#refused = new Map(this.#refused).set(target, [...own, ...untaken])
    const outbound = this.#outboundTo(target, orgTag)
    if (outbound instanceof Fault) return null
    const leftOut = outbound.adapter.leftOut.filter((setting) => !before.adapter.leftOut.includes(setting))
    if (leftOut.length === 0) {
      this.#refused.set(target, own)
      return null
    }
    this.#ready = { target, outbound }
    if (refused.refuses === 'combination') return []
    if (refused.refuses === 'setting') return leftOut.map((setting) => ({ setting, value: null }))
    const sent = Buffer.concat(before.request.body)
    return leftOut.flatMap((setting) => {
      const value = fewValued(sent, setting)
      return value === null ? [] : [{ setting, value }]
    })
  }

  #outboundTo(target: Target, orgTag: string | undefined): OutboundRequest | Fault {
    const { protocol, bodyWire } = this.#of
    let first: Fault | null = null
    for (const wire of this.#wires.of(target)) {
      try {
        if (bodyWire === undefined && wire === protocol.wire) return this.#sameWireRequest(target)
        if (isHubWire(wire)) return this.#translatedRequest(target, wire, orgTag)
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
  #firstOrgTagOf(target: Target): string | undefined {
    const inUse = this.#of.snapshot.upstreamsById.get(target.upstreamId)
    return inUse === undefined ? undefined : candidatesOf(target, inUse, false)[0]?.orgTag
  }

  /** The target lacks the wire that the request went to it on; false: there is no other. */
  leaveWire(target: Target, wire: Wire): boolean {
    this.#ready = null
    return this.#wires.leave(target, wire)
  }

  /** The protocol of the wire that the body is written in. */
  get #bodyProtocol(): Protocol {
    const { protocol, bodyWire } = this.#of
    return bodyWire === undefined ? protocol : protocolOf(bodyWire)
  }

  #sameWireRequest(target: Target): OutboundRequest {
    const { model } = target
    const { protocol, body, head, chosen, rawHeaders, requestId, upstreamPath, isFree, forwardsAlso } = this.#of
    const takesLike = askedModelOf(target, chosen.model)
    const about = answerAbout(chosen, head, target)
    const wantsUsage = mustAskForUsage(protocol, head)
    const isUsageRefused = wantsUsage && this.#untakenBy(target).some(({ setting }) => setting === 'stream_options')
    const askForUsage = wantsUsage && !isUsageRefused
    const isBoundRefused = this.#refusesBound(target)
    const written = protocol.rewriteRequest(body, head, { model, takesLike, askForUsage })
    const rewritten = this.#limited(written, takesLike, isBoundRefused ? null : this.#callLimit)
    const settings = this.#settingsNotTakenBy(target)
    const lean = settings === null ? null : withoutSettings(Buffer.concat(rewritten), settings)
    return {
      request: {
        method: 'POST',
        path: protocol.pathOf?.(model, isFree ? 'count_tokens' : asks(head)) ?? upstreamPath,
        headers: forwardedHeaders(rawHeaders, { requestId, also: forwardsAlso, body: isForm(body) ? 'form' : 'json' }),
        body: lean === null ? rewritten : [lean.body],
        asks: { wire: protocol.wire, model, form: isFree ? 'count_tokens' : asks(head) },
        isFree,
      },
      adapter: {
        dropped: lean === null ? (this.#of.leftOut ?? NO_PATHS) : this.#droppedWith(lean.dropped),
        leftOut: isUsageRefused || isBoundRefused ? leftOutOf(isUsageRefused, isBoundRefused) : NOTHING,
        askedTerms: this.#askedTerms(lean, NOTHING),
        isSameWire: true,
        wire: protocol.wire,
        openStream: protocol.streams ? () => protocol.openStream({ ...about, dropUsageChunk: askForUsage }) : null,
        takesEitherForm: protocol.streams && protocol.takesEitherForm === true,
        readAnswer: (answer) => protocol.readAnswer(answer, about),
        forClient: (answer) => answer,
        readError: (answer) => protocol.readError(answer),
      },
    }
  }

  #limited(body: Buffer[], model: AskedModel, calls: number | null): Buffer[] {
    const tokens = this.#outputLimit
    // Nearly every request.
    if (tokens === null && calls === null) return body
    return limitedBody(body, { model, tokens, calls }, { ...this.#of, protocol: this.#bodyProtocol })
  }

  /** The target has refused a bound on all calls together, and the client names none. */
  #refusesBound(target: Target): boolean {
    if (this.#callLimit === null || !this.#untakenBy(target).some(({ setting }) => setting === CALLS_BOUND))
      return false
    return fieldsThatSay(this.#of.body, CALLS_BOUND).length === 0
  }

  #translatedRequest(target: Target, wire: HubWire, orgTag: string | undefined): OutboundRequest {
    const { head, chosen, rawHeaders, requestId, forwardsAlso } = this.#of
    const { model } = target
    refuseTooLong(this.#of.body)
    const settings = this.#settingsNotTakenBy(target)
    const lean = settings === null ? null : withoutSettings(this.#of.body, settings)
    const takesLike = askedModelOf(target, chosen.model)
    const upstream = { model, takesLike, maxOutputTokens: chosen.model.maxOutputTokens, realm: orgTag }
    const [written, translated] = this.#translate(wire, upstream, lean)
    const untaken = this.#untakenBy(target)
    const { body, leftOut } =
      untaken.length === 0 ? { body: written, leftOut: NOTHING } : withoutUntaken(written, untaken)
    const named = leftOut.flatMap((setting) => fieldsThatSay(this.#of.body, setting))
    const protocol = protocolOf(wire)
    const about = answerAbout(chosen, head, target)
    const form = translated.asksWhole ? 'whole' : asks(head)
    return {
      request: {
        method: 'POST',
        path: protocol.pathOf?.(model, form) ?? WIRES[wire].upstreamPath,
        headers: translatedHeaders(rawHeaders, { requestId, also: forwardsAlso }, wire),
        body: [body],
        asks: { wire, model, form },
      },
      goesTo: (tag) => translated.goesTo(tag),
      adapter: {
        dropped: this.#droppedWith(lean?.dropped, translated.dropped, named),
        leftOut,
        askedTerms: this.#askedTerms(lean, leftOut),
        isSameWire: false,
        wire,
        openStream: () => translated.openStream(about),
        takesEitherForm: true,
        readAnswer: (answer) => protocol.readAnswer(answer, { ...about, isTranslated: true }),
        forClient: (answer, usage) => translated.answer(answer, usage),
        readError: (answer) => translated.readError(answer),
      },
    }
  }

  /** All paths that the request goes without, each once. */
  #droppedWith(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
    return [...new Set([this.#of.leftOut, ...lists].flatMap((list) => list ?? []))]
  }

  /** `lean`: the body without what the target does not take; null: it takes all. */
  #translate(wire: HubWire, upstream: TranslatedFor, lean: LeanBody | null): [Buffer, Translated] {
    const hasLess = lean !== null && lean.dropped.length > 0
    const translation = hasLess
      ? this.#translationOf(lean.body)
      : (this.#translation ??= this.#translationOf(this.#of.body))
    const translated = translation.to(wire, upstream)
    this.#mostBytesSent = Math.max(this.#mostBytesSent, translated.body.length)
    return [translated.takeBody(), translated]
  }

  #translationOf(whole: Buffer): Translation {
    const { protocol, bodyWire, head, requestId, nowMs } = this.#of
    const body = this.#outputLimit === null ? whole : Buffer.concat(this.#limited([whole], { name: head.model }, null))
    return new Translation({ wire: protocol.wire as ChatWire, bodyWire, body, head, requestId, nowMs })
  }

  #askedTerms(lean: LeanBody | null, leftOut: readonly DroppableSetting[]): RequestHead['terms'] {
    const { terms } = this.#of.head
    const isTierLeftOut = leftOut.includes('service_tier') || lean?.dropped.includes('service_tier') === true
    return isTierLeftOut && terms !== undefined ? { ...terms, tier: null } : terms
  }

  /** What it has refused, of this request or of others; nothing, as of nearly every one. */
  #untakenBy(target: Target): readonly UntakenSetting[] {
    const inUse = this.#of.snapshot.upstreamsById.get(target.upstreamId)
    if (inUse === undefined) return NONE_UNTAKEN
    const learned = this.#of.learnedRefusals?.of({ upstream: inUse.upstream, target }) ?? NONE_UNTAKEN
    const own = this.#refused?.get(target)
    return own === undefined ? learned : [...learned, ...own]
  }

  /** null: it takes them all, as nearly every one. */
  #settingsNotTakenBy({ upstreamId, droppedSettings }: Target): readonly DroppableSetting[] | null {
    const ofUpstream = this.#of.snapshot.upstreamsById.get(upstreamId)?.upstream.passage?.droppedSettings
    if (ofUpstream === undefined) return droppedSettings ?? null
    return droppedSettings === undefined ? ofUpstream : [...ofUpstream, ...droppedSettings]
  }
}

const NONE_UNTAKEN: readonly UntakenSetting[] = []
const NOTHING: readonly DroppableSetting[] = []
const NO_PATHS: readonly string[] = []
const CALLS_BOUND = 'max_tool_calls'

/** What the gateway would have added. */
function leftOutOf(isUsageRefused: boolean, isBoundRefused: boolean): readonly DroppableSetting[] {
  const usage = isUsageRefused ? (['stream_options'] as const) : []
  return isBoundRefused ? [...usage, CALLS_BOUND] : usage
}

/** Whether a body was read as a form, which begins with its boundary, and not as a JSON object. */
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

/**
 * What is to be read of an answer. Calls are counted where some have a fee, here or at the provider, and where a request may
 * make any, so that none pass unseen.
 */
function answerAbout({ model, prices }: ChosenModel, { choices, outside }: RequestHead, { cost }: Target): AnswerAbout {
  const hasFees = prices.calls !== undefined || (cost?.kind === 'prices' && cost.prices.calls !== undefined)
  const countsCalls = hasFees || outside.loops || outside.kept || searchesByItself(model)
  return countsCalls ? { choices, countsCalls: true } : { choices }
}
