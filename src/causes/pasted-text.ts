import { type Clues, NOTHING, SEEN } from './clues.ts'
import type { FaultCode } from '../core/faults.ts'
import { answeredIn } from './answerers.ts'
import { cloudRefusalIn } from './cloud-refusals.ts'
import { sitePathOf } from '../core/site-path.ts'
import { judgeAddress, withOneLocalName } from './base-url.ts'
import { type ConnectionFailure, connectionFailureIn, isAnsweredIn } from './connection-failures.ts'
import type { FoundFault } from './found-faults.ts'
import { mistakeIn } from './key-mistakes.ts'
import {
  addressesIn,
  keysIn,
  maskedEndIn,
  modelIn,
  type PastedKey,
  PASTED_CHARACTERS,
  protocolIn,
  providerHostIn,
  requestIdsIn,
  statusIn,
  withoutKeys,
} from './pasted-parts.ts'
import { isWholeSecret } from './secret-checksum.ts'
import { strangerFacts } from './stranger-key.ts'
import { reportedFault } from './reported-fault.ts'
import { type SaidSentence, saidSentence } from './said-facts.ts'

/**
 * Reads whatever was pasted: a request ID, an error, a base URL, a curl line, a config file, a key or its end. Nothing leaves
 * the place where this runs. */
export function readPasted(pasted: string, { origin, also = origin }: GatewayOrigin): Clues {
  const whole = pasted.slice(0, PASTED_CHARACTERS)
  const shownEnd = shownEndIn(whole.trim())
  if (shownEnd !== null) return { ...NOTHING, end: shownEnd, seen: ['key_end'] }
  const said = saidIn(whole)
  // What the gateway says has words like keys and addresses in it, which are not the client's.
  const text = said?.rest ?? whole
  const answered = said === null ? answeredIn(withoutKeys(whole)) : null
  const cloud = refusalOfCloud(whole, { isSureOfOther: answered?.isSure === true })
  const keys = keysIn(text)
  const safe = keys.reduce((rest, key) => (isWord(key) ? rest : rest.replaceAll(key.text, '…')), text)
  const reported = said?.code ?? reportedFault(safe)
  // The words of an error have examples of keys in them.
  const isOfError = said === null && (reported !== null || answered !== null)
  const judgedKeys = keys.flatMap((key) => judgeKey(key) ?? []).filter(({ fault }) => !isOfError || !isExample(fault))
  const addresses = addressesIn(safe)
  const request = requestIdsIn(safe)[0] ?? null
  const isAnsweredHere = reported !== null || request !== null
  const status = statusIn(safe)
  const failure = isAnsweredHere || answered?.isSure === true ? null : failureIn(safe, status)
  const [address] = judgeAddresses(addresses, { origin, also, isCall: isCall(text) })
  const providerHost = providerHostIn(safe)
  const elsewhere = address?.elsewhere ?? (providerHost && `https://${providerHost}`)
  // What was refused as malformed ends like no key.
  const end =
    judgedKeys.find((judged) => judged.end !== null)?.end ??
    (reported === 'key_malformed' ? null : (said?.facts.end ?? endIn(safe) ?? maskedEndIn(whole)))
  const model = said?.facts.model ?? modelIn(safe)
  const found = [
    ...judgedKeys.flatMap(({ fault }) => (fault === null ? [] : [fault])),
    ...(address?.fault === undefined ? [] : [address.fault]),
    ...(reported === null ? [] : [{ code: reported, facts: said?.facts ?? {} }]),
  ]
  return {
    request,
    end,
    model,
    protocol: protocolIn(safe),
    status,
    failure,
    answered: isAnsweredHere || cloud !== null ? null : answered,
    cloud,
    elsewhere,
    found: found.filter(({ code }, place) => found.findIndex((other) => other.code === code) === place),
    seen: SEEN.filter(
      (what) =>
        ({
          request: request !== null,
          key: judgedKeys.some((judged) => judged.isOurs),
          key_end: end !== null && !judgedKeys.some((judged) => judged.isOurs),
          foreign_key: judgedKeys.some((judged) => !judged.isOurs),
          address: addresses.length > 0 || providerHost !== null,
          error: reported !== null,
          answer: cloud !== null || (!isAnsweredHere && answered !== null),
          model: model !== null,
          failure: failure !== null,
          status: status !== null,
        })[what],
    ),
  }
}

/** The end of a key, where it is all that was pasted, with or without what a page shows before it. */
function shownEndIn(bare: string): string | null {
  const end = /^(?:sk-tg-\w{4}|\w{1,10})?[.…*•]{0,6}(\w{4})$/u.exec(bare)?.[1] ?? null
  return bare.length === 4 || /[.…*•]/u.test(bare) ? end : null
}

/** A key that Azure does not know is one of this gateway's, where it was sent there by mistake. */
function refusalOfCloud(text: string, { isSureOfOther }: { readonly isSureOfOther: boolean }): Clues['cloud'] {
  const refusal = cloudRefusalIn(withoutKeys(text))
  return refusal === 'azure_wrong_key' && isSureOfOther ? null : refusal
}

/** The connection that failed; null: none, or a status says that something answered all the same. */
function failureIn(text: string, status: number | null): ConnectionFailure | null {
  const failure = connectionFailureIn(text)
  return failure !== null && status !== null && isAnsweredIn(text, failure) ? null : failure
}

/** A single word that is not a key is read as any other text. */
function isWord(key: PastedKey): boolean {
  return key.by === 'alone' && judgeKey(key) === null
}

/** Whether what stands in a key's place is one of those that the words of errors show. */
function isExample(fault: FoundFault | null): boolean {
  const mistake = fault?.facts.mistake
  return mistake === 'variable' || mistake === 'placeholder' || mistake === 'shortened'
}

/** The gateway's own sentence in the text, with the code of its fault. Nothing that has the form of a key is read. */
function saidIn(text: string): (SaidSentence & { readonly code: FaultCode }) | null {
  const clean = withoutKeys(text)
  const code = reportedFault(clean)
  const said = code === null ? null : saidSentence(clean, code)
  return code === null || said === null ? null : { ...said, code }
}

interface GatewayOrigin {
  /** The address as its clients reach it: scheme://host, and the path that a reverse proxy serves it under. */
  readonly origin: string
  /** The address as it was reached now, where that is another. */
  readonly also?: string
}

interface JudgedKey {
  readonly fault: FoundFault | null
  readonly end: string | null
  readonly isOurs: boolean
}

/** null: what stands there says nothing, such as an example in a comment. */
function judgeKey({ text, by }: PastedKey): JudgedKey | null {
  if (isWholeSecret(text)) return { fault: null, end: text.slice(-4), isOurs: true }
  const stranger = strangerFacts(text)
  if (stranger.foreign !== undefined || stranger.access_token === true) {
    return { fault: { code: 'key_unknown', facts: stranger }, end: null, isOurs: false }
  }
  const mistake = mistakeIn(text)
  if (mistake === null)
    return by === 'alone' && !/\d/.test(text) ? null : { fault: null, end: text.slice(-4), isOurs: true }
  if (by === 'alone' && mistake.mistake === 'characters' && !text.includes('sk-tg-')) return null
  return { fault: { code: 'key_malformed', facts: mistake }, end: null, isOurs: true }
}

/** A curl line, or an address with a method before it: what is called is an endpoint, and rightly so. */
function isCall(text: string): boolean {
  return /\bcurl\b|Invoke-(?:RestMethod|WebRequest)|\b(?:POST|GET) https?:/i.test(text)
}

function* judgeAddresses(
  addresses: readonly string[],
  { origin, also, isCall: isCalled }: Required<GatewayOrigin> & { readonly isCall: boolean },
): Generator<{ readonly fault?: FoundFault; readonly elsewhere: string | null }> {
  for (const address of addresses) {
    const judged = judgeAddress(address, sitePathOf(origin))
    if (judged.kind === 'unreadable') continue
    const isHere = [origin, also].some((known) => withOneLocalName(judged.origin) === withOneLocalName(known))
    if (!isHere && isForPeople(address)) continue
    if (judged.kind === 'path' && isHere && !CONSOLE.test(judged.path)) {
      yield { fault: { code: 'path_unknown', facts: { path: judged.path, origin } }, elsewhere: null }
    } else if (judged.kind === 'path' && isHere) {
      yield { fault: { code: 'path_unknown', facts: { path: '/console', origin } }, elsewhere: null }
    } else if (judged.kind === 'unserved' && isHere) {
      const { path, served } = judged
      yield { fault: { code: 'path_unknown', facts: { path, served: served.join(' and ') } }, elsewhere: null }
    } else if (judged.kind === 'endpoint' && isHere && !isCalled) {
      yield { fault: { code: 'base_url_wrong', facts: { enter: judged.enter } }, elsewhere: null }
    } else if (!isHere) {
      yield { elsewhere: judged.origin }
    }
  }
}

const CONSOLE = /^\/console(?:\/|$)/

/** Whether config files and errors have this address for people to read, and no client calls it. */
function isForPeople(address: string): boolean {
  return !/\/v\d(?:beta|alpha|\/|$)|completions$/i.test(address) && PAGES.some((page) => page.test(address))
}

const PAGES: readonly RegExp[] = [
  /\/docs?\b|json\.schemastore|\/schema|\.json$|\/(?:account|settings|billing|pricing|errors?|supported-countries)\b/i,
  /^https?:\/\/(?:platform|console|docs?|help|support|status|learn|developers?|errors|modelstudio|cloud)\./i,
  /^https?:\/\/(?:www\.)?(?:github\.com|httpstatuses\.(?:com|io)|nodejs\.org|curl\.(?:se|haxx\.se)|aka\.ms|go\.microsoft\.com)/i,
  /^https?:\/\/(?:www\.)?(?:ai\.google\.dev|cloudflare\.com|python\.langchain\.com|ollama\.com|bit\.ly|w3\.org)/i,
]

function endIn(text: string): string | null {
  return /(?:ending in|ends in|尾号为?|末尾为?)\s*["“]?(\w{4})\b/.exec(text)?.[1] ?? null
}
