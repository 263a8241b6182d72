import type { FactValues, FaultFacts } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'
import { ending, expired, SIGN_IN_AGAIN } from './english-keys.ts'
import { affordable, amounts, limited, resets } from './english-limits.ts'
import { explainBy, type Explanation, isZeroLimit } from './explanation.ts'

/** Why a request was refused, in the English that its caller got. */
export const explainEnglish = explainBy({
  key_missing: () => ({
    cause: 'No API key was sent.',
    remedy:
      'Send it as "Authorization: Bearer <key>" (OpenAI clients), "x-api-key: <key>" (Anthropic clients) or "x-goog-api-key: <key>" (Gemini clients). A key in the query (?key=) is not read: URLs end up in logs.',
  }),
  account_disabled: ({ device }) => ({
    cause: `The account that owns this ${device === true ? 'signed-in device' : 'API key'} is disabled.`,
    remedy: 'Ask an admin of this gateway to enable it.',
  }),
  key_malformed: (facts) => {
    if (facts.device === true)
      return { cause: 'The sign-in token of a device arrived incomplete.', remedy: SIGN_IN_AGAIN }
    return facts.mistake === undefined ? null : (KEY_MISTAKES[facts.mistake]?.(facts) ?? null)
  },
  key_unknown: ({ foreign, access_token: isToken, end, device }) => {
    if (device === true) {
      return { cause: 'This gateway did not issue the sign-in token that was sent.', remedy: SIGN_IN_AGAIN }
    }
    if (isToken === true) {
      return {
        cause: 'This is an access token. It works on the console API only, and cannot call models.',
        remedy: 'Create an API key and use that one.',
      }
    }
    if (foreign !== undefined) {
      return {
        cause: `This is a key of ${foreign}, not one of this gateway.`,
        remedy: 'Create an API key on this gateway and use that one.',
      }
    }
    if (end === undefined) return null
    return {
      cause: `This gateway has no API key ending in ${end}.`,
      remedy: 'Check that it belongs to this gateway, or create a new key.',
    }
  },
  key_deleted: ({ end, at, device }, time) => {
    if (at === undefined) return null
    if (device === true) return { cause: `This device was signed out at ${time(at)}.`, remedy: SIGN_IN_AGAIN }
    return { cause: `The API key${ending(end)} was deleted at ${time(at)}.`, remedy: 'Create a new key.' }
  },
  key_disabled: ({ end, at, device }, time) => {
    if (at === undefined) return null
    return device === true
      ? { cause: `This device was disabled at ${time(at)}.`, remedy: 'Enable it again on the Devices page.' }
      : {
          cause: `The API key${ending(end)} was disabled at ${time(at)}.`,
          remedy: 'Enable it again, or use another key.',
        }
  },
  key_expired: expired,
  ip_not_allowed: ({ address }) =>
    address === undefined
      ? null
      : {
          cause: `This API key cannot be used from ${address}.`,
          remedy: "Call from an allowed address, or add this one to the key's allowed IPs.",
        },
  group_disabled: ({ group }) =>
    group === undefined
      ? null
      : {
          cause: `The group "${group}" of this API key is disabled.`,
          remedy: 'Use a key of another group, or ask an admin to enable it.',
        },
  group_forbidden: ({ group, plan, from, until }, time) => {
    if (group === undefined) return null
    const cause = `The group "${group}" of this API key requires a plan that opens it, and this account has no active subscription to one.`
    if (plan === undefined || from === undefined || until === undefined) {
      return { cause, remedy: 'Get such a plan, or use a key of another group.' }
    }
    return {
      cause: `${cause} Its plan "${plan}" runs from ${time(from)} until ${time(until)}.`,
      remedy: 'Renew it or wait until it starts, or use a key of another group.',
    }
  },
  model_unknown: (facts) =>
    facts.model === undefined
      ? null
      : { cause: `There is no model "${facts.model}" on this gateway.`, remedy: callable(facts) },
  model_not_allowed: (facts) =>
    facts.model === undefined
      ? null
      : {
          cause: `This API key is limited to certain models, and "${facts.model}" is not among them.`,
          remedy: callable(facts),
        },
  model_not_in_group: (facts) => notInGroup(facts),
  request_invalid: ({ model, lacks }) =>
    model === undefined || lacks === undefined
      ? null
      : {
          cause: `The model "${model}" has no fee for ${lacks} here, which its provider runs and may charge for.`,
          remedy: `Send the request without it, or ask an admin to add a fee for ${lacks}, or 0, to the price of this model.`,
        },
  model_unpriced: ({ model, endpoint, lacks }) => {
    if (model === undefined) return null
    const where =
      endpoint === undefined
        ? 'no price yet, so it is not served'
        : `no price for ${endpoint}, so it is not served there`
    return { cause: `The model "${model}" has ${where}.`, remedy: `An admin has to set ${lacks ?? 'one'}.` }
  },
  balance_exhausted: (facts) => {
    if (facts.left_usd === undefined) return null
    if (facts.needed_usd === undefined) return { cause: "The account's balance is used up.", remedy: 'Top it up.' }
    return {
      cause: `${amounts(facts)} of the account's balance.`,
      remedy: `Top up the account, or send a smaller request.${affordable(facts)}`,
    }
  },
  key_quota_exhausted: (facts, time) => {
    if (facts.limit_usd === undefined && facts.left_usd === undefined) return null
    const smaller = isZeroLimit(facts) ? 'or use another key.' : 'use another key, or send a smaller request.'
    return {
      cause:
        facts.needed_usd === undefined
          ? `The quota of this API key is used up. ${resets(facts, time)}`
          : `${amounts(facts)} of this API key's quota. ${resets(facts, time)}`,
      remedy: `Raise the key's quota limit, ${smaller}${affordable(facts)}`,
    }
  },
  subscription_quota_exhausted: (facts, time) => {
    const { needed_usd: needed, balance_usd: balance, window } = facts
    if (facts.left_usd === undefined) return null
    if (needed === undefined) {
      return {
        cause: `The subscription's quota and the account's balance are used up. ${resets(facts, time)}`,
        remedy: 'Top up the balance.',
      }
    }
    const others = balance === undefined ? '' : ` The account's balance has $${balance}, which is not enough either.`
    return {
      cause: `${amounts(facts)} of the subscription's quota for ${window ?? 'its whole term'}. ${resets(facts, time)}${others}`,
      remedy: `Top up the balance, or send a smaller request.${affordable(facts)}`,
    }
  },
  credential_throttled: ({ max }) =>
    max === undefined
      ? null
      : {
          cause: `More than ${max} requests with invalid API keys came from this address within a minute.`,
          remedy:
            'Correct the key, then try again. Generated keys, and custom keys that were used from here before, are still accepted.',
        },
  rate_limited: (facts, time) => limited(facts, time),
  body_too_large: ({ limit_mb: limit }) =>
    limit === undefined
      ? null
      : {
          cause: `The request body is larger than ${limit} MB, the limit of this gateway.`,
          remedy: 'Send less, or refer to large files by URL.',
        },
  base_url_wrong: ({ enter }) =>
    enter === undefined
      ? null
      : {
          cause: 'The base URL entered in this client contains the full path of an endpoint.',
          remedy: `Enter ${enter} as the base URL; the client appends the rest.`,
        },
  path_unknown: ({ path, method, takes, served, origin }) => {
    if (path === undefined) return null
    if (takes !== undefined) {
      return {
        cause: `${path} takes ${takes}, not ${method ?? 'this method'}.`,
        remedy: `Send the request with ${takes}.`,
      }
    }
    if (served !== undefined) {
      return {
        cause: `This gateway does not serve ${method === undefined ? '' : `${method} `}${path}.`,
        remedy: `Of this API, it serves ${served.replaceAll(/ and (?=.* and )/g, ', ')}. The base URL is right.`,
      }
    }
    if (origin === undefined) return null
    return {
      cause: `There is nothing at ${path}.`,
      remedy: `Base URL for OpenAI clients: ${origin}/v1, for Anthropic and Gemini clients: ${origin}.`,
    }
  },
  upstream_rate_limited: ({ why }) =>
    why === 'too_large'
      ? {
          cause: 'This request alone is larger than what the model’s provider takes in a minute.',
          remedy: 'Send a shorter one, or use another model.',
        }
      : null,
  upstream_unavailable: ({ why, endpoint }) => {
    if (why !== 'endpoint') return (why === undefined ? undefined : UNAVAILABLE[why]) ?? null
    if (endpoint === undefined) return null
    return {
      cause: 'The model’s provider does not have this endpoint, or not for this model.',
      remedy: `Call ${endpoint} instead, or use another model here.`,
    }
  },
})

/** Why no upstream answered, where it takes no more than a sentence. */
const UNAVAILABLE: { readonly [W in FactValues['why']]?: Explanation } = {
  credential: {
    cause: 'The model cannot be reached because its upstream is misconfigured.',
    remedy: 'An admin has to fix its credential.',
  },
  model_missing: {
    cause: 'The model cannot be reached because its provider knows none by the name that is configured for it.',
    remedy: 'An admin has to fix the model name of its target.',
  },
  path_missing: {
    cause: 'The model cannot be reached because its provider has nothing at the path that it is asked at.',
    remedy: 'An admin has to fix the base URL of its upstream.',
  },
  not_found: {
    cause: 'The model cannot be reached because its provider does not have it, or does not let this gateway use it.',
    remedy: 'An admin has to fix the model name, the base URL or the access to it.',
  },
  forbidden: {
    cause: 'The model cannot be reached because its provider does not let this gateway use it.',
    remedy: 'An admin has to fix the access to it there.',
  },
  redirect: {
    cause: 'The model cannot be reached because the base URL of its upstream redirects.',
    remedy: 'An admin has to fix the base URL.',
  },
  no_credential: {
    cause: 'The gateway has no credential that it may use for this model: all are disabled or have expired.',
    remedy: 'An admin has to enable or replace one. Trying again does not help until then.',
  },
  no_credit: {
    cause: 'The model cannot be reached because the account at its provider has run out of credit.',
    remedy: 'An admin has to top it up there.',
  },
  unreachable: { cause: 'The model cannot be reached right now.', remedy: 'Try again in a moment.' },
  failed: { cause: 'The model failed to answer.', remedy: 'Try again in a moment.' },
  broken_off: { cause: 'The model’s answer broke off before its end.', remedy: 'Try again.' },
  no_target: { cause: 'No upstream can serve this model right now.', remedy: 'Try again in a moment.' },
  until_midnight: {
    cause: 'No upstream can serve this model before midnight UTC.',
    remedy: 'Try again then, or use another model.',
  },
}

/** What the caller of a refused request got to read; null: that is not known any more. */
export function saidToCaller(code: FaultCode, facts: FaultFacts, plain: string): string | null {
  if (facts.is_quoted === true) return null
  if (facts.said !== undefined) return facts.said
  const explained = explainEnglish(code, facts)
  return explained === null ? plain : sentence(explained)
}

/** Both parts as one text. */
export function sentence({ cause, remedy }: Explanation): string {
  return `${cause} ${remedy}`
}

function notInGroup(facts: FaultFacts): Explanation | null {
  const { model, groups = [], why } = facts
  const named = groups.map((group) => `"${group}"`).join(', ')
  if (model === undefined) {
    if (groups.length === 0) return null
    return {
      cause: `${why === 'limited' ? 'None of the models that this API key is limited to' : 'No model'} can be called in this API key's group${groups.length === 1 ? '' : 's'} ${named} now.`,
      remedy: 'Use a key of another group, or ask an admin to add models to it.',
    }
  }
  const what =
    why === 'untargeted'
      ? {
          cause: `The model "${model}" is not served in this API key's group ${named}: none of its targets is for it.`,
          remedy: 'Use a key of another group, or ask an admin to add such a target.',
        }
      : {
          cause: `The model "${model}" is not in this API key's group ${named}.`,
          remedy: 'Use a key of another group.',
        }
  return { cause: what.cause, remedy: `${what.remedy} ${callable(facts)}` }
}

/** What the key can call instead. */
function callable({ near = [], allowed = [], has_more: hasMore }: FaultFacts): string {
  const quote = (name: string): string => `"${name}"`
  if (near.length > 0) return `Did you mean ${near.map(quote).join(' or ')}?`
  if (allowed.length === 0) return 'This key cannot call any model at present.'
  return `This key can call ${allowed.map(quote).join(', ')}${hasMore === true ? ' and others: see GET /v1/models' : ''}.`
}

/** What is wrong with what was presented as a key. */
const KEY_MISTAKES: Readonly<Record<FactValues['mistake'], (facts: FaultFacts) => Explanation | null>> = {
  empty: () => ({ cause: 'The API key is empty.', remedy: 'Set the variable or field that should hold it.' }),
  variable: () => ({
    cause: 'The name of a variable was sent instead of an API key: it was not expanded.',
    remedy: 'Set the variable, and check which syntax this program uses.',
  }),
  placeholder: () => ({
    cause: 'A placeholder was sent instead of an API key: the variable or field for the key was not filled in.',
    remedy: 'Enter the key there.',
  }),
  shortened: () => ({
    cause: 'This is the shortened form of an API key that lists show.',
    remedy: 'Use the whole secret, as shown when the key was created.',
  }),
  bearer_twice: () => ({
    cause: 'The word "Bearer" was sent twice: this program adds it automatically.',
    remedy: 'Enter the API key alone.',
  }),
  header: () => ({
    cause: 'A whole header was entered as the API key.',
    remedy: 'Enter the key alone, without the header name before it.',
  }),
  assignment: () => ({
    cause: 'A whole line with a variable was entered as the API key.',
    remedy: 'Enter only what follows the "=".',
  }),
  quoted: ({ end }) => ({ cause: `The API key${ending(end)} has quotation marks around it.`, remedy: 'Remove them.' }),
  white_space: ({ where, line_break: isLineBreak }) => ({
    cause: `The API key has ${isLineBreak === true ? 'a line break' : 'white space'} ${where === 'inside' ? 'inside' : 'before or after it'}.`,
    remedy: 'Copy it again as one line, without anything around it.',
  }),
  characters: ({ characters = [] }) =>
    characters.length === 0
      ? null
      : {
          cause: `The API key contains ${characters.slice(0, 3).join(', ')}${characters.length > 3 ? ' and others' : ''}, which keys of this gateway never contain.`,
          remedy: 'Copy it again, using letters, digits, "-" and "_" only.',
        },
  missing: ({ missing, where, end }) => {
    if (missing === undefined) return null
    return where === 'start'
      ? {
          cause: `The API key${ending(end)} lacks its first ${count(missing, 'character')}: it begins with "sk-tg-".`,
          remedy: 'Copy it again from its beginning.',
        }
      : {
          cause: `The API key${ending(end)} is incomplete: ${count(missing, 'character')} missing.`,
          remedy: 'Copy it again to its end.',
        }
  },
  case: ({ end }) => ({
    cause: `Upper and lower case of the API key${ending(end)} were changed.`,
    remedy: 'Copy it again.',
  }),
  twice: ({ end }) => ({ cause: `The API key${ending(end)} was pasted twice.`, remedy: 'Enter it once.' }),
  extra: ({ extra, end }) =>
    extra === undefined
      ? null
      : {
          cause: `The API key${ending(end)} has ${count(extra, 'character')} too many.`,
          remedy: 'Copy it again, only to its end.',
        },
  checksum: ({ end }) => ({
    cause: `The API key${ending(end)} is damaged: it has the right length, but its checksum does not match.`,
    remedy: 'Copy it again.',
  }),
  too_long: ({ length }) =>
    length === undefined
      ? null
      : {
          cause: `What was sent as the API key has ${length} characters, and no key of this gateway is nearly as long.`,
          remedy: 'Enter the key alone, as shown when it was created.',
        },
}

/** Explains a key that has ended, or a secret that was replaced. */

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`
}
