import { createHash } from 'node:crypto'

/**
 * The ids of calls that an upstream takes: `any`; `short`, up to 64 printable characters (OpenAI's responses); `shorter`, up to 40
 * (its chat completions); `portable`, 64 letters, digits, `_` and `-` (Anthropic); or `alphanumeric9`, nine letters or digits
 * (Mistral).
 */
export type CallIdForm = 'any' | 'short' | 'shorter' | 'portable' | 'alphanumeric9'

const FORMS: Readonly<Record<CallIdForm, RegExp>> = {
  any: /^[^]+$/,
  short: /^[!-~]{1,64}$/,
  shorter: /^[!-~]{1,40}$/,
  portable: /^[a-zA-Z0-9_-]{1,64}$/,
  alphanumeric9: /^[a-zA-Z0-9]{9}$/,
}

/** Anthropic and others allow these characters only. */
const PORTABLE = /^[a-zA-Z0-9_-]+$/

/**
 * The id of a call as an upstream takes it: the one that the upstream gave where the client's is made from it, else the client's
 * own, else another, always the same, so that a call and its result still belong together.
 */
export function upstreamCallId(id: string, form: CallIdForm): string {
  const given = openCallId(id)
  if (given !== null && FORMS[form].test(given)) return given
  return fitsForm(id, form) ? id : madeCallId(given ?? id, form)
}

/** Whether any provider of that form takes the id of another one. */
export function fitsForm(id: string, form: CallIdForm): boolean {
  return FORMS[form].test(id) && (form === 'any' || PORTABLE.test(id))
}

/** Makes an id of a `seed`: the same seed gives the same id. */
export function madeCallId(seed: string, form: CallIdForm): string {
  if (form !== 'alphanumeric9') return hashedCallId(seed)
  return createHash('sha256').update(seed).digest('base64').replace(/[+/]/g, '').slice(0, 9)
}

/** An id for a call that came without one. The same `seed` gives the same id, so it has to be unique in a conversation. */
export function hashedCallId(seed: string): string {
  return 'call_' + createHash('sha256').update(seed).digest('hex').slice(0, 24)
}

/**
 * An upstream's id as a client gets it that cannot get the same: it has other characters than every provider takes, or another
 * call of the conversation has it. `number` tells those apart. Null where there is no room for it in `limit` characters.
 */
export function wrappedCallId(id: string, number: number, limit: number): string | null {
  const mark = MARK + (number === 0 ? '' : number.toString(36))
  const wrapped = PORTABLE.test(id) ? `${mark}-${id}` : `${mark}_${Buffer.from(id).toString('base64url')}`
  return wrapped.length > limit ? null : wrapped
}

/** The upstream's id in what `wrappedCallId` wrote; null: it wrote nothing of the kind. */
function openCallId(written: string): string | null {
  const [, number = '', kind, rest = ''] = WRAPPED.exec(written) ?? []
  if (kind === undefined) return null
  const id = kind === '-' ? rest : Buffer.from(rest, 'base64url').toString()
  // Only what would be wrapped in this way was.
  const isMeant = kind === '-' ? number !== '' || WRAPPED.test(id) : !PORTABLE.test(id)
  return isMeant && wrappedCallId(id, number === '' ? 0 : Number.parseInt(number, 36), Infinity) === written ? id : null
}

/** Whether a client may have the id as it is, in `limit` characters. */
export function isPortableCallId(id: string, limit: number): boolean {
  return id.length <= limit && PORTABLE.test(id) && !WRAPPED.test(id)
}

const MARK = 'tg'
const WRAPPED = /^tg([1-9a-z][0-9a-z]{0,5})?([-_])([^]+)$/
