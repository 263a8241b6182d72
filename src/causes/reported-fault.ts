import { type FaultCode, FAULTS, isFaultCode } from '../core/faults.ts'

/**
 * The fault that a client reported: by its code where the text has it, else by the gateway's own sentence. null: neither is
 * in it, as with the words that a provider used.
 */
export function reportedFault(printed: string): FaultCode | null {
  // As it stands in JSON.
  const text = printed.replaceAll('\\"', '"')
  return codeIn(text) ?? SENTENCES.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

function codeIn(text: string): FaultCode | null {
  const named = /(?:x-tollgate-fault\s*[:=]\s*|"(?:code|reason|fault)"\s*:\s*")"?([a-z_]+)/i.exec(text)?.[1] ?? ''
  if (isFaultCode(named)) return named
  // A code of one word is a word like others.
  return CODES.find((code) => code.includes('_') && new RegExp(`(?<![\\w/])${code}(?!\\w)`).test(text)) ?? null
}

/** OpenAI has errors of these names: they say less than the sentence beside them. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['rate_limited'])
const CODES = (Object.keys(FAULTS) as FaultCode[]).filter((code) => !AMBIGUOUS.has(code))

/** How the sentences of `english*.ts` and of the faults' pages are known again; the more particular come first. */
const SENTENCES: readonly (readonly [RegExp, FaultCode])[] = [
  [/no api key was sent|had no api key in any header/i, 'key_missing'],
  [
    /this is an access token(?:: it speaks|\. it works)|is a key of .+, not one of this gateway|has no api key ending in/i,
    'key_unknown',
  ],
  [/no key on this gateway has this secret/i, 'key_unknown'],
  [/the account that owns this (?:api )?key is disabled/i, 'account_disabled'],
  [/more than \d+ requests with invalid (?:api )?keys/i, 'credential_throttled'],
  [/the api key(?: ending in \S+)? was deleted|this key was deleted/i, 'key_deleted'],
  [/the api key(?: ending in \S+)? was disabled|this key is disabled/i, 'key_disabled'],
  [/the api key(?: ending in \S+)? expired|was replaced by a new one|key’s expiry date has passed/i, 'key_expired'],
  [/this api key cannot be used from|only from certain ip addresses/i, 'ip_not_allowed'],
  [/the group ".*" of this api key is disabled|the key’s group is disabled/i, 'group_disabled'],
  [/requires a plan that (?:covers|opens) it/i, 'group_forbidden'],
  [/limited to certain models/i, 'model_not_allowed'],
  [
    /in this api key's group|is in none of this api key's groups|none of this key’s groups includes/i,
    'model_not_in_group',
  ],
  [/there is no model ".*" on this gateway|no model on this gateway has this name/i, 'model_unknown'],
  [/cannot call a model with that name/i, 'model_unknown'],
  [/has no fee for .* which its provider runs/i, 'request_invalid'],
  [/the model ".*" has no price|no price has been set for this model/i, 'model_unpriced'],
  [/of this api key's quota|the quota of this api key is used up|has its own spending quota/i, 'key_quota_exhausted'],
  [
    /of the subscription's quota|the subscription's quota and|window of the subscription is full|subscription’s limits is used up/i,
    'subscription_quota_exhausted',
  ],
  [/of the account's balance|account's balance is used up|balance does not cover the most/i, 'balance_exhausted'],
  [/this api key (?:may|has spent)|api keys of this account (?:together )?(?:may|have spent)/i, 'rate_limited'],
  [/this (?:api key|account)'s limit is 0|limit on requests, tokens/i, 'rate_limited'],
  [/request body is larger than/i, 'body_too_large'],
  [/contains the full path of an endpoint/i, 'base_url_wrong'],
  [
    /there is nothing at |this gateway does not serve| takes (?:GET|POST|DELETE), not|has no endpoint at this path/i,
    'path_unknown',
  ],
  [
    /this request alone is larger than what|reports too many requests|provider is limiting requests from this gateway/i,
    'upstream_rate_limited',
  ],
  [
    /model cannot be reached (?:because|right now)|the model failed to answer|answer broke off before its end|no upstream can serve this model|has no credential that it may use for this model|provider does not have this endpoint|provider could not be reached/i,
    'upstream_unavailable',
  ],
  [/provider is overloaded|the model is (?:overloaded|busy)\b/i, 'upstream_overloaded'],
  [/sent a response that (?:the gateway could not|cannot be) read|answer cannot be read/i, 'upstream_malformed'],
  [
    /did not start, continue or finish its response|did not (?:begin to )?answer in time|has not answered in time|did not finish its answer|stopped in the middle of its answer/i,
    'upstream_timeout',
  ],
  [/provider rejected the request/i, 'upstream_rejected'],
  [/gateway was shutting down|while shutting down, the gateway/i, 'draining'],
  [/could not reach its database/i, 'store_unavailable'],
  [/unexpected error occurred in the gateway/i, 'internal'],
  [/the gateway could not read what it needs from the request|body is not valid JSON[:,]/i, 'request_invalid'],
  [
    /the api key is empty|name of a variable was sent instead|placeholder was sent instead|shortened form of an api key|"bearer" was sent twice|whole (?:header|line with a variable) was entered|quotation marks around it|the api key has (?:a line break|white space|a space)|which keys of this gateway never contain|is incomplete|lacks its first|upper and lower case of the api key|was pasted twice|characters too many|checksum does not match|no key of this gateway is nearly as long|cannot be a key of this gateway/i,
    'key_malformed',
  ],
]
